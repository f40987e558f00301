/**
 * Posts and reverses money. The only writer of balances, journals, postings and transactions
 * (through model/ledgerWrites, ledgerEffects and ledgerRemoval, through which nothing else writes).
 *
 * A journal and its postings are never changed; a correction is another journal. Rows tell members
 * what happened: a Completed row points to its journal; Pending, Failed and memo rows have none.
 * Not here: who may move money (model/access, model/transferGate) and the rules (shared/rules).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { signedCents, typeOf } from "../shared/ledger";
import { magnitude } from "../shared/money";
import type { InternalAccount, JournalKind } from "../shared/validators";
import { LedgerEffects } from "./ledgerEffects";
import { planRemoval, writeRemoval, type Removal, type Remover } from "./ledgerRemoval";
import { insertJournal, insertRow, type JournalDraft, type UnpostedRow } from "./ledgerWrites";

/**
 * Posts journals as one operation: all or none; balances are judged after the last one.
 *
 * @returns the journals' ids, in order
 * @throws AppError INSUFFICIENT_FUNDS when an account would fall below zero, INVALID_AMOUNT when one would
 *   pass the upper bound
 */
export async function post(
  ctx: MutationCtx,
  drafts: readonly JournalDraft[],
  nowMs: number,
): Promise<Id<"journals">[]> {
  const effects = new LedgerEffects();
  const journalIds: Id<"journals">[] = [];
  for (const draft of drafts) {
    const journalId = await insertJournal(ctx, draft, nowMs);
    effects.addJournal(draft);
    for (const leg of draft.legs) {
      if (!("account" in leg) || leg.row === undefined || leg.row === "isThere") continue;
      await insertRow(ctx, effects, nowMs, {
        account: leg.account,
        type: typeOf(leg.amountCents),
        amountCents: magnitude(leg.amountCents),
        date: draft.effectiveAt,
        status: "Completed",
        journalId,
        ...leg.row,
        transferId: draft.transferId,
      });
    }
    journalIds.push(journalId);
  }
  await effects.write(ctx, "INSUFFICIENT_FUNDS");
  return journalIds;
}

/** Adds rows that move no money: Pending, Failed, and memo rows of administrators. */
export async function addUnpostedRows(
  ctx: MutationCtx,
  rows: readonly UnpostedRow[],
  nowMs: number,
): Promise<Id<"transactions">[]> {
  const effects = new LedgerEffects();
  const ids: Id<"transactions">[] = [];
  for (const row of rows) ids.push(await insertRow(ctx, effects, nowMs, row));
  await effects.write(ctx, "INSUFFICIENT_FUNDS");
  return ids;
}

/**
 * A Pending row becomes Completed: its amount is posted against `internalAccount` and the row moves
 * to the moment of posting.
 * @throws AppError INSUFFICIENT_FUNDS, INVALID_AMOUNT (as `post`)
 */
export async function settle(
  ctx: MutationCtx,
  row: Doc<"transactions">,
  how: { kind: JournalKind; internalAccount: InternalAccount; actorId?: Id<"users"> },
  nowMs: number,
): Promise<void> {
  assertPending(row);
  const effects = new LedgerEffects();
  const amountCents = signedCents(row.type, row.amountCents);
  const account = { _id: row.accountId, userId: row.userId, type: row.accountType };
  const draft: JournalDraft = {
    kind: how.kind,
    memo: row.description,
    actorId: how.actorId,
    effectiveAt: nowMs,
    legs: [
      { account, amountCents, row: "isThere" },
      { internalAccount: how.internalAccount, amountCents: -amountCents },
    ],
  };
  const journalId = await insertJournal(ctx, draft, nowMs);
  effects.addJournal(draft);
  effects.countRow(row, -1);
  effects.countRow({ ...row, status: "Completed", date: nowMs }, 1);
  await ctx.db.patch("transactions", row._id, { status: "Completed", date: nowMs, journalId });
  await effects.write(ctx, "INSUFFICIENT_FUNDS");
}

/** A Pending row becomes Failed; no balance moves. */
export async function fail(ctx: MutationCtx, row: Doc<"transactions">): Promise<void> {
  assertPending(row);
  const effects = new LedgerEffects();
  effects.countRow(row, -1);
  await ctx.db.patch("transactions", row._id, { status: "Failed" });
  await effects.write(ctx, "INSUFFICIENT_FUNDS");
}

