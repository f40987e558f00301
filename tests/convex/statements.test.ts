import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { RowArgs } from "../../convex/model/adminPostings";
import { addDays, addMonths, momentOf, monthOf, monthsBack } from "../../convex/shared/dates";
import { transactionsOfx } from "../../convex/shared/ofx";
import { expectRefusal, expectSoundLedger, freshKey, submit, toUser } from "./moneySupport";
import { admin, newBackend, person, refusalOf, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { name: "Ada Ode", checkingCents: 100_000n });
  root = await admin(t);
});
afterEach(() => {
  vi.useRealTimers();
});

const row = (date: string, time: string, changes: Partial<RowArgs> = {}): RowArgs => ({
  accountType: "Checking",
  type: "credit",
  amountCents: 1_000n,
  description: `${date} ${time}`,
  category: "Income",
  date: momentOf(date, time),
  status: "Completed",
  ...changes,
});
const add = (rows: RowArgs[], updateBalance = true) =>
  root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows,
    updateBalance,
    requestKey: freshKey(),
  });
const get = (period: string) =>
  ada.as.query(api.statements.get, { accountType: "Checking", period });

describe("periods", () => {
  test("are the thirteen of the specification, newest first", async () => {
    const periods = await ada.as.query(api.statements.periods, {});
    expect(periods).toHaveLength(13);
    expect(periods[0]).toEqual({ period: "2025-03", label: "March 2025" });
    expect(periods[12]).toEqual({ period: "2024-03", label: "March 2024" });
  });

  test("are every closed month under the recommended policy", async () => {
    await root.as.mutation(api.admin.policies.applyRecommended, {});
    const periods = await ada.as.query(api.statements.periods, {});
    const newest = addMonths(monthOf(Date.now()), -1);
    expect(periods.map(({ period }) => period)).toEqual(monthsBack(newest, "2024-03"));
  });

  test.each(["2025-04", "2024-02", "2025-13", "", "x".repeat(1_000)])(
    "%.10j is not available",
    async (period) => {
      await expectRefusal(t, () => get(period), "STATEMENT_NOT_AVAILABLE");
    },
  );
});

describe("a statement", () => {
  test("lists postings up to midnight in the credit union's time zone", async () => {
    await add([
      row("2025-01-31", "23:59", { amountCents: 500n }),
      row("2025-02-01", "00:00", { amountCents: 700n }),
      row("2025-02-28", "23:59", { type: "debit", amountCents: 200n, category: "Food" }),
      row("2025-03-01", "00:00", { amountCents: 900n }),
      row("2025-02-10", "12:00", { status: "Pending" }),
      row("2025-02-10", "12:00", { status: "Failed" }),
    ]);
    await add([row("2025-02-11", "12:00", { description: "memo" })], false);
    const february = await get("2025-02");
    expect(february).toMatchObject({
      label: "February 2025",
      holderName: "Ada Ode",
      openingCents: 500n,
      closingCents: 1_000n,
      creditsCents: 700n,
      debitsCents: 200n,
    });
    expect(february.rows).toMatchObject([
      { description: "2025-02-01 00:00", date: momentOf("2025-02-01"), balanceAfterCents: 1_200n },
      { date: momentOf("2025-02-28", "23:59"), balanceAfterCents: 1_000n },
    ]);
    expect((await get("2025-03")).openingCents).toBe(february.closingCents);
    expect((await get("2025-01")).closingCents).toBe(february.openingCents);
  });

  test("leaves out memos, and so does the history's file for finance programs", async () => {
    await add([row("2025-02-10", "12:00", { description: "posted" })]);
    await add([row("2025-02-11", "12:00", { description: "memo" })], false);
    const paginationOpts = { numItems: 9, cursor: null };
    const { page } = await ada.as.query(api.transactions.history, { paginationOpts });
    expect(page.map(({ description }) => description)).toEqual(["memo", "posted"]);
    const file = transactionsOfx(page, await ada.as.query(api.accounts.listMine, {}), Date.now());
    expect(file).toContain("posted");
    expect(file).not.toContain("memo");
  });

  test("omits a deleted row, in its month and in all later balances", async () => {
    await add([row("2025-01-10", "09:00", { description: "gone" }), row("2025-01-10", "09:01")]);
    const [kept, gone] = await ada.as.query(api.transactions.recent, {});
    await root.as.mutation(api.admin.transactions.remove, { transactionId: gone?._id ?? "" });
    const january = await get("2025-01");
    expect(january.rows).toMatchObject([{ id: kept?._id, balanceAfterCents: 1_000n }]);
    expect((await get("2025-02")).openingCents).toBe(1_000n);
    await expectSoundLedger(t);
  });

  test("is sent as an e-mail through the outbox", async () => {
    await ada.as.mutation(api.statements.request, { accountType: "Savings", period: "2025-03" });
    const mails = await t.run((ctx) => ctx.db.query("outbox").take(5));
    expect(mails).toMatchObject([
      { to: "ada@bank.example", subject: "Your March 2025 statement", status: "queued" },
    ]);
  });

  test("is sent at most sixty times in an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const request = () =>
      ada.as.mutation(api.statements.request, { accountType: "Savings", period: "2025-03" });
    for (let count = 0; count < 60; count++) await request();
    expect(await refusalOf(request())).toBe("RATE_LIMITED");
    vi.setSystemTime(Date.now() + 60_000);
    await request();
  });

  test("the opening balance is the previous closing balance, and rows add up, for any history", async () => {
    const anyRow = fc.record({
      day: fc.integer({ min: 0, max: 395 }),
      minute: fc.integer({ min: 0, max: 1_439 }),
      amount: fc.bigInt({ min: 1n, max: 400n }),
      type: fc.constantFrom("credit" as const, "debit" as const),
    });
    const rows = fc.sample(fc.array(anyRow, { minLength: 60, maxLength: 60 }), {
      numRuns: 1,
      seed: 7,
    })[0];
    await add(
      (rows ?? []).map(({ day, minute, amount, type }) =>
        row(
          addDays("2024-03-01", day),
          `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`,
          { amountCents: amount, type },
        ),
      ),
    );
    const periods = (await ada.as.query(api.statements.periods, {})).reverse();
    let closing: bigint | null = null;
    for (const { period } of periods) {
      const found = await get(period);
      if (closing !== null) expect(found.openingCents).toBe(closing);
      const moved = found.creditsCents - found.debitsCents;
      expect(found.openingCents + moved).toBe(found.closingCents);
      expect(found.rows.at(-1)?.balanceAfterCents ?? found.openingCents).toBe(found.closingCents);
      closing = found.closingCents;
    }
    await expectSoundLedger(t);
  });
});

