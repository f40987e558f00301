/**
 * The auth library's refresh tokens: checked and counted before the library sees them, and revoked when one
 * is used twice.
 *
 * The library would delete the session that a bogus token names; here that session is merely not refreshed.
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { MS, REFRESHES_PER_SESSION_PER_HOUR_MAX } from "../shared/limits";
import { CORRECTION_MAX_MS } from "../shared/waits";
import { takeToken } from "./limits";
import * as securityEvents from "./securityEvents";
import { isEnded } from "./sessionLife";
import { endSession } from "./sessions";

/** The two halves of a token, when both are ids of their tables. */
function idsIn(ctx: QueryCtx, refreshToken: string) {
  const [tokenHalf, sessionHalf, ...rest] = refreshToken.split("|");
  if (tokenHalf === undefined || sessionHalf === undefined || rest.length > 0) return null;
  const tokenId = ctx.db.normalizeId("authRefreshTokens", tokenHalf);
  const sessionId = ctx.db.normalizeId("authSessions", sessionHalf);
  return tokenId === null || sessionId === null ? null : { tokenId, sessionId };
}

/** The row of a token whose halves belong together, or null. */
async function find(ctx: QueryCtx, refreshToken: string): Promise<Doc<"authRefreshTokens"> | null> {
  const ids = idsIn(ctx, refreshToken);
  const token = ids === null ? null : await ctx.db.get("authRefreshTokens", ids.tokenId);
  return token?.sessionId === ids?.sessionId ? token : null;
}

/**
 * True for a token that we issued, for a live session, of a person who may sign in. Counts it: a session
 * that asks for more than any page does is ended, and its owner told.
 *
 * Security: tokens are rows until their session ends, and when an old one comes back the library goes
 * through all that followed it. A thief who made thousands could make that fail, and stay.
 */
export async function startRefresh(ctx: MutationCtx, refreshToken: string): Promise<boolean> {
  const token = await find(ctx, refreshToken);
  if (token === null) return false;
  const session = await ctx.db.get("authSessions", token.sessionId);
  if (session === null || isEnded(session)) return false;
  const user = await ctx.db.get("users", session.userId);
  if (user === null || user.disabledAt !== undefined) return false;
  await endReuseAheadOfClock(ctx, token, Date.now());
  const isFree = await takeToken(ctx, {
    name: "refreshHour",
    key: token.sessionId,
    max: REFRESHES_PER_SESSION_PER_HOUR_MAX,
    windowMs: MS.HOUR_MS,
  });
  if (isFree) return true;
  await revoke(ctx, token.sessionId, "it was renewed too often");
  return false;
}

/**
 * For some seconds after its first use, the library takes a token again. After the clock was set back, that would last
 * until the clock has caught up, and a copied token would be good for as long.
 */
async function endReuseAheadOfClock(
  ctx: MutationCtx,
  { _id, firstUsedTime = 0 }: Doc<"authRefreshTokens">,
  nowMs: number,
): Promise<void> {
  if (firstUsedTime <= nowMs + CORRECTION_MAX_MS) return;
  await ctx.db.patch("authRefreshTokens", _id, { firstUsedTime: nowMs - CORRECTION_MAX_MS });
}

/**
 * Ends the session of a token that the library refused, and tells its owner: it was used twice, so somebody has
 * a copy. If the session had already ended, this deletes what the library left because it does not know of it.
 */
export async function revokeCopied(ctx: MutationCtx, refreshToken: string): Promise<void> {
  const token = await find(ctx, refreshToken);
  if (token === null) {
    const sessionId = idsIn(ctx, refreshToken)?.sessionId;
    const isGone =
      sessionId !== undefined && (await ctx.db.get("authSessions", sessionId)) === null;
    if (isGone) await endSession(ctx, sessionId);
    return;
  }
  await revoke(ctx, token.sessionId, "a copy of it was used");
}

async function revoke(ctx: MutationCtx, sessionId: Id<"authSessions">, why: string): Promise<void> {
  const session = await ctx.db.get("authSessions", sessionId);
  await endSession(ctx, sessionId);
  if (session === null) return;
  const text = `A session was ended because ${why}.`;
  await securityEvents.record(ctx, session.userId, "sessionRevoked", text);
}
