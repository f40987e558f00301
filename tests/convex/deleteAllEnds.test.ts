/** Deleting all of a person's rows always ends, whatever happens to its batches. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { monthOf } from "../../convex/shared/dates";
import { BALANCE_MAX_CENTS } from "../../convex/shared/ledger";
import { MS } from "../../convex/shared/limits";
import {
  balancesOf,
  expectSoundLedger,
  freshKey,
  internal as within,
  submit,
  toUser,
  waitingBill,
} from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

const ROWS_AT_ONCE = 100;
const FAILED = "Error deleting transactions";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  root = await admin(t);
});
afterEach(() => {
  vi.useRealTimers();
});

type Row = {
  readonly type: "credit" | "debit";
  readonly amountCents: bigint;
  readonly date: number;
};

/** Adds Completed rows, 100 at a time at most. */
async function addRows(rows: readonly Row[]) {
  const fields = {
    accountType: "Checking",
    description: "Salary",
    category: "Income",
    status: "Completed",
  } as const;
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: rows.map((row) => ({ ...fields, ...row })),
    updateBalance: true,
    requestKey: freshKey(),
  });
}

/** Adds credits of one dollar on the dates. */
const addCredits = (dates: readonly number[]) =>
  addRows(dates.map((date) => ({ type: "credit", amountCents: 100n, date })));

/** What the audit log says about ends of deletions, newest first. */
async function auditedEnds() {
  const args = { personId: ada.userId, paginationOpts: { numItems: 20, cursor: null } };
  const { page } = await root.as.query(api.admin.audit.page, args);
  return page
    .filter(({ action }) => action === "transactions.removeAllEnded")
    .map(({ actorEmail, targetLabel, after }) => [actorEmail, targetLabel, after]);
}

/** Deletes all of Ada's rows; `meanwhile` runs once the deletion has started. */
async function removeAll(meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  vi.useFakeTimers();
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, {
    email: ada.email,
  });
  await meanwhile();
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  vi.useRealTimers();
  return await root.as.query(api.admin.transactions.removalJob, { jobId });
}

test("rows whose removal would exceed the upper bound stay, the rest is deleted", async () => {
  await addCredits([Date.now() - 1_000]);
  await person(t, "ben@bank.example");
  await submit(ada, toUser("ben@bank.example"));
  await t.run(async (ctx) => {
    const accounts = ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", ada.userId).eq("type", "Checking"));
    const full = { balanceCents: BALANCE_MAX_CENTS, availableCents: BALANCE_MAX_CENTS };
    await ctx.db.patch("accounts", (await accounts.unique())!._id, full);
  });
  expect(await removeAll()).toEqual({ deletedCount: 1, isDone: true, failed: FAILED });
});

test("both rows of a transfer between own accounts go at once, also where another row stays", async () => {
  ada = await person(t, "eve@bank.example", { checkingCents: 10_000n, savingsCents: 5_000n });
  const ben = await person(t, "ben@bank.example");
  await submit(ada, within());
  await submit(ada, toUser(ben.email));
  // Ben has spent some of it, so it cannot be taken back.
  await submit(ben, within({ amountCents: 1n }));
  expect(await removeAll()).toEqual({ deletedCount: 2, isDone: true, failed: FAILED });
  expect(await balancesOf(t, ada)).toEqual([9_000n, 5_000n]);
  await expectSoundLedger(t);
});

test("a bill that was waiting is cancelled, also where another row stays", async () => {
  const ben = await person(t, "ben@bank.example");
  await submit(ada, toUser(ben.email));
  // Ben has spent some of it, so it cannot be taken back.
  await submit(ben, within({ amountCents: 1n }));
  await ada.as.mutation(api.billPayments.schedule, waitingBill());
  expect(await removeAll()).toEqual({ deletedCount: 1, isDone: true, failed: FAILED });
  expect(await ada.as.query(api.billPayments.upcoming, {})).toEqual([]);
});