describe("history", () => {
  type Filters = Omit<(typeof api.transactions.history)["_args"], "paginationOpts">;
  const page = (filters: Filters, numItems = 50, cursor: string | null = null) =>
    ada.as.query(api.transactions.history, { ...filters, paginationOpts: { numItems, cursor } });
  const all = async (filters: Filters, numItems: number) => {
    const found: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const read: Awaited<ReturnType<typeof page>> = await page(filters, numItems, cursor);
      found.push(...read.page.map(({ description }) => description));
      if (read.isDone) return found;
      cursor = read.continueCursor;
    }
  };

  test.each([1, 2, 7, 50])("pages of %i rows show every row once, newest first", async (size) => {
    const rows = Array.from({ length: 20 }, (_, index) =>
      // Many rows with the same timestamp: paging must keep its position between them.
      row("2025-02-01", index % 3 === 0 ? "09:00" : "10:00", { description: `row ${index}` }),
    );
    await add(rows);
    const found = await all({}, size);
    expect(new Set(found).size).toBe(20);
    expect(found).toEqual(await all({}, 100));
  });

  test("can be filtered by every field, over the whole history", async () => {
    await add([
      row("2019-05-01", "09:00", { description: "Old Books", category: "Shopping", type: "debit" }),
      row("2025-02-01", "09:00", { accountType: "Savings", amountCents: 5_000n }),
      row("2025-02-02", "09:00", { status: "Failed", description: "broken" }),
    ]);
    expect(await all({ text: " BOOKS " }, 1)).toEqual(["Old Books"]);
    expect(await all({ category: "Shopping", type: "debit" }, 1)).toEqual(["Old Books"]);
    expect(await all({ status: "Failed" }, 1)).toEqual(["broken"]);
    expect(await all({ accountType: "Savings" }, 1)).toHaveLength(1);
    expect(await all({ minCents: 5_000n }, 1)).toHaveLength(1);
    expect(await all({ maxCents: 1_000n }, 1)).toHaveLength(2);
    expect(await all({ fromDate: "2019-05-01", toDate: "2019-05-01" }, 1)).toEqual(["Old Books"]);
    expect(await all({ toDate: "2019-04-30" }, 1)).toEqual([]);
    for (const text of ["%", "x".repeat(200)]) expect(await all({ text }, 1)).toEqual([]);
  });

  test("finds a text in any Unicode form, in descriptions and in names", async () => {
    const composed = "Caf\u00e9";
    const decomposed = composed.normalize("NFD");
    await add([row("2025-02-01", "09:00", { description: decomposed })]);
    const zoe = await person(t, "zoe@bank.example", { name: `Zoe ${decomposed}` });
    await submit(ada, toUser(zoe.email, { amountCents: 1n }));
    for (const text of [composed, decomposed, "CAF\u00c9"]) {
      expect(await all({ text }, 1), text).toHaveLength(2);
    }
  });

  test("shows the balance after each row of a single account, whatever the filter", async () => {
    await add([
      row("2025-01-05", "09:00"),
      row("2025-01-06", "09:00", { category: "Deposit" }),
      row("2025-02-01", "09:00"),
      row("2025-02-02", "09:00", { status: "Pending" }),
    ]);
    const { page: rows } = await page({ accountType: "Checking" });
    expect(rows.map((one) => one.balanceAfterCents)).toEqual([undefined, 3_000n, 2_000n, 1_000n]);
    const { page: filtered } = await page({ accountType: "Checking", category: "Deposit" });
    expect(filtered.map((one) => one.balanceAfterCents)).toEqual([2_000n]);
  });

  test("a delivered page keeps its end when new rows are added", async () => {
    await add([1, 2, 3].map((day) => row(`2025-02-0${day}`, "09:00")));
    const first = await page({}, 2);
    await add([row("2025-02-09", "09:00", { description: "new" })]);
    const again = await ada.as.query(api.transactions.history, {
      paginationOpts: { numItems: 2, cursor: null, endCursor: first.continueCursor },
    });
    expect(again.page.map(({ description }) => description)).toEqual([
      "new",
      "2025-02-03 09:00",
      "2025-02-02 09:00",
    ]);
    expect(again.continueCursor).toBe(first.continueCursor);
  });

  test.each([
    [{ fromDate: "yesterday" }, "INVALID_DATE"],
    [{ text: "x".repeat(201) }, "INVALID_TEXT"],
  ] as const)("refuses %.40j", async (filters, code) => {
    await expectRefusal(t, () => page(filters), code);
  });

  test.each(["", "x", "1/2/3", "NaN/NaN", "end/1"])(
    "a forged cursor %j is refused",
    async (cursor) => {
      await expect(page({}, 5, cursor)).rejects.toThrow(/InvalidCursor/);
    },
  );
});

