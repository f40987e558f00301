/**
 * An applicant's own registration: status, request for information, answer.
 *
 * Not here: decisions (admin/registrations).
 */
import { v } from "convex/values";
import { sessionMutation, sessionQuery } from "./functions";
import type { Caller } from "./model/access";
import * as infoRequests from "./model/infoRequests";
import { appError } from "./shared/errors";
import { isApproved, shownStatus } from "./shared/roles";
import { vInfoRequest } from "./shared/personFields";
import { vShownStatus } from "./shared/validators";

/**
 * People who get a code step must pass it, here too, and a password that somebody else knows opens nothing.
 * @throws AppError OTP_REQUIRED, PASSWORD_CHANGE_REQUIRED
 */
function refuseEarlier({ user, session }: Caller): void {
  if (isApproved(user) && session.factor === null) throw appError("OTP_REQUIRED");
  if (user.mustChangePassword === true) throw appError("PASSWORD_CHANGE_REQUIRED");
}

/**
 * Status, the request awaiting an answer (otherwise the newest), reason.
 * @throws AppError OTP_REQUIRED, PASSWORD_CHANGE_REQUIRED
 */
export const mine = sessionQuery({
  args: {},
  returns: v.object({
    status: vShownStatus,
    submittedAt: v.number(),
    infoRequest: v.union(v.null(), vInfoRequest),
    rejectionReason: v.optional(v.string()),
  }),
  handler: async (ctx) => {
    refuseEarlier(ctx);
    const { user } = ctx;
    const request = await infoRequests.requestInTurn(ctx, user._id);
    return {
      status: shownStatus(user.status),
      submittedAt: user.registrationDate ?? user.createdAt,
      infoRequest: request === null ? null : infoRequests.requestView(request),
      ...(user.rejectionReason === undefined ? {} : { rejectionReason: user.rejectionReason }),
    };
  },
});

/**
 * Answers a request for information.
 * @throws AppError OTP_REQUIRED, PASSWORD_CHANGE_REQUIRED, NOT_FOUND, ALREADY_ANSWERED, REASON_REQUIRED, INVALID_TEXT
 */
export const answerInformation = sessionMutation({
  args: { requestId: v.id("infoRequests"), answer: v.string() },
  returns: v.null(),
  handler: async (ctx, { requestId, answer }) => {
    refuseEarlier(ctx);
    await infoRequests.answerRequest(ctx, ctx.user, requestId, answer);
    return null;
  },
});
