/**
 * When a session ends by itself: without activity for as long as the policy allows, or at the end of
 * its absolute life.
 *
 * Reads only. Not here: ending it (model/sessions), refusing a caller past it (model/access).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { MS } from "../shared/limits";
import type { IdleTimeout } from "../shared/policies";
import { isAdmin } from "../shared/roles";
import { policyValue } from "./policies";

type ReadCtx = Pick<QueryCtx, "db">;

/** The row of a session's last real input; null before its second step. */
export async function findActivity(
  ctx: ReadCtx,
  sessionId: Id<"authSessions">,
): Promise<Doc<"sessionActivity"> | null> {
  return await ctx.db
    .query("sessionActivity")
    .withIndex("by_authSession", (q) => q.eq("authSession", sessionId))
    .unique();
}

/** Last real input in a session that passed its second step, or null. */
export async function lastActiveAt(
  ctx: ReadCtx,
  sessionId: Id<"authSessions">,
): Promise<number | null> {
  return (await findActivity(ctx, sessionId))?.lastActiveAt ?? null;
}

/** A policy value's idle limit in ms; null: off. */
export function idleLimitMs(policy: IdleTimeout, isAdminSession: boolean): number | null {
  const minutes = isAdminSession ? policy.adminMinutes : policy.memberMinutes;
  return minutes === null ? null : minutes * MS.MINUTE_MS;
}

/** Idle time after which a person's session ends, in ms; null: never. Policy `idleTimeout`. */
export async function idleTimeoutMs(ctx: ReadCtx, user: Doc<"users">): Promise<number | null> {
  return idleLimitMs(await policyValue(ctx, "idleTimeout"), isAdmin(user));
}

/** When a session ends, in ms since epoch, unless activity moves it. */
export async function endsAt(
  ctx: ReadCtx,
  user: Doc<"users">,
  session: { readonly sessionId: Id<"authSessions">; readonly expiresAt: number },
): Promise<number> {
  const limitMs = await idleTimeoutMs(ctx, user);
  if (limitMs === null) return session.expiresAt;
  const activeAt = await lastActiveAt(ctx, session.sessionId);
  return activeAt === null ? session.expiresAt : Math.min(session.expiresAt, activeAt + limitMs);
}
