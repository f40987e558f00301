import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import type { MutationCtx } from "../../convex/_generated/server";
import { startCheck } from "../../convex/model/ledgerCheckRun";
import schema from "../../convex/schema";
import { addDays, dateOf } from "../../convex/shared/dates";
import { embeddedTest } from "../../embedded/testing";
import {
  expectSoundLedger,
  freshKey,
  ledgerProblems,
  internal,
  submit,
  toUser,
} from "./moneySupport";
import { MODULES, admin, newBackend, person, type Backend, type Person } from "./support";

const bill = () => ({
  fromAccount: "Checking" as const,
  provider: "water" as const,
  accountNumber: "1",
  amountCents: 5n,
  scheduleDate: addDays(dateOf(Date.now()), 2),
  requestKey: freshKey(),
});

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  await person(t, "ben@bank.example");
  root = await admin(t);
  await submit(ada, internal());
  await submit(ada, toUser("ben@bank.example"));
  await ada.as.mutation(api.billPayments.schedule, bill());
  const rows = await ada.as.query(api.transactions.recent, {});
  const moved = rows.find(({ status }) => status === "Completed");
  await root.as.mutation(api.admin.transactions.remove, { transactionId: moved?._id ?? "" });
});
afterEach(() => {
  vi.useRealTimers();
});

async function some<T>(found: Promise<T | null>): Promise<T> {
  const document = await found;
  if (document === null) throw new Error("Nothing to damage");
  return document;
}

/** Kinds of damage, and what the check must say about each. */
const DAMAGES: readonly [string, RegExp, (ctx: MutationCtx) => Promise<void>][] = [
  [
    "a balance raised by a cent",
    /balance is not the sum of its postings/,
    async (ctx) => {
      const account = await some(ctx.db.query("accounts").first());
      const { balanceCents, availableCents } = account;
      await ctx.db.patch("accounts", account._id, {
        balanceCents: balanceCents + 1n,
        availableCents: availableCents + 1n,
      });
    },
  ],
  [
    "an available amount that left its balance",
    /available is not balance minus hold/,
    async (ctx) => {
      const { _id, availableCents } = await some(ctx.db.query("accounts").first());
      await ctx.db.patch("accounts", _id, { availableCents: availableCents + 1n });
    },
  ],
  [
    "a posting changed by a cent",
    /does not balance/,
    async (ctx) => {
      const posting = await some(ctx.db.query("postings").order("desc").first());
      await ctx.db.patch("postings", posting._id, { amountCents: posting.amountCents + 1n });
    },
  ],
  [
    "a posting lost",
    /does not balance/,
    async (ctx) => {
      const posting = await some(ctx.db.query("postings").first());
      await ctx.db.delete("postings", posting._id);
    },
  ],
  [
    "a journal lost",
    /has no journal/,
    async (ctx) => {
      const journal = await some(ctx.db.query("journals").first());
      await ctx.db.delete("journals", journal._id);
    },
  ],
  [
    "a second reversal",
    /is not reversed exactly once/,
    async (ctx) => {
      const journals = await ctx.db.query("journals").take(20);
      const reversal = journals.find((journal) => journal.reverses !== undefined);
      const postings = await ctx.db.query("postings").take(50);
      if (reversal === undefined) throw new Error("Nothing to damage");
      const { _id, _creationTime, ...fields } = reversal;
      const journalId = await ctx.db.insert("journals", fields);
      for (const posting of postings.filter((one) => one.journalId === _id)) {
        const { _id: _oldId, _creationTime: _oldTime, ...copy } = posting;
        await ctx.db.insert("postings", { ...copy, journalId });
      }
    },
  ],
  [
    "a deleted row shown again",
    /visible and reversed|hidden without deletion/,
    async (ctx) => {
      const rows = await ctx.db.query("transactions").take(50);
      const hidden = rows.find((row) => !row.isVisible);
      if (hidden === undefined) throw new Error("Nothing to damage");
      await ctx.db.patch("transactions", hidden._id, { isVisible: true });
    },
  ],
  [
    "a row whose amount is not its posting's",
    /its journal says something else/,
    async (ctx) => {
      const rows = await ctx.db.query("transactions").take(50);
      const posted = rows.find((row) => row.isVisible && row.journalId !== undefined);
      if (posted === undefined) throw new Error("Nothing to damage");
      await ctx.db.patch("transactions", posted._id, { amountCents: posted.amountCents + 1n });
    },
  ],
  [
    "a month's net off by a cent",
    /net is not the sum of its postings/,
    async (ctx) => {
      const month = await some(ctx.db.query("accountMonths").first());
      await ctx.db.patch("accountMonths", month._id, { netCents: month.netCents + 1n });
    },
  ],
  [
    "a month lost",
    /is in no account month/,
    async (ctx) => {
      const month = await some(ctx.db.query("accountMonths").first());
      await ctx.db.delete("accountMonths", month._id);
    },
  ],
  [
    "a month's totals lost",
    /totals are not those of its rows/,
    async (ctx) => {
      const months = await ctx.db.query("accountMonths").take(20);
      const counted = months.find((month) => month.totals.length > 0);
      if (counted === undefined) throw new Error("Nothing to damage");
      await ctx.db.patch("accountMonths", counted._id, { totals: [] });
    },
  ],
  [
    "a pending total off by one",
    /pending totals differ/,
    async (ctx) => {
      const pending = await some(ctx.db.query("pendingTotals").first());
      await ctx.db.patch("pendingTotals", pending._id, { count: pending.count + 1 });
    },
  ],
  [
    "a transfer that was not counted",
    /a transfer was not counted/,
    async (ctx) => {
      const transfer = await some(ctx.db.query("transfers").first());
      const zero = { transferCount: 0, transfers: 0, transfer_count: 0 };
      await ctx.db.patch("users", transfer.userId, zero);
    },
  ],
  [
    "a count above the transfers since its reset",
    /more transfers counted than there were/,
    async (ctx) => {
      const transfer = await some(ctx.db.query("transfers").first());
      const three = { transferCount: 3, transfers: 3, transfer_count: 3 };
      await ctx.db.patch("users", transfer.userId, three);
    },
  ],
  [
    "two outcomes for one key",
    /two outcomes for one key/,
    async (ctx) => {
      const { _id, _creationTime, ...fields } = await some(ctx.db.query("requests").first());
      await ctx.db.insert("requests", fields);
    },
  ],
];

