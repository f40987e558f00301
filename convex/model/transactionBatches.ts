/**
 * Reads batches of rows that administrators added: which exist, and what is left of one.
 *
 * Not here: adding them (model/adminPostings), deleting them (model/removals).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { ROWS_PER_BATCH_MAX } from "../shared/limits";
import { findById } from "./byId";
import { waitingAbout } from "./secondAdmin";
import { getUser } from "./users";

const BATCHES_SHOWN_MAX = 50;

/**
 * The newest batches of a person.
 * @throws AppError USER_NOT_FOUND
 */
export async function batchesOf(ctx: QueryCtx, userIdText: string) {
  const { _id: userId } = await getUser(ctx, userIdText);
  const batches = await ctx.db
    .query("transactionBatches")
    // By creation, not by `createdAt`: a clock may be set back.
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .order("desc")
    .take(BATCHES_SHOWN_MAX);
  return await Promise.all(
    batches.map(async (batch) => ({
      batchId: batch._id,
      count: batch.count,
      createdAt: batch.createdAt,
      createdBy: batch.createdBy,
      updateBalance: batch.updateBalance,
      isRemoved: !(await isThere(ctx, batch)),
    })),
  );
}

/**
 * When a file with this hash was added for the person and not deleted, or requested and still awaiting a second
 * administrator; otherwise null.
 * @throws AppError USER_NOT_FOUND
 */
export async function findDuplicateFile(
  ctx: QueryCtx,
  userIdText: string,
  fileHash: string,
): Promise<{ isWaiting: boolean; at: number; count: number } | null> {
  const { _id: userId } = await getUser(ctx, userIdText);
  const added = await findAddedFile(ctx, userId, fileHash);
  if (added !== null) return { isWaiting: false, ...added };
  for (const { change, requestedAt } of await waitingAbout(ctx, userId)) {
    if (change.kind !== "transactions.add" || change.args.fileHash !== fileHash) continue;
    return { isWaiting: true, at: requestedAt, count: change.args.rows.length };
  }
  return null;
}

/** When a file with this hash was added for the person and not deleted, or null. */
export async function findAddedFile(
  ctx: QueryCtx,
  userId: Id<"users">,
  fileHash: string,
): Promise<{ at: number; count: number } | null> {
  const batches = await ctx.db
    .query("transactionBatches")
    .withIndex("by_userId_and_fileHash", (q) => q.eq("userId", userId).eq("fileHash", fileHash))
    .order("desc")
    .take(BATCHES_SHOWN_MAX);
  for (const batch of batches) {
    if (await isThere(ctx, batch)) return { at: batch.createdAt, count: batch.count };
  }
  return null;
}

/** Whether anything of a batch is left: it may have been deleted whole, or row by row. */
export async function isThere(ctx: QueryCtx, batch: Doc<"transactionBatches">): Promise<boolean> {
  if (batch.removedAt !== undefined) return false;
  const row = await ctx.db
    .query("transactions")
    .withIndex("by_batchId_and_isVisible", (q) => q.eq("batchId", batch._id).eq("isVisible", true))
    .first();
  return row !== null;
}

/**
 * A batch that was not deleted, by an unchecked id.
 * @throws AppError NOT_FOUND
 */
export async function getBatch(ctx: QueryCtx, batchId: string): Promise<Doc<"transactionBatches">> {
  const batch = await findById(ctx, "transactionBatches", batchId);
  if (batch === null || batch.removedAt !== undefined) throw appError("NOT_FOUND");
  return batch;
}

/** The rows of a batch that were not deleted. */
export async function batchRowsOf(
  ctx: QueryCtx,
  batchId: Id<"transactionBatches">,
): Promise<Doc<"transactions">[]> {
  return await ctx.db
    .query("transactions")
    .withIndex("by_batchId_and_isVisible", (q) => q.eq("batchId", batchId).eq("isVisible", true))
    .take(ROWS_PER_BATCH_MAX);
}
