/** Damage to the database that the product did not do, and what the ledger check says about each kind. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import type { MutationCtx } from "../../convex/_generated/server";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { bill, interestOf, rowThat, some, writtenLedger } from "./ledgerSupport";
import { expectSoundLedger, freshKey, ledgerProblems } from "./moneySupport";
import { MODULES, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  ({ t, ada, root } = await writtenLedger());
});

const isPosted = (row: Doc<"transactions">) => row.isVisible && row.journalId !== undefined;

const damageAccount =
  (changesOf: (account: Doc<"accounts">) => Partial<Doc<"accounts">>) =>
  async (ctx: MutationCtx): Promise<void> => {
    const account = await some(ctx.db.query("accounts").first());
    await ctx.db.patch("accounts", account._id, changesOf(account));
  };

/** Kinds of damage, and what the check must say about each. */
const DAMAGES: readonly [string, RegExp, (ctx: MutationCtx) => Promise<void>][] = [
  [
    "a balance raised by a cent",
    /balance is not the sum of its postings/,
    damageAccount(({ balanceCents, availableCents }) => ({
      balanceCents: balanceCents + 1n,
      availableCents: availableCents + 1n,
    })),
  ],
  [
    "an available amount that left its balance",
    /available is not balance minus hold/,
    damageAccount(({ availableCents }) => ({ availableCents: availableCents + 1n })),
  ],
  [
    "a balance below zero",
    /is below zero/,
    damageAccount(() => ({ balanceCents: -1n, holdCents: -1n, availableCents: 0n })),
  ],
  [
    "an available amount below zero",
    /is below zero/,
    damageAccount(() => ({ balanceCents: 0n, holdCents: 1n, availableCents: -1n })),
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
      const { _id } = await rowThat(ctx, (row) => !row.isVisible);
      await ctx.db.patch("transactions", _id, { isVisible: true });
    },
  ],
  [
    "a row whose amount is not its posting's",
    /its journal says something else/,
    async (ctx) => {
      const { _id, amountCents } = await rowThat(ctx, isPosted);
      await ctx.db.patch("transactions", _id, { amountCents: amountCents + 1n });
    },
  ],
  [
    "a row that is hidden although nobody deleted it",
    /hidden without deletion/,
    async (ctx) => {
      const { _id } = await rowThat(ctx, (row) => row.status === "Pending");
      await ctx.db.patch("transactions", _id, { isVisible: false });
    },
  ],
  [
    "a row that is shown although it was deleted",
    /hidden without deletion/,
    async (ctx) => {
      const { _id } = await rowThat(ctx, (row) => row.status === "Pending");
      await ctx.db.patch("transactions", _id, { deletedAt: Date.now() });
    },
  ],
  [
    "a row that moved money and does not say so",
    /posted but not Completed/,
    async (ctx) => {
      const { _id } = await rowThat(ctx, isPosted);
      await ctx.db.patch("transactions", _id, { status: "Failed" });
    },
  ],
  [
    "a row on another account than its posting",
    /its journal says something else/,
    async (ctx) => {
      const { _id, accountId } = await rowThat(ctx, isPosted);
      const accounts = await ctx.db.query("accounts").take(9);
      const other = accounts.find((account) => account._id !== accountId);
      await ctx.db.patch("transactions", _id, { accountId: other?._id });
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
    "a count far below the one it began with",
    /a transfer was not counted/,
    async (ctx) => {
      const transfer = await some(ctx.db.query("transfers").first());
      await ctx.db.patch("users", transfer.userId, { transferCountBase: 9 });
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

test.each(DAMAGES)("the ledger check finds %s", async (_what, sentence, damage) => {
  await t.run(damage);
  const problems = await ledgerProblems(t);
  expect(problems.join("\n")).toMatch(sentence);
});

test("what comes after a month with very many entries is checked, too", async () => {
  const income = interestOf(Date.now() - 1);
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: Array.from({ length: 301 }, () => income),
    updateBalance: true,
    requestKey: freshKey(),
  });
  await expectSoundLedger(t);
  await t.run(async (ctx) => {
    const month = await some(ctx.db.query("accountMonths").order("desc").first());
    await ctx.db.patch("accountMonths", month._id, { netCents: month.netCents + 1n });
  });
  expect((await ledgerProblems(t)).join("\n")).toMatch(/net is not the sum of its postings/);
});

test("the ledger check finds a pending total off by one behind a person with very many other rows", async () => {
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
