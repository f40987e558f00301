import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import type { ScheduleArgs } from "../../convex/model/billPayments";
import { addDays, dateOf } from "../../convex/shared/dates";
import {
  balancesOf,
  bellOf,
  expectRefusal,
  expectSoundLedger,
  freshKey,
  mailsTo,
  rowsOf,
} from "./moneySupport";
import { admin, newBackend, person, snapshot, type Backend, type Person } from "./support";

const DAY_MS = 86_400_000;
/** Noon in New York. */
const NOON = Date.parse("2026-03-02T17:00:00Z");
const today = dateOf(NOON);

let t: Backend;
let ada: Person;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
});
afterEach(() => {
  vi.useRealTimers();
});

const bill = (changes: Partial<ScheduleArgs> = {}): ScheduleArgs => ({
  fromAccount: "Checking",
  provider: "electric",
  accountNumber: "778899",
  amountCents: 4_000n,
  scheduleDate: addDays(today, 1),
  requestKey: freshKey(),
  ...changes,
});
const schedule = (changes: Partial<ScheduleArgs> = {}) =>
  ada.as.mutation(api.billPayments.schedule, bill(changes));
/** Runs the job some days later, then sets the clock back so that sessions do not expire. */
const settle = async (days: number) => {
  vi.setSystemTime(NOON + days * DAY_MS);
  await t.mutation(functions.billPayments.settleDue, {});
  vi.setSystemTime(NOON);
};
const history = async () => {
  const { page } = await ada.as.query(api.billPayments.history, {
    paginationOpts: { numItems: 10, cursor: null },
  });
  return page.map(({ status, failureReason }) => [status, failureReason]);
};

describe("scheduling", () => {
  test("is refused when more payments would wait than the list can show", async () => {
    const { billPaymentId } = await schedule();
    await t.run(async (ctx) => {
      const payment = await ctx.db.get("billPayments", billPaymentId);
      if (payment === null) throw new Error("no payment");
      const { _id, _creationTime, ...fields } = payment;
      for (let n = 1; n < 99; n++) await ctx.db.insert("billPayments", fields);
    });
    await schedule();
    await expectRefusal(t, () => schedule(), "TOO_MANY_PAYMENTS");
    await ada.as.mutation(api.billPayments.cancel, { billPaymentId });
    await schedule();
    expect(await ada.as.query(api.billPayments.upcoming, {})).toHaveLength(100);
  });

  test("adds the payment and a Pending debit, and moves no money", async () => {
    await schedule({ memo: " March " });
    expect(await ada.as.query(api.billPayments.upcoming, {})).toMatchObject([
      { provider: "electric", status: "Scheduled", memo: "March", accountNumber: "••••8899" },
    ]);
    expect(await rowsOf(ada)).toEqual([
      "Checking debit 4000 Electric bill payment Bill Pay Pending",
    ]);
    expect(await history()).toEqual([]);
    const [row] = await ada.as.query(api.transactions.recent, {});
    expect(row).toMatchObject({ scheduledDate: addDays(today, 1), reference: "March" });
    expect(await ada.as.query(api.transactions.pendingTotals, {})).toEqual({
      totalCents: 4_000n,
      count: 1,
    });
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await bellOf(ada)).toEqual(["$40.00 for your electric bill on Mar 3, 2026."]);
    await expectSoundLedger(t);
  });

  test.each([
    ["no account number", { accountNumber: " " }, "FILL_REQUIRED_FIELDS"],
    ["no date", { scheduleDate: "" }, "FILL_REQUIRED_FIELDS"],
    ["a memo of a novel's length", { memo: "x".repeat(100_000) }, "INVALID_TEXT"],
    ["zero", { amountCents: 0n }, "INVALID_AMOUNT"],
    ["one cent too much", { amountCents: 10_001n }, "INSUFFICIENT_FUNDS"],
    ["a date that is none", { scheduleDate: "2026-02-30" }, "INVALID_DATE"],
    ["today", { scheduleDate: today }, "PAYMENT_DATE_TOO_EARLY"],
  ] as const)("refuses %s and writes nothing", async (_what, changes, code) => {
    await expectRefusal(t, () => schedule(changes), code);
  });

  test("late in the evening, tomorrow is determined in the credit union's time zone", async () => {
    vi.setSystemTime(Date.parse("2026-03-03T04:30:00Z"));
    await schedule({ scheduleDate: "2026-03-03" });
  });

  test("the same key schedules one payment", async () => {
    const args = bill();
    const first = await ada.as.mutation(api.billPayments.schedule, args);
    const before = await snapshot(t);
    expect(await ada.as.mutation(api.billPayments.schedule, args)).toEqual(first);
    expect(await snapshot(t)).toBe(before);
  });
});

