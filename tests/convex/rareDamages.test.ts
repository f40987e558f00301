/** Damage that only one half of a condition of the ledger check notices, or one of its rarer findings. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import type { MutationCtx } from "../../convex/_generated/server";
import { interestOf, rowThat, some, writtenLedger } from "./ledgerSupport";
import { freshKey, ledgerProblems } from "./moneySupport";
import type { Backend, Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  ({ t, ada, root } = await writtenLedger());
});

const isPending = (row: Doc<"transactions">) => row.status === "Pending";

const damageRow =
  (isMeant: (row: Doc<"transactions">) => boolean, changes: Partial<Doc<"transactions">>) =>
  async (ctx: MutationCtx): Promise<void> => {
    const { _id } = await rowThat(ctx, isMeant);
    await ctx.db.patch("transactions", _id, changes);
  };

/** Two accounts: one person's, or of different people. */
async function twoAccounts(ctx: MutationCtx, isOnePersons: boolean) {
  const accounts = await ctx.db.query("accounts").take(9);
  const [one] = accounts;
  const other = accounts.find(
    ({ _id, userId }) => _id !== one?._id && (userId === one?.userId) === isOnePersons,
  );
  if (one === undefined || other === undefined) throw new Error("Nothing to damage");
  return [one, other] as const;
}

const DAMAGES: readonly [string, RegExp, (ctx: MutationCtx) => Promise<void>][] = [
  [
    "a posting to two accounts",
    /has no single account/,
    async (ctx) => {
      const posting = await some(
        ctx.db
          .query("postings")
          .filter((q) => q.neq(q.field("accountId"), undefined))
          .first(),
      );
      await ctx.db.patch("postings", posting._id, { internalAccount: "bankClearing" });
    },
  ],
  [
    "a posting to none",
    /has no single account/,
    async (ctx) => {
      const posting = await some(ctx.db.query("postings").order("desc").first());
      await ctx.db.patch("postings", posting._id, {
        accountId: undefined,
        internalAccount: undefined,
      });
    },
  ],
  [
    "a reversal of another amount",
    /does not mirror/,
    async (ctx) => {
      const journals = await ctx.db.query("journals").take(20);
      const reversal = journals.find(({ reverses }) => reverses !== undefined);
      const postings = await ctx.db.query("postings").take(50);
      for (const { _id, journalId, amountCents } of postings) {
        if (journalId !== reversal?._id) continue;
        await ctx.db.patch("postings", _id, { amountCents: amountCents * 2n });
      }
    },
  ],
  [
    "a person's second account of one type",
    /two of one type/,
    async (ctx) => {
      const [{ type }, { _id }] = await twoAccounts(ctx, true);
      await ctx.db.patch("accounts", _id, { type });
    },
  ],
  [
    "another's account number",
    /its number is not its own/,
    async (ctx) => {
      const [{ accountNumber }, { _id }] = await twoAccounts(ctx, false);
      await ctx.db.patch("accounts", _id, { accountNumber });
    },
  ],
  [
    "a row without an amount",
    /amount is not above zero/,
    damageRow(isPending, { amountCents: 0n }),
  ],
  [
    "a row that was reversed and moved nothing",
    /reversed without a journal/,
    async (ctx) => {
      const { _id: reversalId } = await some(ctx.db.query("journals").first());
      await damageRow(isPending, { reversalId })(ctx);
    },
  ],
  [
    "a row of another moment than its posting",
    /its journal says something else/,
    async (ctx) => {
      const { _id, date } = await rowThat(ctx, ({ journalId }) => journalId !== undefined);
      await ctx.db.patch("transactions", _id, { date: date + 1 });
    },
  ],
  [
    "a deleted row whose money did not come back",
    /visible and reversed/,
    damageRow(({ isVisible }) => !isVisible, { reversalId: undefined }),
  ],
  [
    "two of one month",
    /postings \w+: could not be checked, .*more than one result/,
    async (ctx) => {
      const { _id, _creationTime, ...month } = await some(ctx.db.query("accountMonths").first());
      await ctx.db.insert("accountMonths", { ...month, netCents: 0n, totals: [] });
    },
  ],
  [
    "two of one person's pending totals",
    /users \w+: could not be checked, .*more than one result/,
    async (ctx) => {
      const { _id, _creationTime, ...totals } = await some(ctx.db.query("pendingTotals").first());
      await ctx.db.insert("pendingTotals", totals);
    },
  ],
  [
    "a posting of no moment",
    /postings \w+: could not be checked, /,
    async (ctx) => {
      const { _id } = await some(ctx.db.query("postings").first());
      await ctx.db.patch("postings", _id, { effectiveAt: Number.NaN });
    },
  ],
  [
    "a pending total off by a cent",
    /pending totals differ/,
    async (ctx) => {
      const { _id, totalCents } = await some(ctx.db.query("pendingTotals").first());
      await ctx.db.patch("pendingTotals", _id, { totalCents: totalCents + 1n });
    },
  ],
];

test.each(DAMAGES)("the ledger check finds %s", async (_what, sentence, damage) => {
  await t.run(damage);
  expect((await ledgerProblems(t)).join("\n")).toMatch(sentence);
});

test("the ledger check finds that a month is lost in which no money moved", async () => {
  const memo = interestOf(Date.UTC(2001, 1, 3, 12));
  const added = { userId: ada.userId, rows: [memo], updateBalance: false, requestKey: freshKey() };
  await root.as.mutation(api.admin.transactions.addMany, added);
  expect(await ledgerProblems(t)).toEqual([]);
  await t.run(async (ctx) => {
    const months = await ctx.db.query("accountMonths").take(20);
    const lost = await some(
      Promise.resolve(months.find(({ month }) => month === "2001-02") ?? null),
    );
    await ctx.db.delete("accountMonths", lost._id);
  });
  expect(await ledgerProblems(t)).toEqual([
    expect.stringMatching(/^transaction \w+: is in no account month$/),
  ]);
});
