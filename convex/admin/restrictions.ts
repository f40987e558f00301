/** Restrictions of members: suspend external and international transfers. Audited. */
import { v } from "convex/values";
import { adminMutation } from "../functions";
import * as restrictions from "../model/restrictions";

/**
 * Suspends a member's external and international transfers, in place of any earlier restriction.
 * `expiresAt` is in ms since epoch; without it, until lifted.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, REASON_REQUIRED, INVALID_TEXT, INVALID_DATE
 */
export const set = adminMutation({
  args: { userId: v.id("users"), reason: v.string(), expiresAt: v.optional(v.number()) },
  returns: v.null(),
  handler: async (ctx, args) => {
    await restrictions.suspend(ctx, args);
    return null;
  },
});

/**
 * Lifts the restriction in force; never the caller's own.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, NO_RESTRICTION
 */
export const lift = adminMutation({
  args: { userId: v.id("users") },
  returns: v.null(),
  handler: async (ctx, { userId }) => {
    await restrictions.resume(ctx, userId);
    return null;
  },
});