describe("tiles and charts", () => {
  test("count the month's rows except Failed ones", async () => {
    await add([
      row("2025-02-01", "09:00"),
      row("2025-02-02", "09:00", { status: "Pending" }),
      row("2025-02-03", "09:00", { status: "Failed" }),
      row("2025-02-04", "09:00", { type: "debit", category: "Food", amountCents: 300n }),
      row("2025-02-05", "09:00", { type: "debit", category: "Shopping", amountCents: 400n }),
      row("2025-02-06", "09:00", { type: "debit", category: "Other", amountCents: 400n }),
      row("2025-01-31", "23:59", { amountCents: 9_000n }),
    ]);
    expect(await ada.as.query(api.transactions.monthTotals, { month: "2025-02" })).toEqual({
      incomeCents: 2_000n,
      incomeCount: 2,
      outgoingCents: 1_100n,
      outgoingCount: 3,
    });
    expect(await ada.as.query(api.transactions.spendingByCategory, { month: "2025-02" })).toEqual([
      { category: "Shopping", totalCents: 400n, count: 1 },
      { category: "Other", totalCents: 400n, count: 1 },
      { category: "Food", totalCents: 300n, count: 1 },
    ]);
    const months = ["2024-12", "2025-01", "2025-02"];
    const series = await ada.as.query(api.transactions.monthlySeries, { months });
    expect(series.map(({ endBalanceCents }) => endBalanceCents)).toEqual([0n, 9_000n, 8_900n]);
  });

  test.each([[["2025-1"]], [Array.from({ length: 14 }, () => "2025-01")]])(
    "refuse invalid months and too many months",
    async (months) => {
      const series = (of: string[]) => ada.as.query(api.transactions.monthlySeries, { months: of });
      await expectRefusal(t, () => series(months), "INVALID_DATE");
      const [, ...allowed] = months;
      expect(await series(allowed)).toHaveLength(allowed.length);
    },
  );
});
