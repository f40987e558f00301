/** Months with very many rows of the longest texts: the embedded backend counts what a query reads (16 MiB). */
import type { FunctionReturnType } from "convex/server";
import { beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { getOwn } from "../../convex/model/accounts";
import { openingBalance } from "../../convex/model/ledger";
import schema from "../../convex/schema";
import type { AccountType } from "../../convex/shared/validators";
import { embeddedTest } from "../../embedded/testing";
import { MODULES, person, refusalOf, stubEnvironment, type Backend, type Person } from "./support";

/** A thousand at a time, on these days: 6,000 in each of two months. */
const ROWS_AT_ONCE = 1_000;
const JUNE = Array.from({ length: 6 }, (_, day) => Date.UTC(2024, 5, 10 + day, 16));
const JULY = [1, 11, 12, 13, 14, 15].map((day) => Date.UTC(2024, 6, day, 16));
/** The longest text, three bytes for each character. */
const TEXT = "汉".repeat(200);

let t: Backend;
let ada: Person;

beforeAll(async () => {
  stubEnvironment();
  t = embeddedTest(schema, MODULES);
  ada = await person(t, "ada@bank.example");
  for (const day of [...JUNE, ...JULY]) await addRows(day);
}, 60_000);

/** Posted rows, written directly: only their size matters here. */
async function addRows(
  firstMs: number,
  accountType: AccountType = "Checking",
  apartMs = 1,
): Promise<void> {
  await t.run(async (ctx) => {
    const { _id: accountId } = await getOwn(ctx, ada.userId, accountType);
    const journal = { kind: "adminPosting", at: firstMs, memo: TEXT } as const;
    const journalId = await ctx.db.insert("journals", journal);
    for (let row = 0; row < ROWS_AT_ONCE; row += 1) {
      await ctx.db.insert("transactions", {
        userId: ada.userId,
        accountId,
        accountType,
        type: "credit",
        // The last of each thousand is found below.
        amountCents: row === ROWS_AT_ONCE - 1 ? 2n : 1n,
        description: TEXT,
        searchText: `${TEXT} `,
        category: "Other",
        date: firstMs + row * apartMs,
        status: "Completed",
        createdAt: firstMs,
        isVisible: true,
        journalId,
      });
    }
  });
}

test("a page of the history from both is shown, without running balances", async () => {
  const { page } = await ada.as.query(api.transactions.history, {
    accountType: "Checking",
    minCents: 2n,
    toDate: "2024-07-01",
    paginationOpts: { numItems: 2, cursor: null },
  });
  expect(page.map(({ date }) => new Date(date).getUTCMonth())).toEqual([6, 5]);
  for (const row of page) expect(row).not.toHaveProperty("balanceAfterCents");
});

test("one from months that are short enough alone goes without those beyond what it may read", async () => {
  for (const month of [3, 4]) {
    for (const day of [10, 11]) await addRows(Date.UTC(2024, month, day, 16), "Savings");
  }
  const { page } = await ada.as.query(api.transactions.history, {
    accountType: "Savings",
    minCents: 2n,
    fromDate: "2024-04-01",
    toDate: "2024-05-10",
    paginationOpts: { numItems: 2, cursor: null },
  });
  expect(page.map(({ date }) => new Date(date).getUTCMonth())).toEqual([4, 3]);
  expect(page.map((row) => "balanceAfterCents" in row)).toEqual([true, false]);
});

test("each has a statement", async () => {
  const june = { accountType: "Checking" as const, period: "2024-06" };
  const { rows } = await ada.as.query(api.statements.get, june);
  expect(rows).toHaveLength(JUNE.length * ROWS_AT_ONCE);
});

test("of eight thousand rows is the longest statement: a balance edit more is too much", async () => {
  for (const day of [16, 17]) await addRows(Date.UTC(2024, 6, day, 16));
  const july = { accountType: "Checking" as const, period: "2024-07" };
  const { rows } = await ada.as.query(api.statements.get, july);
  expect(rows).toHaveLength(8_000);
  await t.run(async (ctx) => {
    const account = await getOwn(ctx, ada.userId, "Checking");
    const balances = { balanceCents: 1n, availableCents: 1n };
    await openingBalance(ctx, account, balances, Date.UTC(2024, 6, 18));
  });
  expect(await refusalOf(ada.as.query(api.statements.get, july))).toBe("STATEMENT_TOO_LONG");
});

test("eight thousand rows of one moment are read to the end, and none of them twice", async () => {
  for (let thousand = 0; thousand < 8; thousand += 1) await addRows(JUNE[0]!, "Savings", 0);
  const found: string[] = [];
  for (let cursor: string | null = null, isDone = false; !isDone;) {
    const page: FunctionReturnType<typeof api.transactions.history> = await ada.as.query(
      api.transactions.history,
      {
        accountType: "Savings",
        minCents: 2n,
        fromDate: "2024-06-01",
        paginationOpts: { numItems: 5, cursor },
      },
    );
    found.push(...page.page.map(({ _id }) => _id));
    ({ continueCursor: cursor, isDone } = page);
  }
  expect(new Set(found).size).toBe(8);
  expect(found).toHaveLength(8);
  // All of them are more than one call may read.
  const none = await ada.as.query(api.transactions.history, {
    accountType: "Savings",
    minCents: 3n,
    paginationOpts: { numItems: 1, cursor: null },
  });
  expect(none).toMatchObject({ page: [], isDone: false });
}, 60_000);