test("a transfer between own accounts is taken back once, though both of its rows are deleted", async () => {
  ada = await person(t, "eve@bank.example", { checkingCents: 10_000n, savingsCents: 5_000n });
  await submit(ada, within());
  expect(await removeAll()).toEqual({ deletedCount: 2, isDone: true });
  expect(await balancesOf(t, ada)).toEqual([10_000n, 5_000n]);
  await expectSoundLedger(t);
});

test("a failing batch ends the deletion and keeps its progress; another one can be started", async () => {
  const nowMs = Date.now();
  const earlierMs = nowMs - 40 * MS.DAY_MS;
  const dates = Array.from({ length: ROWS_AT_ONCE }, (_, index) => nowMs - MS.DAY_MS - index);
  await addCredits([...dates, earlierMs]);
  // Two documents for one month, which makes the batch fail.
  const secondId = await t.run(async (ctx) => {
    const months = ctx.db.query("accountMonths").withIndex("by_accountId_and_month");
    const found = (await months.take(10)).find(({ month }) => month === monthOf(earlierMs));
    const { _id, _creationTime, ...fields } = found!;
    return await ctx.db.insert("accountMonths", fields);
  });
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await removeAll()).toEqual({ deletedCount: ROWS_AT_ONCE, isDone: true, failed: FAILED });
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  await t.run((ctx) => ctx.db.delete("accountMonths", secondId));
  expect(await removeAll()).toEqual({ deletedCount: 1, isDone: true });
  await expectSoundLedger(t);
  expect(await auditedEnds()).toEqual([
    [root.email, ada.email, '{"deletedCount":1,"isComplete":true}'],
    [root.email, ada.email, '{"deletedCount":100,"isComplete":false}'],
  ]);
});

test("many rows of one date are deleted, and as many that were added later stay", async () => {
  const dates = Array.from({ length: ROWS_AT_ONCE + 10 }, () => Date.now() - MS.DAY_MS);
  await addCredits(dates);
  const deletedCount = dates.length;
  expect(await removeAll(() => addCredits(dates))).toEqual({ deletedCount, isDone: true });
  expect(await balancesOf(t, ada)).toEqual([10_000n + BigInt(dates.length) * 100n, 0n]);
  await expectSoundLedger(t);
});

test("it stops when the administrator who started it is disabled", async () => {
  await addCredits(Array.from({ length: 3 * ROWS_AT_ONCE }, () => Date.now() - 1_000));
  const other = await admin(t, "other@bank.example");
  const disabling = { userId: root.userId, isDisabled: true, reason: "Stolen" };
  vi.useFakeTimers();
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, {
    email: ada.email,
  });
  await t.mutation(internal.admin.transactions.removeNext, { jobId });
  await other.as.mutation(api.admin.users.setDisabled, disabling);
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  vi.useRealTimers();
  expect(await other.as.query(api.admin.transactions.removalJob, { jobId })).toEqual({
    deletedCount: ROWS_AT_ONCE,
    isDone: true,
    failed: FAILED,
  });
  await expectSoundLedger(t);
  root = other;
  const [[, , after] = []] = await auditedEnds();
  expect(after).toBe('{"deletedCount":100,"isComplete":false}');
});

test("what the first batch of a pass did counts where the rest of it finds only rows added later", async () => {
  const ben = await person(t, "ben@bank.example");
  await submit(ada, toUser(ben.email));
  // Ben has spent some of it, so it cannot be taken back.
  await submit(ben, within({ amountCents: 1n }));
  const nowMs = Date.now();
  // The credit can be taken back only once the debit is gone, and so in a second pass.
  await addRows([
    { type: "credit", amountCents: 20_000n, date: nowMs - 1_000 },
    { type: "debit", amountCents: 28_950n, date: nowMs - 2_000 },
  ]);
  const dates = Array.from({ length: ROWS_AT_ONCE }, () => nowMs - MS.DAY_MS);
  const removed = await removeAll(() => addCredits(dates));
  expect(removed).toEqual({ deletedCount: 2, isDone: true, failed: FAILED });
});

test("a person of whom nothing was deleted is told nothing", async () => {
  expect(await removeAll()).toEqual({ deletedCount: 0, isDone: true });
  expect(await ada.as.query(api.profile.securityEvents, {})).toEqual([]);
});