/**
 * Deletes rows for their readers: each journal is reversed exactly once, on the date it counted, and every
 * row that showed it is hidden (a transfer between members has one on each side). Rows without a journal
 * only disappear. One operation: balances are judged after the last row.
 *
 * @returns every row that was hidden
 * @throws AppError REVERSAL_OVERDRAWS when an account would fall below zero, INVALID_AMOUNT when one would
 *   pass the upper bound
 */
export async function removeRows(
  ctx: MutationCtx,
  rows: readonly Doc<"transactions">[],
  by: Remover,
  nowMs: number,
): Promise<Doc<"transactions">[]> {
  const effects = new LedgerEffects();
  return await writeRemovals(ctx, await planRemovals(ctx, rows, effects), effects, by, nowMs);
}

/** Like `removeRows`, but returns null, having written nothing, where that one refuses. */
export async function tryRemoveRows(
  ctx: MutationCtx,
  rows: readonly Doc<"transactions">[],
  by: Remover,
  nowMs: number,
): Promise<Doc<"transactions">[] | null> {
  const effects = new LedgerEffects();
  const removals = await planRemovals(ctx, rows, effects);
  if (!(await effects.isPossible(ctx))) return null;
  return await writeRemovals(ctx, removals, effects, by, nowMs);
}

async function planRemovals(
  ctx: MutationCtx,
  rows: readonly Doc<"transactions">[],
  effects: LedgerEffects,
): Promise<Removal[]> {
  const removals: Removal[] = [];
  const planned = new Set<Id<"transactions">>();
  for (const row of rows) {
    if (!row.isVisible || planned.has(row._id)) continue;
    const removal = await planRemoval(ctx, row, effects);
    for (const told of removal.rows) planned.add(told._id);
    removals.push(removal);
  }
  return removals;
}

async function writeRemovals(
  ctx: MutationCtx,
  removals: readonly Removal[],
  effects: LedgerEffects,
  by: Remover,
  nowMs: number,
): Promise<Doc<"transactions">[]> {
  for (const removal of removals) await writeRemoval(ctx, removal, by, nowMs);
  await effects.write(ctx, "REVERSAL_OVERDRAWS");
  return removals.flatMap((removal) => removal.rows);
}

/** What an account is to hold. */
type Balances = Pick<Doc<"accounts">, "balanceCents" | "availableCents">;

/**
 * Balances of a new account. Posts an opening journal for a balance other than zero, and no row.
 * @throws AppError INSUFFICIENT_FUNDS, INVALID_AMOUNT (as `post`)
 */
export async function openingBalance(
  ctx: MutationCtx,
  account: Doc<"accounts">,
  opening: Balances,
  nowMs: number,
  actorId?: Id<"users">,
): Promise<void> {
  const how = { kind: "opening", memo: "Opening balance", actorId } as const;
  await setBalances(ctx, account, opening, { ...how, internalAccount: "openingBalances" }, nowMs);
}

/**
 * An administrator's account edit: posts the difference as an adjustment. The amount held back
 * (balance minus available) is set to what the edit says.
 * @throws AppError INSUFFICIENT_FUNDS, INVALID_AMOUNT (as `post`)
 */
export async function adjust(
  ctx: MutationCtx,
  account: Doc<"accounts">,
  target: Balances,
  nowMs: number,
  actorId: Id<"users">,
): Promise<void> {
  const how = { kind: "adjustment", memo: "Balance adjustment", actorId } as const;
  await setBalances(ctx, account, target, { ...how, internalAccount: "adjustments" }, nowMs);
}

async function setBalances(
  ctx: MutationCtx,
  account: Doc<"accounts">,
  target: Balances,
  how: Pick<JournalDraft, "kind" | "memo" | "actorId"> & { internalAccount: InternalAccount },
  nowMs: number,
): Promise<void> {
  // The hold first: the posting then moves both amounts to their targets.
  const holdCents = target.balanceCents - target.availableCents;
  if (holdCents !== account.holdCents) {
    const availableCents = account.balanceCents - holdCents;
    await ctx.db.patch("accounts", account._id, { holdCents, availableCents });
  }
  const differenceCents = target.balanceCents - account.balanceCents;
  if (differenceCents === 0n) return;
  const { internalAccount, ...about } = how;
  const draft: JournalDraft = {
    ...about,
    effectiveAt: nowMs,
    legs: [
      { account, amountCents: differenceCents },
      { internalAccount, amountCents: -differenceCents },
    ],
  };
  await post(ctx, [draft], nowMs);
}

function assertPending(row: Doc<"transactions">): void {
  if (row.status !== "Pending" || !row.isVisible) throw new Error("Only a Pending row can change");
}
