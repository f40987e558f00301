/**
 * Who the caller is and where they belong. What the client's router is built on.
 *
 * Not here: protection; every function guards itself.
 */
import { v } from "convex/values";
import { internalQuery, publicQuery, type ActionCaller } from "./functions";
import { findCaller, REQUIRE, refuseExpired } from "./model/access";
import { policyValue } from "./model/policies";
import { isFormerMember } from "./model/reopening";
import { idleTimeoutMs } from "./model/sessionLife";
import { displayName, firstName } from "./shared/names";
import { effectiveRole, homeOf, placeOf, shownStatus } from "./shared/roles";
import { vHome, vPlace, vRole, vShownStatus } from "./shared/validators";

/** Null for visitors; otherwise the caller's own standing in this session. */
export const get = publicQuery({
  args: {},
  returns: v.union(
    v.null(),
    v.object({
      userId: v.id("users"),
      email: v.string(),
      name: v.string(),
      firstName: v.string(),
      role: vRole,
      status: vShownStatus,
      place: vPlace,
      isSecondFactorPassed: v.boolean(),
      home: vHome,
      rejectionReason: v.optional(v.string()),
      /** Present for somebody whose membership a rejection ended. */
      isFormerMember: v.optional(v.literal(true)),
      idleTimeoutMs: v.union(v.number(), v.null()),
      passwordMinLength: v.number(),
    }),
  ),
  handler: async (ctx) => {
    const caller = await findCaller(ctx);
    if (caller === null) return null;
    const { user, session } = caller;
    const isSecondFactorPassed = session.factor !== null;
    return {
      userId: user._id,
      email: user.email,
      name: displayName(user),
      firstName: firstName(displayName(user)),
      role: effectiveRole(user.role),
      status: shownStatus(user.status),
      place: placeOf(user, isSecondFactorPassed),
      isSecondFactorPassed,
      home: homeOf(user, isSecondFactorPassed),
      idleTimeoutMs: await idleTimeoutMs(ctx, user),
      passwordMinLength: await policyValue(ctx, "passwordMinLength"),
      ...(user.rejectionReason === undefined ? {} : { rejectionReason: user.rejectionReason }),
      ...((await isFormerMember(ctx, user)) ? { isFormerMember: true as const } : {}),
    };
  },
});

/** Runs a guard for an action (functions.ts), which has no database of its own. */
export const checkCaller = internalQuery({
  args: {
    guard: v.union(
      v.literal("session"),
      v.literal("passwordChange"),
      v.literal("member"),
      v.literal("admin"),
    ),
    nowMs: v.number(),
  },
  returns: v.object({
    user: v.object({ _id: v.id("users"), email: v.string() }),
    sessionId: v.id("authSessions"),
  }),
  handler: async (ctx, { guard, nowMs }): Promise<ActionCaller> => {
    const { user, session } = await refuseExpired(ctx, await REQUIRE[guard](ctx), nowMs);
    return { user: { _id: user._id, email: user.email }, sessionId: session.sessionId };
  },
});
