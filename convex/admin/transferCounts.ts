/** Resetting transfer counts (spec section 2 "Reset Transfer Counts"). */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "../_generated/api";
import { adminMutation, adminQuery, internalMutation } from "../functions";
import * as transferCounts from "../model/transferCounts";

/** Everyone but administrators, with the count in force. */
export const list = adminQuery({
  args: { paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(
    v.object({
      userId: v.id("users"),
      email: v.string(),
      name: v.string(),
      count: v.number(),
      isProtected: v.boolean(),
    }),
  ),
  handler: (ctx, { paginationOpts }) => transferCounts.countsPage(ctx, paginationOpts),
});

/**
 * Spec section 2: one member's Reset button.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, CANNOT_RESET_PROTECTED
 */
export const resetOne = adminMutation({
  args: { userId: v.string() },
  returns: v.object({ message: v.string() }),
  handler: (ctx, { userId }) => transferCounts.resetOne(ctx, userId),
});

const outcomeFields = {
  updated: v.number(),
  skipped: v.number(),
  errored: v.number(),
  isDone: v.boolean(),
};

/** Resets everyone except the protected account; follow a large set with `resetAllStatus`. */
export const resetAll = adminMutation({
  args: {},
  returns: v.object({ jobId: v.id("jobs"), ...outcomeFields }),
  handler: async (ctx) => {
    const { jobId, ...outcome } = await transferCounts.startResetAll(ctx);
    if (!outcome.isDone) {
      await ctx.scheduler.runAfter(0, internal.admin.transferCounts.continueReset, { jobId });
    }
    return { jobId, ...outcome };
  },
});

/** Progress of a reset, live. */
export const resetAllStatus = adminQuery({
  args: { jobId: v.string() },
  returns: v.object(outcomeFields),
  handler: (ctx, { jobId }) => transferCounts.resetStatus(ctx, jobId),
});

/** One bounded batch of a reset; schedules the next until everyone has been visited. */
export const continueReset = internalMutation({
  args: { jobId: v.id("jobs") },
  returns: v.null(),
  handler: async (ctx, { jobId }): Promise<null> => {
    const outcome = await transferCounts.continueResetAll(ctx, jobId, Date.now());
    if (!outcome.isDone) {
      await ctx.scheduler.runAfter(0, internal.admin.transferCounts.continueReset, { jobId });
    }
    return null;
  },
});
