/** Review of mobile deposits. */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import * as depositReview from "../model/depositReview";
import { vQueuedDeposit } from "../shared/answers";
import { vDepositStatus } from "../shared/validators";

/** Deposits of a status (default: waiting), oldest waiting first, otherwise newest first. */
export const queue = adminQuery({
  args: { status: v.optional(vDepositStatus), paginationOpts: paginationOptsValidator },
  returns: paginationResultValidator(vQueuedDeposit),
  handler: (ctx, { status = "Pending Review", paginationOpts }) =>
    depositReview.queuePage(ctx, status, paginationOpts),
});

/** Posts the credit. */
export const approve = adminMutation({
  args: { depositId: v.string() },
  returns: v.null(),
  handler: (ctx, { depositId }) => depositReview.approve(ctx, depositId),
});

/** Posts nothing; the reason reaches the member. */
export const reject = adminMutation({
  args: { depositId: v.string(), reason: v.string() },
  returns: v.null(),
  handler: (ctx, { depositId, reason }) => depositReview.reject(ctx, depositId, reason),
});
