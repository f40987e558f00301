/**
 * The second step of sign-in.
 *
 * Not here: codes and counters (model/otp), what a right one opens (model/secondStep), the external transfer's code
 * (transfers).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { sessionMutation } from "./functions";
import * as secondStep from "./model/secondStep";

/**
 * Checks the code at sign-in. A wrong one is returned, not thrown, so that it stays counted; the
 * fifth in a session ends the session.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED (pending and rejected people get no code step)
 */
export const verifyLogin = sessionMutation({
  args: { code: v.string() },
  returns: v.union(
    v.object({
      ok: v.literal(true),
      home: v.union(v.literal("/dashboard"), v.literal("/admin")),
    }),
    v.object({ ok: v.literal(false), message: v.string(), attemptsLeft: v.optional(v.number()) }),
  ),
  handler: async (ctx, { code }) => {
    const { answer, endsAt } = await secondStep.verifyLogin(ctx, code);
    if (endsAt !== null) {
      const { sessionId: authSession } = ctx.session;
      await ctx.scheduler.runAt(endsAt, internal.sessions.endWhenDue, { authSession });
    }
    return answer;
  },
});
