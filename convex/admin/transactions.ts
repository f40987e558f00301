/** A person's transactions, for administrators: list, add, delete. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "../_generated/api";
import { adminMutation, adminQuery, internalMutation } from "../functions";
import * as adminPostings from "../model/adminPostings";
import { failRemoval, removalStatus, runRemovalBatch, startRemoval } from "../model/removalJob";
import { removeOne, removeWholeBatch } from "../model/removals";
import * as transactionBatches from "../model/transactionBatches";
import { vAdminTxRow } from "../shared/answers";
import {
  addTransactionsArgs,
  removeAllArgs,
  removeBatchArgs,
  removeTransactionArgs,
} from "../shared/moneyChanges";

/** Rows of a person, newest first; deleted ones are not listed. */
export const listForUser = adminQuery({
  args: { userId: v.string(), paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(vAdminTxRow),
  handler: (ctx, { userId, paginationOpts }) =>
    adminPostings.listForUserPage(ctx, userId, paginationOpts),
});

/** Adds rows as one batch, all or none; with `updateBalance` completed ones are posted. */
export const addMany = adminMutation({
  args: addTransactionsArgs,
  returns: v.object({ batchId: v.id("transactionBatches"), count: v.number() }),
  handler: (ctx, args) => adminPostings.addMany(ctx, args),
});

/** Deletes one row: its journal is reversed exactly, the row is hidden. */
export const remove = adminMutation({
  args: removeTransactionArgs,
  returns: v.null(),
  handler: (ctx, { transactionId }) => removeOne(ctx, transactionId),
});

/** Deletes a whole batch: all of its rows or none. */
export const removeBatch = adminMutation({
  args: removeBatchArgs,
  returns: v.object({ count: v.number() }),
  handler: (ctx, { batchId }) => removeWholeBatch(ctx, batchId),
});

/** The newest 50 batches of a person. */
export const batches = adminQuery({
  args: { userId: v.string() },
  returns: v.array(
    v.object({
      batchId: v.id("transactionBatches"),
      count: v.number(),
      createdAt: v.number(),
      createdBy: v.string(),
      updateBalance: v.boolean(),
      isRemoved: v.boolean(),
    }),
  ),
  handler: (ctx, { userId }) => transactionBatches.batchesOf(ctx, userId),
});

/** When the same file was added for this person, or requested and still awaits a second administrator; or null. */
export const findDuplicateFile = adminQuery({
  args: { userId: v.string(), fileHash: v.string() },
  returns: v.union(
    v.object({ isWaiting: v.boolean(), at: v.number(), count: v.number() }),
    v.null(),
  ),
  handler: (ctx, { userId, fileHash }) =>
    transactionBatches.findDuplicateFile(ctx, userId, fileHash),
});

/** Starts deleting every row of the person with this e-mail; `removalJob` shows its progress. */
export const removeAllForUser = adminMutation({
  args: removeAllArgs,
  returns: v.object({ jobId: v.id("jobs") }),
  handler: async (ctx, { email }) => {
    const jobId = await startRemoval(ctx, email);
    await ctx.scheduler.runAfter(0, internal.admin.transactions.continueRemoval, { jobId });
    return { jobId };
  },
});

/** Progress of a deletion, live. */
export const removalJob = adminQuery({
  args: { jobId: v.string() },
  returns: v.object({
    deletedCount: v.number(),
    isDone: v.boolean(),
    failed: v.optional(v.string()),
  }),
  handler: (ctx, { jobId }) => removalStatus(ctx, jobId),
});

/** One bounded batch of a deletion; schedules the next until none is left. */
export const continueRemoval = internalMutation({
  args: { jobId: v.id("jobs") },
  returns: v.null(),
  handler: async (ctx, { jobId }): Promise<null> => {
    let hasMore = false;
    try {
      hasMore = await ctx.runMutation(internal.admin.transactions.removeNext, { jobId });
    } catch (error) {
      // eslint-disable-next-line no-console -- the operator's log is where its cause can be found
      console.error("A batch of a deletion failed:", error);
      await failRemoval(ctx, jobId, Date.now());
    }
    if (hasMore) {
      await ctx.scheduler.runAfter(0, internal.admin.transactions.continueRemoval, { jobId });
    }
    return null;
  },
});

/** The batch itself, undone as a whole if it fails. Returns whether another one is needed. */
export const removeNext = internalMutation({
  args: { jobId: v.id("jobs") },
  returns: v.boolean(),
  handler: (ctx, { jobId }) => runRemovalBatch(ctx, jobId, Date.now()),
});
