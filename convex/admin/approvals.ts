/** Changes above the limit for one administrator: requested by one, approved or refused by another. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "../_generated/api";
import { adminMutation, adminQuery } from "../functions";
import * as approvals from "../model/approvals";
import { vMoneyChange } from "../shared/moneyChanges";

/** Waiting requests, of everyone or of one person, oldest first; somebody else decides the caller's own. */
export const list = adminQuery({
  args: { personId: v.optional(v.id("users")), paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(
    v.object({
      _id: v.id("approvals"),
      /** Name of the action, as in "account.update". */
      kind: v.string(),
      targetLabel: v.string(),
      /** What the change does, line by line. */
      lines: v.array(v.string()),
      requestedBy: v.string(),
      requestedAt: v.number(),
      /** Requested by the caller, who therefore cannot approve it. */
      isOwn: v.boolean(),
      /** About the caller, who may not decide about themselves. */
      isAboutReader: v.boolean(),
      /** False while no administrator could approve it. */
      hasDecider: v.boolean(),
    }),
  ),
  handler: (ctx, { personId, paginationOpts }) =>
    approvals.waitingPage(ctx, personId, paginationOpts),
});

/** Stores a change that was refused with SECOND_ADMIN_REQUIRED, for another administrator to decide. */
export const request = adminMutation({
  args: { change: vMoneyChange },
  returns: v.object({ approvalId: v.id("approvals") }),
  handler: async (ctx, { change }) => ({ approvalId: await approvals.request(ctx, change) }),
});

/** Carries the change out, as the second administrator's own act. */
export const approve = adminMutation({
  args: { approvalId: v.string() },
  returns: v.null(),
  handler: async (ctx, { approvalId }) => {
    const jobId = await approvals.approve(ctx, approvalId);
    if (jobId !== null) {
      await ctx.scheduler.runAfter(0, internal.admin.transactions.continueRemoval, { jobId });
    }
    return null;
  },
});

/** Refuses the change, or withdraws the caller's own. */
export const reject = adminMutation({
  args: { approvalId: v.string(), reason: v.string() },
  returns: v.null(),
  handler: async (ctx, { approvalId, reason }) => {
    await approvals.reject(ctx, approvalId, reason);
    return null;
  },
});
