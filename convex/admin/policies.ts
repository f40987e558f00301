/** Policies: which value is in force, switching them (product decisions, section 2). Audited. */
import { v } from "convex/values";
import { adminMutation, adminQuery } from "../functions";
import * as policies from "../model/policies";
import { requireSecondAdminForPolicy } from "../model/secondAdmin";
import { setPolicyArgs } from "../shared/moneyChanges";

/** Every policy; values are JSON texts. */
export const list = adminQuery({
  args: {},
  returns: v.array(
    v.object({
      key: v.string(),
      value: v.string(),
      asSpecified: v.string(),
      recommended: v.string(),
      specSection: v.string(),
      text: v.string(),
      isOverridden: v.boolean(),
    }),
  ),
  handler: (ctx) => policies.list(ctx),
});

/**
 * Switches one policy to one of its two values.
 * @throws AppError SECOND_ADMIN_REQUIRED, NOT_FOUND, INVALID_POLICY_VALUE
 */
export const set = adminMutation({
  args: setPolicyArgs,
  returns: v.null(),
  handler: async (ctx, { key, value }) => {
    await requireSecondAdminForPolicy(ctx, key);
    await policies.set(ctx, key, value);
    return null;
  },
});

/** "Apply recommended policies": switches all of them, as one audited action. */
export const applyRecommended = adminMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await policies.applyRecommended(ctx);
    return null;
  },
});
