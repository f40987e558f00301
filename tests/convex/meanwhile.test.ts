/** Events that happen while a long operation is running. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import { billDescription } from "../../convex/shared/texts";
import { MS } from "../../convex/shared/limits";
import {
  balancesOf,
  expectRefusal,
  expectSoundLedger,
  external,
  freshKey,
  rowsOf,
} from "./moneySupport";
import {
  addCodes,
  admin,
  newBackend,
  person,
  signedIn,
  type Backend,
  type Person,
} from "./support";

const ROWS_AT_ONCE = 100;

const credit = {
  accountType: "Checking",
  type: "credit",
  amountCents: 1n,
  description: "Interest",
  category: "Income",
  status: "Completed",
} as const;

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  root = await admin(t);
  vi.useFakeTimers({ now: Date.parse("2026-11-24T17:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Adds `count` credits of one cent, the newest at `newestMs`, each a moment before the previous one. */
async function addCredits(count: number, newestMs = Date.now()): Promise<void> {
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: Array.from({ length: count }, (_, index) => ({
      ...credit,
      date: newestMs - index,
    })),
    updateBalance: true,
    requestKey: freshKey(),
  });
}

test("a bill that is paid while all rows are deleted is deleted as well", async () => {
  await ada.as.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "12345678",
    amountCents: 500n,
    scheduleDate: "2026-11-25",
    requestKey: freshKey(),
  });
  vi.setSystemTime(Date.now() + MS.DAY_MS);
  root = { ...root, ...(await signedIn(t, root.userId)) };
  ada = { ...ada, ...(await signedIn(t, ada.userId)) };
  await addCredits(ROWS_AT_ONCE);
  const { email } = ada;
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, { email });
  // One batch; the payment's row, the oldest, is not in it.
  await t.mutation(functions.admin.transactions.removeNext, { jobId });
  await t.mutation(functions.billPayments.settleDue, {});
  expect(await rowsOf(ada)).toEqual([
    `Checking debit 500 ${billDescription("water")} Bill Pay Completed`,
  ]);
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  expect(await rowsOf(ada)).toEqual([]);
  expect(await root.as.query(api.admin.transactions.removalJob, { jobId })).toEqual({
    deletedCount: ROWS_AT_ONCE + 1,
    isDone: true,
  });
  expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
  await expectSoundLedger(t);
});

test("a row that is added while all rows are deleted stays, whatever its date", async () => {
  await addCredits(ROWS_AT_ONCE + 1);
  const { email } = ada;
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, { email });
  vi.advanceTimersToNextTimer();
  await t.finishInProgressScheduledFunctions();
  await addCredits(1, Date.now() - MS.DAY_MS);
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  expect(await root.as.query(api.admin.transactions.removalJob, { jobId })).toEqual({
    deletedCount: ROWS_AT_ONCE + 1,
    isDone: true,
  });
  expect(await balancesOf(t, ada)).toEqual([10_001n, 0n]);
});

test("an executed transfer to a US bank returns its receipt in another session, too", async () => {
  await addCodes(t, "204816");
  const args = external();
  const { pendingId } = await ada.as.mutation(api.transfers.startExternal, args);
  const confirm = (who: Pick<Person, "as">) =>
    who.as.mutation(api.transfers.confirmExternal, { pendingId, code: "204816" });
  const receipt = await confirm(ada);
  const later = await signedIn(t, ada.userId);
  expect(await confirm(later)).toEqual(receipt);
  const stranger = await person(t, "ben@bank.example");
  await expectRefusal(t, () => confirm(stranger), "NOT_FOUND");
});

test("the key of an executed transfer to a US bank never starts another one", async () => {
  await addCodes(t, "204816");
  const args = external();
  const started = await ada.as.mutation(api.transfers.startExternal, args);
  const { pendingId } = started;
  const code = "204816";
  const receipt = await ada.as.mutation(api.transfers.confirmExternal, { pendingId, code });
  vi.setSystemTime(Date.now() + 30 * MS.DAY_MS);
  await t.mutation(functions.transfers.sweepLapsed, {});
  const later = await signedIn(t, ada.userId);
  // With its receipt: a screen that asked for a code once more would say that nothing was sent.
  expect(await later.as.mutation(api.transfers.startExternal, args)).toEqual({
    ...started,
    receipt,
  });
});

test.each(["with its batch", "by itself"] as const)(
  "rows sent again after their deletion %s are neither reported as added nor added unasked",
  async (how) => {
    const args = {
      userId: ada.userId,
      rows: [{ ...credit, date: Date.now() - 1_000 }],
      updateBalance: true,
      requestKey: freshKey(),
    };
    const before = await balancesOf(t, ada);
    const { batchId } = await root.as.mutation(api.admin.transactions.addMany, args);
    if (how === "with its batch") {
      await root.as.mutation(api.admin.transactions.removeBatch, { batchId });
    } else {
      const [row] = await ada.as.query(api.transactions.recent, {});
      await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
    }
    await expectRefusal(
      t,
      () => root.as.mutation(api.admin.transactions.addMany, args),
      "BATCH_GONE",
    );
    expect(await balancesOf(t, ada)).toEqual(before);
    const again = { ...args, requestKey: freshKey() };
    await root.as.mutation(api.admin.transactions.addMany, again);
    expect(await balancesOf(t, ada)).not.toEqual(before);
  },
);

test("two identical requests, both approved, add rows once and write an audit entry each", async () => {
  await root.as.mutation(api.admin.policies.set, {
    key: "secondAdminApprovalAbove",
    value: "100000",
  });
  const second = await admin(t, "second@bank.example");
  const args = {
    userId: ada.userId,
    rows: [
      { ...credit, date: Date.now() - 1_000, amountCents: 200_000n },
      { ...credit, date: Date.now() - 1_000, amountCents: 30_000n, type: "debit" as const },
    ],
    updateBalance: true,
    requestKey: freshKey(),
  };
  const change = { kind: "transactions.add" as const, args };
  for (let count = 1; count <= 2; count++) {
    const { approvalId } = await root.as.mutation(api.admin.approvals.request, { change });
    await second.as.mutation(api.admin.approvals.approve, { approvalId });
  }
  expect(await balancesOf(t, ada)).toEqual([180_000n, 0n]);
  const { page } = await root.as.query(api.admin.audit.page, {
    paginationOpts: { numItems: 10, cursor: null },
  });
  const entries = page.filter(({ actorEmail }) => actorEmail === second.email);
  expect(entries.map(({ after }) => JSON.parse(after ?? "") as object)).toMatchObject([
    { count: 0, netCents: "0" },
    { count: 2, netCents: "170000" },
  ]);
});

test("a key belongs to its rows, however many there are", async () => {
  const date = Date.now() - 1_000;
  const rows = Array.from({ length: 40 }, () => ({ ...credit, date }));
  const args = { userId: ada.userId, rows, updateBalance: true, requestKey: freshKey() };
  await root.as.mutation(api.admin.transactions.addMany, args);
  const changed = { ...args, rows: [...rows.slice(1), { ...credit, date: date - 1 }] };
  const call = () => root.as.mutation(api.admin.transactions.addMany, changed);
  await expectRefusal(t, call, "REQUEST_KEY_REUSED");
});
