/**
 * The life of sessions: real activity extends it, a job ends it.
 *
 * Not here: listing and revoking one's own sessions (profile).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberMutation } from "./functions";
import { sweepBuckets } from "./model/limits";
import { sweepAttempts } from "./model/passwordAttempts";
import { restartAheadOfClock } from "./model/sessionLife";
import * as sessions from "./model/sessions";

/** Real user input in this session; the client sends it at most once a minute. */
export const touch = memberMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    await sessions.touch(ctx, ctx.session);
    return null;
  },
});

/**
 * Ends sessions that are past their time or idle, a batch at a time, and sweeps counters nobody needs. For the
 * cron, once a minute. Makes up for `endWhenDue` where a policy became stricter meanwhile.
 */
export const sessionExpiry = internalMutation({
  args: {},
  returns: v.number(),
  handler: async (ctx): Promise<number> => {
    const nowMs = Date.now();
    await sweepBuckets(ctx, nowMs);
    await sweepAttempts(ctx, nowMs);
    await restartAheadOfClock(ctx, nowMs);
    const endedCount = await sessions.endDueSessions(ctx, nowMs);
    if (endedCount > 0) await ctx.scheduler.runAfter(0, internal.sessions.sessionExpiry, {});
    return endedCount;
  },
});

/**
 * Ends one session the moment its time is up, so that its open pages lose their data then; looks
 * again later if activity moved that moment. Scheduled with the second step.
 */
export const endWhenDue = internalMutation({
  args: { authSession: v.id("authSessions") },
  returns: v.null(),
  handler: async (ctx, { authSession }) => {
    const againAt = await sessions.endIfDue(ctx, authSession, Date.now());
    if (againAt !== null) {
      await ctx.scheduler.runAt(againAt, internal.sessions.endWhenDue, { authSession });
    }
    return null;
  },
});
