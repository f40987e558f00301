/**
 * The second step of sign-in.
 *
 * Not here: codes and counters (model/otp), the external transfer's code (transfers).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { sessionMutation } from "./functions";
import * as otp from "./model/otp";
import { notify } from "./model/notify";
import * as securityEvents from "./model/securityEvents";
import { endIfDue, passSecondFactor } from "./model/sessions";
import { appError } from "./shared/errors";
import { homeOf, isApproved } from "./shared/roles";

/** Of the homes (shared/validators), those that a code opens. */
const vHomeAfterCode = v.union(v.literal("/dashboard"), v.literal("/admin"));

/**
 * Checks the code at sign-in. A wrong one is returned, not thrown, so that it stays counted; the
 * fifth in a session ends the session.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED (pending and rejected people get no code step)
 */
export const verifyLogin = sessionMutation({
  args: { code: v.string() },
  returns: v.union(
    v.object({ ok: v.literal(true), home: vHomeAfterCode }),
    v.object({ ok: v.literal(false), message: v.string(), attemptsLeft: v.optional(v.number()) }),
  ),
  handler: async (ctx, { code }) => {
    const { user, session } = ctx;
    if (!isApproved(user)) throw appError("NOT_APPROVED");
    const result = await otp.verifyCode(ctx, user, session, code, "login");
    if (!result.ok) {
      const { message, attemptsLeft } = result;
      return {
        ok: false as const,
        message,
        ...(attemptsLeft === undefined ? {} : { attemptsLeft }),
      };
    }
    const isNewSession = session.factor === null;
    await passSecondFactor(ctx, user, session);
    if (isNewSession) {
      const authSession = session.sessionId;
      const endsAt = await endIfDue(ctx, authSession, Date.now());
      if (endsAt !== null) {
        await ctx.scheduler.runAt(endsAt, internal.sessions.endWhenDue, { authSession });
      }
      await securityEvents.record(ctx, user._id, "signIn", "Signed in.");
      await notify(ctx, user._id, {
        kind: "security",
        title: "New sign-in",
        body: "Your account was signed in to. If this was not you, change your password.",
      });
    }
    const home: "/admin" | "/dashboard" = homeOf(user, true) === "/admin" ? "/admin" : "/dashboard";
    return { ok: true as const, home };
  },
});