describe("the daily job", () => {
  test("pays what is due, once, however often it runs", async () => {
    const { billPaymentId } = await schedule();
    await settle(0);
    await t.mutation(functions.billPayments.settleOne, { billPaymentId });
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await settle(1);
    expect(await balancesOf(t, ada)).toEqual([6_000n, 0n]);
    await settle(1);
    await settle(2);
    vi.setSystemTime(NOON + DAY_MS);
    await t.mutation(functions.billPayments.settleOne, { billPaymentId });
    vi.setSystemTime(NOON);
    expect(await balancesOf(t, ada)).toEqual([6_000n, 0n]);
    expect(await rowsOf(ada)).toEqual([
      "Checking debit 4000 Electric bill payment Bill Pay Completed",
    ]);
    expect(await history()).toEqual([["Completed", undefined]]);
    expect((await bellOf(ada))[0]).toBe("$40.00 was paid for your electric bill.");
    expect(await ada.as.query(api.transactions.pendingTotals, {})).toMatchObject({ count: 0 });
    await expectSoundLedger(t);
  });

  test("catches up on days when it did not run", async () => {
    await schedule();
    await schedule({ scheduleDate: addDays(today, 3), amountCents: 1_000n });
    await settle(30);
    expect(await balancesOf(t, ada)).toEqual([5_000n, 0n]);
    await expectSoundLedger(t);
  });

  test("fails a payment that the funds no longer cover, and continues with the next", async () => {
    for (const amountCents of [8_000n, 9_000n, 1_000n, 1_000n]) await schedule({ amountCents });
    await settle(1);
    expect(await balancesOf(t, ada)).toEqual([0n, 0n]);
    const newestFirst = ["Completed", "Completed", "Failed", "Completed"];
    expect((await history()).map(([status]) => status)).toEqual(newestFirst);
    expect(await mailsTo(t, ada)).toEqual(["Payment failed"]);
    const month = await ada.as.query(api.transactions.monthTotals, { month: "2026-03" });
    expect(month).toMatchObject({ outgoingCents: 10_000n, outgoingCount: 3 });
    await expectSoundLedger(t);
  });

  test.each([
    ["no longer a member", { status: "rejected", role: "pending" }],
    ["disabled", { disabledAt: NOON }],
  ] as const)("fails a payment of someone who is %s", async (_what, standing) => {
    await schedule();
    await t.run((ctx) => ctx.db.patch("users", ada.userId, standing));
    await settle(1);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    const payments = await t.run((ctx) => ctx.db.query("billPayments").take(5));
    expect(payments[0]).toMatchObject({ status: "Failed" });
    await expectSoundLedger(t);
  });

  test("settles more than one batch by scheduling itself, the earlier date first", async () => {
    vi.useFakeTimers({ now: NOON });
    await schedule({ amountCents: 500n, scheduleDate: addDays(today, 2) });
    for (let index = 0; index < 30; index++) await schedule({ amountCents: 320n });
    vi.setSystemTime(NOON + 2 * DAY_MS);
    await t.mutation(functions.billPayments.settleDue, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    // What the thirty left does not cover the one that was due after them.
    expect(await balancesOf(t, ada)).toEqual([400n, 0n]);
    await expectSoundLedger(t);
  });

  describe("of payments that cannot be settled", () => {
    let ben: Person;
    let ids: Id<"billPayments">[];
    let brokenId: Id<"accountMonths">;
    let logged: MockInstance<typeof console.error>;

    /** Ben's thirty come first, and two documents for one month make each of them fail. */
    beforeEach(async () => {
      vi.useFakeTimers({ now: NOON });
      ben = await person(t, "ben@bank.example", { checkingCents: 10_000n });
      ids = [];
      for (let index = 0; index < 30; index++) {
        const payment = bill({ amountCents: 1n });
        ids.push((await ben.as.mutation(api.billPayments.schedule, payment)).billPaymentId);
      }
      await schedule();
      brokenId = await t.run(async (ctx) => {
        const months = ctx.db.query("accountMonths").withIndex("by_userId_and_month");
        const ofBen = (await months.take(10)).find(({ userId }) => userId === ben.userId)!;
        const { _id, _creationTime, ...fields } = ofBen;
        return await ctx.db.insert("accountMonths", fields);
      });
      logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    });
    afterEach(() => {
      logged.mockRestore();
    });

    const run = async (beforeTheRest: () => Promise<unknown> = () => Promise.resolve()) => {
      vi.setSystemTime(NOON + DAY_MS);
      await t.mutation(functions.billPayments.settleDue, {});
      await beforeTheRest();
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    };

    test("however many, none keeps others waiting", async () => {
      await run();
      expect(await balancesOf(t, ada)).toEqual([6_000n, 0n]);
      expect(await balancesOf(t, ben)).toEqual([10_000n, 0n]);
      expect(logged.mock.calls.map(([line]) => line as unknown)).toEqual(
        ids.map((id) => `Bill payment ${id} could not be settled:`),
      );
      await t.run((ctx) => ctx.db.delete("accountMonths", brokenId));
      await run();
      expect(await balancesOf(t, ben)).toEqual([9_970n, 0n]);
      await expectSoundLedger(t);
    });

    test("those that end between two batches let none be passed over", async () => {
      await run(() =>
        t.run(async (ctx) => {
          for (const id of ids) await ctx.db.patch("billPayments", id, { status: "Canceled" });
        }),
      );
      expect(await balancesOf(t, ada)).toEqual([6_000n, 0n]);
    });
  });
});

describe("canceling", () => {
  const cancel = (who: Person, billPaymentId: string) =>
    who.as.mutation(api.billPayments.cancel, { billPaymentId });

  test("removes the Pending row, and the payment is never made", async () => {
    const { billPaymentId } = await schedule();
    await cancel(ada, billPaymentId);
    expect(await rowsOf(ada)).toEqual([]);
    const kept = await t.run((ctx) => ctx.db.query("transactions").unique());
    expect(kept).toMatchObject({ isVisible: false, deletedBy: ada.email });
    await settle(1);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await history()).toEqual([["Canceled", undefined]]);
    await expectRefusal(t, () => cancel(ada, billPaymentId), "PAYMENT_NOT_CANCELABLE");
    await expectSoundLedger(t);
  });

  test("another person's payment does not exist, and a settled one stays", async () => {
    const ben = await person(t, "ben@bank.example");
    const { billPaymentId } = await schedule();
    await expectRefusal(t, () => cancel(ben, billPaymentId), "NOT_FOUND");
    await expectRefusal(t, () => cancel(ben, ada.userId), "NOT_FOUND");
    await settle(1);
    await expectRefusal(t, () => cancel(ada, billPaymentId), "PAYMENT_NOT_CANCELABLE");
  });
});

describe("an administrator who deletes the row of a payment", () => {
  const deleteNewestRow = async () => {
    const root = await admin(t);
    const [row] = await ada.as.query(api.transactions.recent, {});
    const transactionId = row?._id ?? "";
    await root.as.mutation(api.admin.transactions.remove, { transactionId });
  };

  test("before its date cancels it, and the member is notified that it will not be paid", async () => {
    await schedule();
    await deleteNewestRow();
    await settle(1);
    expect(await history()).toEqual([["Canceled", "Removed by the credit union"]]);
    expect((await bellOf(ada))[0]).toBe("$40.00 for your electric bill will not be paid.");
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await expectSoundLedger(t);
  });

  test("after it was paid returns the money, and the payment is no longer Completed", async () => {
    await schedule();
    await settle(1);
    await deleteNewestRow();
    expect(await history()).toEqual([["Canceled", "Removed by the credit union"]]);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await expectSoundLedger(t);
  });
});
