/** Cheque deposits by photo. Not here: receiving the images (depositImageRoutes), the review. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, internalQuery, memberMutation, memberQuery } from "./functions";
import { findImage, recordImage, sweepStrays, sweepUnused } from "./model/depositImages";
import * as mobileDeposits from "./model/mobileDeposits";
import { vDeposit } from "./shared/answers";
import { vChequeSide } from "./shared/validators";

/** Submits a cheque for review; no balance moves until it is approved. */
export const submit = memberMutation({
  args: mobileDeposits.submitFields,
  returns: v.object({ depositId: v.id("mobileDeposits") }),
  handler: (ctx, args) => mobileDeposits.submit(ctx, args),
});

/** The caller's deposits, newest first. */
export const mine = memberQuery({
  args: { paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(vDeposit),
  handler: (ctx, { paginationOpts }) => mobileDeposits.minePage(ctx, ctx.user._id, paginationOpts),
});

/** Records an image that the upload route stored. */
export const record = internalMutation({
  args: {
    userId: v.id("users"),
    storageId: v.id("_storage"),
    side: vChequeSide,
    contentType: v.string(),
    sizeBytes: v.number(),
  },
  returns: v.object({ imageId: v.id("depositImages") }),
  handler: (ctx, args) => recordImage(ctx, args, Date.now()),
});

/** The stored file of an image its owner or an administrator may see, or null. */
export const imageFor = internalQuery({
  args: { userId: v.id("users"), imageId: v.string() },
  returns: v.union(v.object({ storageId: v.id("_storage"), contentType: v.string() }), v.null()),
  handler: (ctx, { userId, imageId }) => findImage(ctx, userId, imageId),
});

/** Deletes images that no deposit used within a day, a batch at a time. Job. */
export const sweepImages = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    const hasMore = await sweepUnused(ctx, Date.now());
    if (hasMore) await ctx.scheduler.runAfter(0, internal.mobileDeposits.sweepImages, {});
    return null;
  },
});

/** Deletes stored files that no image names, a batch at a time; `afterMs` is where to continue. Job. */
export const sweepFiles = internalMutation({
  args: { afterMs: v.optional(v.number()) },
  returns: v.null(),
  handler: async (ctx, { afterMs }): Promise<null> => {
    const nextMs = await sweepStrays(ctx, Date.now(), afterMs ?? 0);
    if (nextMs !== null) {
      await ctx.scheduler.runAfter(0, internal.mobileDeposits.sweepFiles, { afterMs: nextMs });
    }
    return null;
  },
});
