/**
 * Administrators delete rows: one, or a whole batch.
 *
 * The ledger reverses exactly; the bill or deposit behind a row ends with it. Not here: deleting
 * all of a person's rows (model/removalJob).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { pluralWas } from "../shared/counts";
import { appError } from "../shared/errors";
import type { Caller } from "./access";
import { getTransaction } from "./adminPostings";
import { cancelForDeletedRow } from "./billPayments";
import { failForDeletedRow } from "./depositReview";
import { removeRows, tryRemoveRows } from "./ledger";
import { ownersOf, type Remover } from "./ledgerRemoval";
import { movedCents, requireSecondAdmin } from "./secondAdmin";
import * as securityEvents from "./securityEvents";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { batchRowsOf, getBatch } from "./transactionBatches";
import { getUser } from "./users";

/**
 * Spec section 6 "Delete one transaction with reversal". Exactly once: a deleted row is no longer
 * found.
 * @throws AppError TRANSACTION_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, SECOND_ADMIN_REQUIRED, those of `removeRows`
 */
export async function removeOne(ctx: StaffCtx, transactionId: string): Promise<null> {
  const nowMs = Date.now();
  const row = await getTransaction(ctx, transactionId);
  await refuseOwnMoney(ctx, row);
  await requireSecondAdmin(ctx, movedCents([row]));
  const hidden = await removeRows(ctx, [row], removerOf(ctx), nowMs);
  await endWhatWaited(ctx, hidden, ctx.user.email, nowMs);
  const member = await getUser(ctx, row.userId);
  await recordAct(ctx, member, {
    action: "transactions.remove",
    accountId: row.accountId,
    before: {
      transactionId: row._id,
      type: row.type,
      amountCents: row.amountCents,
      description: row.description,
      status: row.status,
      date: row.date,
    },
    after: {
      rowsHidden: hidden.length,
      isReversed: row.journalId !== undefined,
      ...(await otherSideOf(ctx, row, hidden)),
    },
  });
  await tellAffected(ctx, hidden);
  return null;
}

/** The person on the other side of a deleted transfer, whose money moved as well; nothing where there is none. */
async function otherSideOf(
  ctx: QueryCtx,
  row: Doc<"transactions">,
  hidden: readonly Doc<"transactions">[],
): Promise<{ otherPerson?: string }> {
  const other = hidden.find(({ userId }) => userId !== row.userId);
  return other === undefined ? {} : { otherPerson: (await getUser(ctx, other.userId)).email };
}

/**
 * An administrator's own money is also on the far side of their transfers: deleting the other row would
 * reverse both sides.
 * @throws AppError OWN_ACCOUNT_FORBIDDEN
 */
export async function refuseOwnMoney(
  ctx: QueryCtx & Caller,
  row: Doc<"transactions">,
): Promise<void> {
  if ((await ownersOf(ctx, row)).includes(ctx.user._id)) throw appError("OWN_ACCOUNT_FORBIDDEN");
}

/**
 * Deletes a batch: all of its remaining rows or none.
 * @throws AppError NOT_FOUND (not there, or already deleted), OWN_ACCOUNT_FORBIDDEN,
 *   SECOND_ADMIN_REQUIRED, those of `removeRows`
 */
export async function removeWholeBatch(ctx: StaffCtx, batchId: string): Promise<{ count: number }> {
  const nowMs = Date.now();
  const batch = await getBatch(ctx, batchId);
  refuseOneself(ctx, batch.userId);
  const rows = await batchRowsOf(ctx, batch._id);
  await requireSecondAdmin(ctx, movedCents(rows));
  const hidden = await removeRows(ctx, rows, removerOf(ctx), nowMs);
  await ctx.db.patch("transactionBatches", batch._id, { removedAt: nowMs });
  const member = await getUser(ctx, batch.userId);
  await recordAct(ctx, member, {
    action: "transactions.removeBatch",
    before: { batchId: batch._id, count: batch.count },
    after: { count: hidden.length },
  });
  await tellAffected(ctx, hidden);
  return { count: hidden.length };
}

/**
 * Deletes as many of the rows as the balances allow, all together or otherwise one by one; never those
 * that move the money of `sparedIds`. Returns the rows that were hidden, and how many could not be.
 */
export async function removeWhatIsPossible(
  ctx: MutationCtx,
  rows: readonly Doc<"transactions">[],
  by: Remover,
  sparedIds: readonly Id<"users">[],
  nowMs: number,
): Promise<{ hidden: Doc<"transactions">[]; refusedCount: number }> {
  const others: Doc<"transactions">[] = [];
  for (const row of rows) {
    const owners = await ownersOf(ctx, row);
    if (!sparedIds.some((id) => owners.includes(id))) others.push(row);
  }
  let refusedCount = rows.length - others.length;
  const together = await tryRemoveRows(ctx, others, by, nowMs);
  if (together !== null) {
    await endWhatWaited(ctx, together, by.email, nowMs);
    return { hidden: together, refusedCount };
  }
  const hidden = new Map<string, Doc<"transactions">>();
  for (const row of others) {
    if (hidden.has(row._id)) continue;
    const removed = await tryRemoveRows(ctx, [row], by, nowMs);
    if (removed === null) refusedCount += 1;
    else for (const one of removed) hidden.set(one._id, one);
  }
  await endWhatWaited(ctx, [...hidden.values()], by.email, nowMs);
  return { hidden: [...hidden.values()], refusedCount };
}

/** A deleted row ends the payment or deposit behind it, unless that has already ended. */
async function endWhatWaited(
  ctx: MutationCtx,
  hidden: readonly Doc<"transactions">[],
  by: string,
  nowMs: number,
): Promise<void> {
  for (const row of hidden) {
    if (row.billPaymentId !== undefined) await cancelForDeletedRow(ctx, row.billPaymentId, nowMs);
    if (row.depositId !== undefined) await failForDeletedRow(ctx, row.depositId, by, nowMs);
  }
}

/** Everyone who lost a row sees it on their security page: both sides of a transfer. */
export async function tellAffected(ctx: MutationCtx, hidden: readonly Doc<"transactions">[]) {
  for (const userId of new Set(hidden.map((row) => row.userId))) {
    const count = hidden.filter((row) => row.userId === userId).length;
    const what = pluralWas(count, "transaction");
    await securityEvents.record(ctx, userId, "staffChange", `${what} removed from your accounts.`);
  }
}

function removerOf(ctx: StaffCtx): Remover {
  return { email: ctx.user.email, actorId: ctx.user._id };
}
