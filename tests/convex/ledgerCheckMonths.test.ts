/** The ledger check of months, and of Pending rows, that are more than one transaction may read. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { RowArgs } from "../../convex/model/adminPostings";
import { checkPage, CHECK_START, type CheckPosition } from "../../convex/model/ledgerCheckPages";
import { continueCheck, startCheck } from "../../convex/model/ledgerCheckRun";
import schema from "../../convex/schema";
import { MS } from "../../convex/shared/limits";
import { embeddedTest } from "../../embedded/testing";
import { expectSoundLedger, freshKey, ledgerProblems } from "./moneySupport";
import {
  admin,
  MODULES,
  person,
  refusalOf,
  stubEnvironment,
  type Backend,
  type Person,
} from "./support";

/** More than the 8,000 that an earlier version of the check read per month. */
const ROWS = 8_500;
const BATCH_ROWS_MAX = 500;
const MONTH_MS = Date.UTC(2024, 5, 15, 16);

let t: Backend;
let ada: Person;
let root: Person;

const row = (n: number): RowArgs => ({
  accountType: "Checking",
  type: n % 3 === 0 ? "debit" : "credit",
  amountCents: BigInt(n + 1),
  description: `Row ${n}`,
  category: "Other",
  // Many with the same timestamp, so that a page ends between rows of the same date.
  date: MONTH_MS + Math.floor(n / 3_000),
  status: "Completed",
});

async function addRows(count: number, status: RowArgs["status"] = "Completed"): Promise<void> {
  for (let from = 0; from < count; from += BATCH_ROWS_MAX) {
    const length = Math.min(BATCH_ROWS_MAX, count - from);
    await root.as.mutation(api.admin.transactions.addMany, {
      userId: ada.userId,
      rows: Array.from({ length }, (_, n) => ({ ...row(from + n), status })),
      updateBalance: true,
      requestKey: freshKey(),
    });
  }
}

/** An administrator's edit, at the start of the month. */
async function editBalance(): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: MONTH_MS - 1 });
  const [checking] = await ada.as.query(api.accounts.listMine, {});
  if (checking === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber, balanceCents, availableCents } = checking;
  const from = { accountNumber, routingNumber, balanceCents, availableCents };
  const to = { ...from, balanceCents: balanceCents + 1n, availableCents: availableCents + 1n };
  await root.as.mutation(api.admin.accounts.update, { accountId, ...to, expected: from });
  vi.useRealTimers();
}

/** Runs pages of the check until one has read part of a month and `isEnough` accepts it. */
async function checkUntilPart(isEnough: (part: CheckPosition) => boolean): Promise<CheckPosition> {
  let position: CheckPosition | null = CHECK_START;
  while (position !== null && !(position.part !== undefined && isEnough(position))) {
    const from: CheckPosition = position;
    position = (await t.run((ctx) => checkPage(ctx, from))).next;
  }
  if (position === null) throw new Error("No month was read in parts");
  return position;
}

async function problemsFrom(start: CheckPosition): Promise<string[]> {
  const problems: string[] = [];
  let position: CheckPosition | null = start;
  while (position !== null) {
    const from: CheckPosition = position;
    const page: Awaited<ReturnType<typeof checkPage>> = await t.run((ctx) => checkPage(ctx, from));
    problems.push(...page.problems);
    position = page.next;
  }
  return problems;
}

/** Changes the month's net directly in the database, as a fault would. */
async function changeNet(byCents: bigint): Promise<void> {
  await t.run(async (ctx) => {
    const months = await ctx.db.query("accountMonths").take(10);
    const month = months.find((one) => one.month === "2024-06");
    if (month === undefined) throw new Error("No such month");
    await ctx.db.patch("accountMonths", month._id, { netCents: month.netCents + byCents });
  });
}

const netOfJune = async (): Promise<bigint> => {
  const months = await t.run((ctx) => ctx.db.query("accountMonths").take(10));
  return months.find((one) => one.month === "2024-06")?.netCents ?? 0n;
};

/** Deletes the newest row from the database; returns a function that puts it back. */
async function deleteNewestRow(): Promise<() => Promise<unknown>> {
  const lost = await t.run(async (ctx) => {
    const newest = await ctx.db.query("transactions").order("desc").first();
    if (newest === null) throw new Error("No row");
    const { _id, _creationTime, ...fields } = newest;
    await ctx.db.delete("transactions", _id);
    return fields;
  });
  return () => t.run((ctx) => ctx.db.insert("transactions", lost));
}

