/**
 * When a session ends by itself: without its code soon after the password, without activity for as long as the policy
 * allows, or at the end of its absolute life.
 *
 * Not here: ending it (model/sessions), refusing a caller past it (model/access).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import {
  ADMIN_SESSION_LIFE_MS,
  CODE_STEP_LIFE_MS,
  MEMBER_SESSION_LIFE_MS,
  MS,
} from "../shared/limits";
import type { IdleTimeout } from "../shared/policies";
import { isAdmin, isApproved } from "../shared/roles";
import { CORRECTION_MAX_MS } from "../shared/waits";
import { policyValue } from "./policies";

type ReadCtx = Pick<QueryCtx, "db">;

const SWEEP_SESSIONS_MAX = 50;

/** The end of a session that has ended, and whose row waits for its tokens to be deleted. */
export const ENDED_MS = 0;

/** True for such a session, without a look at the clock: queries do not read it. */
export const isEnded = ({ expirationTime }: Doc<"authSessions">): boolean =>
  expirationTime === ENDED_MS;

/** How long a person's session lasts from the password on, whatever they do in it. */
export function sessionLifeMs(user: Doc<"users"> | null): number {
  return user !== null && isAdmin(user) ? ADMIN_SESSION_LIFE_MS : MEMBER_SESSION_LIFE_MS;
}

/** How long a session lasts before its code; those who are not asked for one have it whole. */
export function codeStepLifeMs(user: Doc<"users">): number {
  return isApproved(user) ? CODE_STEP_LIFE_MS : sessionLifeMs(user);
}

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

/**
 * After the clock was set back: lives and idle times that would last until it has caught up begin anew, a batch at a
 * time.
 */
export async function restartAheadOfClock(ctx: MutationCtx, nowMs: number): Promise<void> {
  const latestEndMs = nowMs + MEMBER_SESSION_LIFE_MS + CORRECTION_MAX_MS;
  const sessions = await ctx.db
    .query("authSessions")
    .withIndex("by_expirationTime", (q) => q.gt("expirationTime", latestEndMs))
    .take(SWEEP_SESSIONS_MAX);
  for (const { _id, userId } of sessions) {
    const lifeMs = sessionLifeMs(await ctx.db.get("users", userId));
    await ctx.db.patch("authSessions", _id, { expirationTime: nowMs + lifeMs });
  }
  for (const isAdminSession of [true, false]) {
    const activities = await ctx.db
      .query("sessionActivity")
      .withIndex("by_isAdmin_and_lastActiveAt", (q) =>
        q.eq("isAdmin", isAdminSession).gt("lastActiveAt", nowMs + CORRECTION_MAX_MS),
      )
      .take(SWEEP_SESSIONS_MAX);
    for (const { _id } of activities) {
      await ctx.db.patch("sessionActivity", _id, { lastActiveAt: nowMs });
    }
  }
}