describe("the ledger check", () => {
  test("finds nothing in a ledger that only the product wrote", async () => {
    await expectSoundLedger(t);
  });

  test.each(DAMAGES)("finds %s", async (_what, sentence, damage) => {
    await t.run(damage);
    const problems = await ledgerProblems(t);
    expect(problems.join("\n")).toMatch(sentence);
  });

  test("accepts an imported count, then checks each later transfer against it", async () => {
    const cleo = await person(t, "cleo@bank.example", { checkingCents: 5_000n, transfers: 1 });
    await expectSoundLedger(t);
    await submit(cleo, internal());
    await expectSoundLedger(t);
    await t.run((ctx) =>
      ctx.db.patch("users", cleo.userId, { transferCount: 3, transfers: 3, transfer_count: 3 }),
    );
    expect((await ledgerProblems(t)).join("\n")).toMatch(/more transfers counted than there were/);
    await root.as.mutation(api.admin.transferCounts.resetOne, { userId: cleo.userId });
    await submit(cleo, internal());
    await expectSoundLedger(t);
  });

  test("a reset while the clock was set back does not count the transfers before it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    await root.as.mutation(api.admin.transferCounts.resetOne, { userId: ada.userId });
    await expectSoundLedger(t);
  });

  test("finds a pending total off by one behind a person with very many other rows", async () => {
    const engine = embeddedTest(schema, MODULES);
    const cleo = await person(engine, "cleo@bank.example", { checkingCents: 5_000n });
    await cleo.as.mutation(api.billPayments.schedule, bill());
    await engine.run(async (ctx) => {
      const row = await some(ctx.db.query("transactions").first());
      const { _id, _creationTime, ...fields } = row;
      for (let n = 0; n < 8_001; n++) {
        await ctx.db.insert("transactions", { ...fields, status: "Failed", date: row.date + n });
      }
    });
    await expectSoundLedger(engine);
    await engine.run(async (ctx) => {
      const pending = await some(ctx.db.query("pendingTotals").first());
      await ctx.db.patch("pendingTotals", pending._id, { count: pending.count + 1 });
    });
    expect((await ledgerProblems(engine)).join("\n")).toMatch(/pending totals differ/);
  });

  test("runs in batches and shows administrators its result", async () => {
    vi.useFakeTimers();
    const health = () => root.as.query(api.admin.health.get, {});
    expect((await health()).ledger).toBeNull();
    await root.as.mutation(api.admin.health.runLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    const { ledger, queues } = await health();
    expect(ledger).toMatchObject({ isOk: true, problems: [] });
    expect(ledger?.journals).toBeGreaterThan(3);
    expect(queues.find(({ name }) => name === "Scheduled payments")?.waiting).toBe(1);
    await t.run(DAMAGES[0]?.[2] ?? (() => Promise.resolve()));
    // The newest result counts, whatever the clock says.
    vi.setSystemTime(Date.now() - 3_600_000);
    await t.mutation(functions.admin.health.startLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect((await health()).ledger).toMatchObject({ isOk: false });
  });

  test.each([
    ["long ago", -3_600_000],
    ["before the clock was set back", 3_600_000],
  ])(
    "does not start while another is running, unless that was abandoned %s",
    async (_, shiftMs) => {
      vi.useFakeTimers();
      const runs = () => t.run(async (ctx) => (await ctx.db.query("ledgerChecks").take(9)).length);
      const checkId = await t.run((ctx) => startCheck(ctx, Date.now()));
      await t.mutation(functions.admin.health.startLedgerCheck, {});
      expect(await runs()).toBe(1);
      const startedAt = Date.now() + shiftMs;
      await t.run((ctx) => ctx.db.patch("ledgerChecks", checkId, { startedAt }));
      await t.mutation(functions.admin.health.startLedgerCheck, {});
      expect(await runs()).toBe(2);
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      expect((await root.as.query(api.admin.health.get, {})).ledger).toMatchObject({ isOk: true });
    },
  );

  test("pauses between batches when nobody waits for it", async () => {
    const durationMs = async (start: () => Promise<null>): Promise<number> => {
      vi.useFakeTimers();
      const startedMs = Date.now();
      await start();
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      return Date.now() - startedMs;
    };
    const asked = await durationMs(() => root.as.mutation(api.admin.health.runLedgerCheck, {}));
    const daily = await durationMs(() => t.mutation(functions.admin.health.startLedgerCheck, {}));
    expect(asked).toBeLessThan(100);
    expect(daily).toBeGreaterThan(500);
  });
});
