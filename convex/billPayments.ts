/** Bill payments: scheduled by members, settled by a daily job. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberMutation, memberQuery } from "./functions";
import * as billPayments from "./model/billPayments";
import { dueBatch, settleDuePayment, vDuePlace } from "./model/billSettlement";
import { vBill } from "./shared/answers";

/** Schedules a payment for tomorrow or later (`scheduleDate`: `YYYY-MM-DD`). */
export const schedule = memberMutation({
  args: billPayments.scheduleFields,
  returns: v.object({ billPaymentId: v.id("billPayments") }),
  handler: (ctx, args) => billPayments.schedule(ctx, args),
});

/** Cancels one of the caller's payments that is still scheduled. */
export const cancel = memberMutation({
  args: { billPaymentId: v.string() },
  returns: v.null(),
  handler: (ctx, { billPaymentId }) => billPayments.cancel(ctx, billPaymentId),
});

/** The caller's scheduled payments, earliest first. */
export const upcoming = memberQuery({
  args: {},
  returns: v.array(vBill),
  handler: (ctx) => billPayments.upcoming(ctx, ctx.user._id),
});

/** The caller's settled, failed or canceled payments, newest first. */
export const history = memberQuery({
  args: { paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(vBill),
  handler: (ctx, { paginationOpts }) => billPayments.historyPage(ctx, ctx.user._id, paginationOpts),
});

/**
 * Settles every payment due up to today, a batch at a time. Daily job; safe to run at any time. One that fails does
 * not keep the others waiting: it stays scheduled for the next run. `after` is where the batch begins.
 */
export const settleDue = internalMutation({
  args: { after: v.optional(vDuePlace) },
  returns: v.null(),
  handler: async (ctx, { after }): Promise<null> => {
    const { ids, last } = await dueBatch(ctx, Date.now(), after);
    for (const billPaymentId of ids) {
      try {
        await ctx.runMutation(internal.billPayments.settleOne, { billPaymentId });
      } catch (error) {
        // eslint-disable-next-line no-console -- the operator's log is where its cause can be found
        console.error(`Bill payment ${billPaymentId} could not be settled:`, error);
      }
    }
    if (last !== null) {
      await ctx.scheduler.runAfter(0, internal.billPayments.settleDue, { after: last });
    }
    return null;
  },
});

/** One payment, undone as a whole if it fails. */
export const settleOne = internalMutation({
  args: { billPaymentId: v.id("billPayments") },
  returns: v.null(),
  handler: async (ctx, { billPaymentId }): Promise<null> => {
    await settleDuePayment(ctx, billPaymentId, Date.now());
    return null;
  },
});
