/**
 * Deleting rows: whose they are, what a deletion reverses and hides, and writing it. Only
 * model/ledger writes with it.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { reversed } from "../shared/ledger";
import type { LedgerEffects } from "./ledgerEffects";
import { insertJournal, type Account, type JournalDraft, type Leg } from "./ledgerWrites";

/** More legs, and more rows, than any of our journals has. */
const JOURNAL_LEGS_MAX = 10;

/** Who deletes. */
export type Remover = { readonly email: string; readonly actorId?: Id<"users"> | undefined };

/** Rows that disappear together, and the journal that reverses theirs. */
export type Removal = {
  readonly rows: Doc<"transactions">[];
  readonly reversal: (JournalDraft & { reverses: Id<"journals"> }) | null;
};

/** Plans the deletion of a row and tells `effects`; writes nothing. */
export async function planRemoval(
  ctx: QueryCtx,
  row: Doc<"transactions">,
  effects: LedgerEffects,
): Promise<Removal> {
  const { journalId } = row;
  const rows = journalId === undefined ? [row] : await visibleRowsOf(ctx, journalId);
  for (const told of rows) effects.countRow(told, -1);
  if (journalId === undefined) return { rows, reversal: null };
  const reversal = await reversalOf(ctx, journalId);
  effects.addJournal(reversal);
  return { rows, reversal };
}

/** Writes a planned removal; its effects are written by the caller, once for all. */
export async function writeRemoval(
  ctx: MutationCtx,
  { rows, reversal }: Removal,
  by: Remover,
  nowMs: number,
): Promise<void> {
  const reversalId =
    reversal === null
      ? null
      : await insertJournal(ctx, { ...reversal, actorId: by.actorId }, nowMs);
  for (const row of rows) {
    await ctx.db.patch("transactions", row._id, {
      isVisible: false,
      deletedAt: nowMs,
      deletedBy: by.email,
      ...(reversalId === null ? {} : { reversalId }),
    });
  }
}

/** The journal that reverses another, on the date the other counted. */
async function reversalOf(ctx: QueryCtx, journalId: Id<"journals">) {
  const journal = await ctx.db.get("journals", journalId);
  const postings = await ctx.db
    .query("postings")
    .withIndex("by_journalId", (q) => q.eq("journalId", journalId))
    .take(JOURNAL_LEGS_MAX);
  const effectiveAt = postings[0]?.effectiveAt;
  if (journal === null || effectiveAt === undefined) throw new Error("A row without its journal");
  const legs: Leg[] = [];
  for (const { accountId, internalAccount, amountCents } of reversed(postings)) {
    if (internalAccount !== undefined) legs.push({ internalAccount, amountCents });
    else legs.push({ account: await accountOf(ctx, accountId), amountCents, row: "isThere" });
  }
  const kind = "reversal" as const;
  return { kind, memo: journal.memo, reverses: journalId, effectiveAt, legs };
}

async function accountOf(ctx: QueryCtx, accountId: Id<"accounts"> | undefined): Promise<Account> {
  const account = accountId === undefined ? null : await ctx.db.get("accounts", accountId);
  if (account === null) throw new Error("A posting names no account");
  return account;
}

/** Whose money deleting a row moves: its owner's, and that of a transfer's other side. */
export async function ownersOf(
  ctx: QueryCtx,
  row: Doc<"transactions">,
): Promise<readonly Id<"users">[]> {
  if (row.journalId === undefined) return [row.userId];
  return (await visibleRowsOf(ctx, row.journalId)).map((told) => told.userId);
}

async function visibleRowsOf(
  ctx: QueryCtx,
  journalId: Id<"journals">,
): Promise<Doc<"transactions">[]> {
  const rows = await ctx.db
    .query("transactions")
    .withIndex("by_journalId", (q) => q.eq("journalId", journalId))
    .take(JOURNAL_LEGS_MAX);
  return rows.filter((row) => row.isVisible);
}
