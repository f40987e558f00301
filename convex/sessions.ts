/**
 * The life of sessions: real activity moves it, a job ends it.
 *
 * Not here: listing and revoking one's own sessions (profile).
 */
import { v } from "convex/values";
import { internalMutation, memberMutation } from "./functions";
import { sweepBuckets } from "./model/limits";
import { sweepAttempts } from "./model/passwordAttempts";
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
 * Ends sessions that are over or idle, and sweeps counters nobody needs. For the cron, once a
 * minute; bounded per run.
 */
export const sessionExpiry = internalMutation({
  args: {},
  returns: v.number(),
  handler: async (ctx) => {
    const nowMs = Date.now();
    await sweepBuckets(ctx, nowMs);
    await sweepAttempts(ctx, nowMs);
    return await sessions.endDueSessions(ctx, nowMs);
  },
});
