/** Decisions on registrations (spec section 4 "Registration status"). Each is audited. */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import { requestInformation as request } from "../model/infoRequests";
import * as registrations from "../model/registrations";
import { vVerificationCheck } from "../shared/validators";

/** Sets or clears one tick of the verification dialog. @throws AppError USER_NOT_FOUND */
export const setCheck = adminMutation({
  args: { userId: v.id("users"), check: vVerificationCheck, isChecked: v.boolean() },
  returns: v.null(),
  handler: async (ctx, { userId, check, isChecked }) => {
    await registrations.setCheck(ctx, ctx.user, userId, check, isChecked);
    return null;
  },
});

/** Approves. @throws AppError USER_NOT_FOUND, ALREADY_DECIDED, CHECKS_INCOMPLETE */
export const approve = adminMutation({
  args: { userId: v.id("users") },
  returns: v.null(),
  handler: async (ctx, { userId }) => {
    await registrations.approve(ctx, ctx.user, userId);
    return null;
  },
});

/**
 * Rejects with a reason.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED,
 *   OWN_ACCOUNT_FORBIDDEN
 */
export const reject = adminMutation({
  args: { userId: v.id("users"), reason: v.string() },
  returns: v.null(),
  handler: async (ctx, { userId, reason }) => {
    await registrations.reject(ctx, ctx.user, userId, reason);
    return null;
  },
});

/** Asks for more information. @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT */
export const requestInformation = adminMutation({
  args: { userId: v.id("users"), text: v.string() },
  returns: v.null(),
  handler: async (ctx, { userId, text }) => {
    await request(ctx, ctx.user, userId, text);
    return null;
  },
});
