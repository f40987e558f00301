/** Waits after too many wrong passwords or one-time codes, for administrators. Ending one is audited. */
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import { endWait, locksOf } from "../model/locks";
import { messageOf } from "../model/messages";

/**
 * Until when a person may not try again, in ms since epoch, if they were ever told to wait; whether that is over is the
 * reader's to judge. Apart from admin/users:get, which would run again with every wrong try.
 */
export const get = adminQuery({
  args: { userId: v.id("users") },
  returns: v.object({
    passwordsUntil: v.optional(v.number()),
    codesUntil: v.optional(v.number()),
  }),
  handler: (ctx, { userId }) => locksOf(ctx, userId),
});

/**
 * Lets a person try again at once. Does nothing while they need not wait.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN (in this order of precedence)
 */
export const lift = adminMutation({
  args: { userId: v.id("users"), reason: v.string() },
  returns: v.null(),
  handler: async (ctx, { userId, reason }) => {
    await endWait(ctx, userId, messageOf(reason));
    return null;
  },
});
