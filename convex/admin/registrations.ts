/** Decisions on registrations (spec section 4 "Registration status"). Each is audited. */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import * as corrections from "../model/corrections";
import * as infoRequests from "../model/infoRequests";
import * as registrations from "../model/registrations";
import * as reopening from "../model/reopening";
import { vApplication, vShownStatus, vVerificationCheck } from "../shared/validators";

/** Sets or clears one tick of the verification dialog. @throws AppError USER_NOT_FOUND */
export const setCheck = adminMutation({
  args: { userId: v.id("users"), check: vVerificationCheck, isChecked: v.boolean() },
  returns: v.null(),
  handler: async (ctx, args) => {
    await registrations.setCheck(ctx, args);
    return null;
  },
});

/**
 * The status on screen when the decision was made: if it has changed, somebody else was quicker and
 * the decision is refused (ALREADY_DECIDED). Without it, the decision holds whatever the status is.
 */
const seenStatus = v.optional(vShownStatus);

/** Approves. @throws AppError USER_NOT_FOUND, ALREADY_DECIDED, CHECKS_INCOMPLETE */
export const approve = adminMutation({
  args: { userId: v.id("users"), seenStatus },
  returns: v.null(),
  handler: async (ctx, args) => {
    await registrations.approve(ctx, args.userId, args.seenStatus);
    return null;
  },
});

/**
 * Rejects with a reason.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED,
 *   OWN_ACCOUNT_FORBIDDEN, OTP_CODES_USED_UP, SECOND_ADMIN_FOR_ROLE
 */
export const reject = adminMutation({
  args: { userId: v.id("users"), reason: v.string(), seenStatus },
  returns: v.null(),
  handler: async (ctx, args) => {
    await registrations.reject(ctx, args.userId, args.reason, args.seenStatus);
    return null;
  },
});

/**
 * Looks again at an application that was rejected.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED
 */
export const reopen = adminMutation({
  args: { userId: v.id("users"), reason: v.string() },
  returns: v.null(),
  handler: async (ctx, { userId, reason }) => {
    await reopening.reopen(ctx, userId, reason);
    return null;
  },
});

/**
 * Corrects what an application says; `expected` is what the form started from.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, NOT_FOUND, STALE_EDIT, FILL_REQUIRED_FIELDS,
 *   INVALID_DATE_OF_BIRTH, INVALID_EMAIL, INVALID_TEXT, NOTHING_CHANGED, REASON_REQUIRED
 */
export const correct = adminMutation({
  args: {
    userId: v.id("users"),
    application: vApplication,
    expected: vApplication,
    reason: v.string(),
  },
  returns: v.null(),
  handler: async (ctx, args) => {
    await corrections.correct(ctx, args);
    return null;
  },
});

/**
 * Asks an applicant for more information.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED
 */
export const requestInformation = adminMutation({
  args: { userId: v.id("users"), text: v.string() },
  returns: v.null(),
  handler: async (ctx, { userId, text }) => {
    await infoRequests.requestInformation(ctx, userId, text);
    return null;
  },
});