beforeAll(async () => {
  stubEnvironment();
  t = embeddedTest(schema, MODULES);
  ada = await person(t, "ada@bank.example", { checkingCents: 100_000_000n });
  root = await admin(t);
  await addRows(ROWS);
}, 120_000);

describe("a month with 8,500 entries", () => {
  test("is sound when only the product wrote it", async () => {
    await expectSoundLedger(t);
  });

  test("is not sound when its net is off by a cent", async () => {
    await changeNet(1n);
    expect(await ledgerProblems(t)).toEqual([
      expect.stringMatching(/balance is not the sum of its postings/),
      expect.stringMatching(/2024-06: net is not the sum of its postings/),
    ]);
    await changeNet(-1n);
  });

  test("is not sound when a row beyond the first 8,000 is lost", async () => {
    const putBack = await deleteNewestRow();
    expect(await ledgerProblems(t)).toEqual([
      expect.stringMatching(/2024-06: totals are not those of its rows/),
    ]);
    await putBack();
  });

  /** What can change of a month: its net alone, its rows alone, or both. */
  test.each([
    ["an amount without a row", 1, editBalance],
    ["a row that moves nothing", 2, () => addRows(1, "Pending")],
    ["a row with its amount", 1, () => addRows(1)],
  ])(
    "is read again when it got %s meanwhile, and is then found sound",
    async (_what, source, change) => {
      const halfRead = await checkUntilPart(
        ({ part }) => part?.source === source && part.cursor !== null,
      );
      // At the start of the month: in the part that was already read.
      await change();
      expect(await problemsFrom(halfRead)).toEqual([]);
    },
  );

  test("is reported as not checked when it changes during every reading", async () => {
    let position = await checkUntilPart(() => true);
    const problems: string[] = [];
    let readings = 0;
    while (position.part !== undefined) {
      readings += 1;
      const from = position;
      await addRows(1);
      const page = await t.run((ctx) => checkPage(ctx, from));
      problems.push(...page.problems);
      if (page.next === null) break;
      position = page.next;
    }
    expect(problems).toEqual([
      expect.stringMatching(`2024-06: not checked, it changed during ${readings} readings`),
    ]);
  });

  test("is checked by a stored run, which keeps its position between batches", async () => {
    const checkId = await t.run((ctx) => startCheck(ctx, MONTH_MS));
    while (await t.run((ctx) => continueCheck(ctx, checkId, MONTH_MS)));
    const run = await t.run((ctx) => ctx.db.get("ledgerChecks", checkId));
    expect(run).toMatchObject({ isOk: true, problems: [] });
    expect(run?.postings).toBeGreaterThan(2 * ROWS);
  });

  test("has no statement, rather than an incomplete one", async () => {
    const june = { accountType: "Checking" as const, period: "2024-06" };
    expect(await refusalOf(ada.as.query(api.statements.get, june))).toBe("STATEMENT_TOO_LONG");
    const july = await ada.as.query(api.statements.get, { ...june, period: "2024-07" });
    expect(july.openingCents).toBe(await netOfJune());
  });

  test("is listed without running balances, rather than with wrong ones", async () => {
    const { page } = await ada.as.query(api.transactions.history, {
      accountType: "Checking",
      paginationOpts: { numItems: 3, cursor: null },
    });
    expect(page).toHaveLength(3);
    expect(page.every((row) => row.balanceAfterCents === undefined)).toBe(true);
  });
});

test("Pending rows that are more than one transaction may read do not end the check", async () => {
  const engine = embeddedTest(schema, MODULES);
  const [boss, cleo] = [await admin(engine), await person(engine, "cleo@bank.example")];
  const pendingRow = (n: number): RowArgs => ({
    ...row(n),
    description: "汉".repeat(200),
    date: MONTH_MS + n * MS.HOUR_MS,
    status: "Pending",
  });
  for (let from = 0; from < 12_000; from += BATCH_ROWS_MAX) {
    await boss.as.mutation(api.admin.transactions.addMany, {
      userId: cleo.userId,
      rows: Array.from({ length: BATCH_ROWS_MAX }, (_, n) => pendingRow(from + n)),
      updateBalance: false,
      requestKey: freshKey(),
    });
  }
  await expectSoundLedger(engine);
  const { _id, count, totalCents } = await engine.run((ctx) =>
    ctx.db
      .query("pendingTotals")
      .unique()
      .then((pending) => pending!),
  );
  for (const damaged of [
    { count: 1, totalCents },
    { count, totalCents: 1n },
  ]) {
    await engine.run((ctx) => ctx.db.patch("pendingTotals", _id, damaged));
    expect((await ledgerProblems(engine)).join("\n")).toMatch(/pending totals differ/);
  }
}, 60_000);
