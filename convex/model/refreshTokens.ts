/**
 * Refresh tokens of the auth library: checked before the library sees them, and revoked when one
 * was used twice.
 *
 * The library would delete the session that a bogus token names; here it is only not refreshed.
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import * as securityEvents from "./securityEvents";
import { endSession } from "./sessions";

/** The row of a token whose both halves are ids of their tables and belong together, or null. */
async function find(ctx: QueryCtx, refreshToken: string): Promise<Doc<"authRefreshTokens"> | null> {
  const [tokenHalf, sessionHalf, ...rest] = refreshToken.split("|");
  if (tokenHalf === undefined || sessionHalf === undefined || rest.length > 0) return null;
  const tokenId = ctx.db.normalizeId("authRefreshTokens", tokenHalf);
  const sessionId = ctx.db.normalizeId("authSessions", sessionHalf);
  if (tokenId === null || sessionId === null) return null;
  const token = await ctx.db.get("authRefreshTokens", tokenId);
  return token?.sessionId === sessionId ? token : null;
}

/** True for a token that we issued, for a session that lives, of a person who may sign in. */
export async function isRefreshable(ctx: QueryCtx, refreshToken: string): Promise<boolean> {
  const token = await find(ctx, refreshToken);
  if (token === null) return false;
  const session = await ctx.db.get("authSessions", token.sessionId);
  const user = session === null ? null : await ctx.db.get("users", session.userId);
  return user !== null && user.disabledAt === undefined;
}

/** Ends the session of a token that was used twice (somebody has a copy), and tells its owner. */
export async function revokeCopied(ctx: MutationCtx, refreshToken: string): Promise<void> {
  const token = await find(ctx, refreshToken);
  if (token === null) return;
  const session = await ctx.db.get("authSessions", token.sessionId);
  await endSession(ctx, token.sessionId);
  if (session === null) return;
  const text = "A session was ended because its key was used twice.";
  await securityEvents.record(ctx, session.userId, "sessionRevoked", text);
}
