/**
 * The four ways of moving money. Not here: the rules (shared/rules), the gate (model/transferGate),
 * the posting (model/ledger).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberMutation, memberQuery } from "./functions";
import * as externalTransfers from "./model/externalTransfers";
import * as recipients from "./model/recipients";
import { logRefusal } from "./model/refusedTransfers";
import * as transferExecution from "./model/transferExecution";
import * as transferGate from "./model/transferGate";
import { submitFields, submitTransfer } from "./model/transfers";
import { externalTransferFields, vCodeRefusal, vReceipt, vReturnedRefusal } from "./shared/answers";

/**
 * "1 of 2 transfers used"; `limit` is null for a person without one. `restriction` is present while
 * external and international transfers are suspended; its end, in ms, may have passed.
 */
export const usage = memberQuery({
  args: {},
  returns: v.object({
    used: v.number(),
    limit: v.union(v.number(), v.null()),
    restriction: v.optional(v.object({ expiresAt: v.optional(v.number()) })),
  }),
  handler: (ctx) => transferGate.usage(ctx, ctx.user),
});

/**
 * Name of the person behind an e-mail. A mutation, because look-ups are counted; a miss is returned,
 * not thrown, so that it counts too.
 */
export const findRecipient = memberMutation({
  args: { email: v.string() },
  returns: v.union(v.object({ name: v.string() }), vReturnedRefusal),
  handler: (ctx, { email }) => recipients.findRecipient(ctx, email),
});

/** Between own accounts, to another person here, or international; the same key moves money once. */
export const submit = memberMutation({
  args: submitFields,
  returns: vReceipt,
  handler: (ctx, args) => logRefusal(ctx, submitTransfer(ctx, args)),
});

/**
 * Step 1 of a transfer to a US bank: stored here, moves nothing, lapses after five minutes. Has a `receipt` where the
 * key's transfer was executed already, so that nobody is asked for another code.
 */
export const startExternal = memberMutation({
  args: externalTransferFields,
  returns: v.object({
    pendingId: v.id("pendingTransfers"),
    expiresAt: v.number(),
    receipt: v.optional(vReceipt),
  }),
  handler: (ctx, args) => logRefusal(ctx, externalTransfers.startExternal(ctx, args)),
});

/** Step 2: executes what was stored. A wrong code is returned, not thrown, so that it counts. */
export const confirmExternal = memberMutation({
  args: { pendingId: v.string(), code: v.string() },
  returns: v.union(vReceipt, vCodeRefusal),
  handler: (ctx, { pendingId, code }) =>
    logRefusal(ctx, externalTransfers.confirmExternal(ctx, pendingId, code)),
});

/** One of the caller's receipts, or null. */
export const receipt = memberQuery({
  args: { transferId: v.string() },
  returns: v.union(vReceipt, v.null()),
  handler: (ctx, { transferId }) => transferExecution.receipt(ctx, ctx.user._id, transferId),
});

/** Removes first steps that nobody confirmed, a day after they lapsed, a batch at a time. Job. */
export const sweepLapsed = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    const hasMore = await externalTransfers.sweepPending(ctx, Date.now());
    if (hasMore) await ctx.scheduler.runAfter(0, internal.transfers.sweepLapsed, {});
    return null;
  },
});
