/**
 * Sessions: the second step, activity, expiry, revocation.
 *
 * A session is the library's `authSessions` row with its satellites (factor, activity, wrong codes,
 * refresh tokens). Ending it deletes them in one transaction, which ends its live queries; of very many tokens,
 * a job deletes the rest.
 * Security: session ids never leave the server; people see a random `handle`.
 * Not here: who is calling (model/access), codes (model/otp), when a session ends
 * (model/sessionLife).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { SESSIONS_PER_PERSON_MAX, SESSION_TOUCH_INTERVAL_MS } from "../shared/limits";
import { isAdmin } from "../shared/roles";
import { findFactor, subjectOf, type Session } from "./access";
import { randomHex } from "./crypto";
import { requestFacts } from "./limits";
import { policyValue } from "./policies";
import {
  codeStepLifeMs,
  ENDED_MS,
  endsAt,
  findActivity,
  idleLimitMs,
  isEnded,
  sessionLifeMs,
} from "./sessionLife";

const HANDLE_BYTES = 12;
const USER_AGENT_LENGTH_MAX = 300;
const SESSIONS_READ_MAX = 100;
const SWEEP_SESSIONS_MAX = 50;
/**
 * Tokens one mutation deletes. Each deletion counts as a read, of which a mutation has 4,096, and a session may make
 * three thousand tokens in its life (`REFRESHES_PER_SESSION_PER_HOUR_MAX`).
 */
const TOKENS_AT_ONCE_MAX = 1_500;

/**
 * Ends a session, and deletes it with everything that depends on it. Harmless if it is already gone. With more than
 * `tokensMax` tokens its row stays, as ended, until the job has deleted the others. Returns how many it deleted.
 */
export async function endSession(
  ctx: MutationCtx,
  sessionId: Id<"authSessions">,
  tokensMax = TOKENS_AT_ONCE_MAX,
): Promise<number> {
  await revokeSecondFactor(ctx, sessionId);
  const wrong = await ctx.db
    .query("otpSessionAttempts")
    .withIndex("by_authSession", (q) => q.eq("authSession", sessionId))
    .unique();
  if (wrong !== null) await ctx.db.delete("otpSessionAttempts", wrong._id);
  const tokens = await ctx.db
    .query("authRefreshTokens")
    .withIndex("sessionId", (q) => q.eq("sessionId", sessionId))
    .take(tokensMax + 1);
  const deleted = tokens.slice(0, tokensMax);
  for (const token of deleted) await ctx.db.delete("authRefreshTokens", token._id);
  const session = await ctx.db.get("authSessions", sessionId);
  if (session === null) return deleted.length;
  if (deleted.length === tokens.length) await ctx.db.delete("authSessions", sessionId);
  else await ctx.db.patch("authSessions", sessionId, { expirationTime: ENDED_MS });
  return deleted.length;
}

/** Ends sessions as one operation. */
async function endSessions(
  ctx: MutationCtx,
  sessionIds: readonly Id<"authSessions">[],
): Promise<void> {
  let tokensLeft = TOKENS_AT_ONCE_MAX;
  for (const sessionId of sessionIds) tokensLeft -= await endSession(ctx, sessionId, tokensLeft);
}

/** A person's sessions that passed the second step, oldest first. */
export async function factorsOf(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<Doc<"sessionFactors">[]> {
  return await ctx.db
    .query("sessionFactors")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .take(SESSIONS_READ_MAX);
}

/** A person's sessions that have not ended, oldest first. */
async function sessionsOf(ctx: QueryCtx, userId: Id<"users">): Promise<Doc<"authSessions">[]> {
  const sessions = await ctx.db
    .query("authSessions")
    .withIndex("userId", (q) => q.eq("userId", userId))
    .take(SESSIONS_READ_MAX);
  return sessions.filter((session) => !isEnded(session));
}

/** Ends a person's sessions except one. Returns how many. */
export async function endSessionsOf(
  ctx: MutationCtx,
  userId: Id<"users">,
  except?: Id<"authSessions">,
): Promise<number> {
  const others = (await sessionsOf(ctx, userId)).filter((session) => session._id !== except);
  await endSessions(
    ctx,
    others.map(({ _id }) => _id),
  );
  return others.length;
}

/**
 * Withdraws the second step from all of a person's sessions; they stay signed in with the password
 * only (a rejected member still sees the status page).
 */
export async function revokeSecondFactors(ctx: MutationCtx, userId: Id<"users">): Promise<void> {
  for (const { _id } of await sessionsOf(ctx, userId)) await revokeSecondFactor(ctx, _id);
}

async function revokeSecondFactor(ctx: MutationCtx, sessionId: Id<"authSessions">): Promise<void> {
  const factor = await findFactor(ctx, sessionId);
  if (factor !== null) await ctx.db.delete("sessionFactors", factor._id);
  const activity = await findActivity(ctx, sessionId);
  if (activity !== null) await ctx.db.delete("sessionActivity", activity._id);
}

/** Makes room for another session beside these, oldest first: ends those beyond the limit. */
async function endSurplus(
  ctx: MutationCtx,
  oldestFirst: readonly Id<"authSessions">[],
): Promise<void> {
  const surplus = oldestFirst.length - (SESSIONS_PER_PERSON_MAX - 1);
  await endSessions(ctx, oldestFirst.slice(0, Math.max(0, surplus)));
}

/**
 * Before a session is created: refuses disabled people, ends the session in which somebody signs in again
 * and, beyond the limit, the oldest ones still waiting for a code. Those that passed it stay: otherwise
 * anyone who knows the password could sign its owner out. Returns the person.
 * @throws AppError INVALID_CREDENTIALS
 */
export async function prepareNewSession(
  ctx: MutationCtx,
  userId: Id<"users">,
): Promise<Doc<"users">> {
  const user = await ctx.db.get("users", userId);
  if (user === null || user.disabledAt !== undefined) throw appError("INVALID_CREDENTIALS");
  // The library has deleted its own row by now; what depends on it is ours to end.
  const subject = await subjectOf(ctx);
  if (subject !== null) await endSession(ctx, subject.sessionId);
  const waiting: Id<"authSessions">[] = [];
  for (const { _id } of await sessionsOf(ctx, userId)) {
    if ((await findFactor(ctx, _id)) === null) waiting.push(_id);
  }
  await endSurplus(ctx, waiting);
  return user;
}

/**
 * Opens a session, in the transaction that found the password correct: a password change right after ends it
 * with all others. Until its code it lasts a short while.
 * @throws AppError INVALID_CREDENTIALS
 */
export async function openSession(
  ctx: MutationCtx,
  userId: Id<"users">,
): Promise<Id<"authSessions">> {
  const user = await prepareNewSession(ctx, userId);
  const expirationTime = Date.now() + codeStepLifeMs(user);
  return await ctx.db.insert("authSessions", { userId, expirationTime });
}

/**
 * Records that a session passed its second step and, beyond the limit, ends the person's oldest others. At most
 * one factor per session. Its life counts from the password: a code entered late gives no extra time.
 */
export async function passSecondFactor(
  ctx: MutationCtx,
  user: Doc<"users">,
  session: Session,
): Promise<void> {
  if (session.factor !== null) return;
  const nowMs = Date.now();
  const { userAgent } = await requestFacts(ctx);
  const passed = await factorsOf(ctx, user._id);
  await endSurplus(
    ctx,
    passed.map(({ authSession }) => authSession),
  );
  const expirationTime = session.openedAt + sessionLifeMs(user);
  await ctx.db.patch("authSessions", session.sessionId, { expirationTime });
  await ctx.db.insert("sessionFactors", {
    authSession: session.sessionId,
    userId: user._id,
    handle: randomHex(HANDLE_BYTES),
    passedAt: nowMs,
    ...(userAgent === null ? {} : { userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }),
  });
  await ctx.db.insert("sessionActivity", {
    authSession: session.sessionId,
    isAdmin: isAdmin(user),
    lastActiveAt: nowMs,
  });
}

/** Updates a session's last activity, at most once per interval. For real user input only. */
export async function touch(ctx: MutationCtx, session: Session): Promise<void> {
  const activity = await findActivity(ctx, session.sessionId);
  const nowMs = Date.now();
  if (activity === null) return;
  // Forwards or back: a time from before the clock was set back would keep an idle session open until then.
  const elapsedMs = Math.abs(nowMs - activity.lastActiveAt);
  if (elapsedMs < SESSION_TOUCH_INTERVAL_MS / 2) return;
  await ctx.db.patch("sessionActivity", activity._id, { lastActiveAt: nowMs });
}

/**
 * Ends sessions past their absolute life or idle for too long, in batches bounded by sessions and by their
 * tokens. Returns how many it looked after; run it again until there are none.
 */
export async function endDueSessions(ctx: MutationCtx, nowMs: number): Promise<number> {
  const expired = await ctx.db
    .query("authSessions")
    .withIndex("by_expirationTime", (q) => q.lte("expirationTime", nowMs))
    .take(SWEEP_SESSIONS_MAX);
  const due = new Set(expired.map((session) => session._id));
  const policy = await policyValue(ctx, "idleTimeout");
  for (const isAdminSession of [true, false]) {
    const limitMs = idleLimitMs(policy, isAdminSession);
    if (limitMs === null) continue;
    const idle = await ctx.db
      .query("sessionActivity")
      .withIndex("by_isAdmin_and_lastActiveAt", (q) =>
        q.eq("isAdmin", isAdminSession).lte("lastActiveAt", nowMs - limitMs),
      )
      .take(SWEEP_SESSIONS_MAX);
    for (const activity of idle) due.add(activity.authSession);
  }
  let [endedCount, tokensLeft] = [0, TOKENS_AT_ONCE_MAX];
  for (const sessionId of due) {
    if (tokensLeft === 0) break;
    tokensLeft -= await endSession(ctx, sessionId, tokensLeft);
    endedCount += 1;
  }
  return endedCount;
}

/**
 * Ends a session whose time is up. Returns when to look again, in ms since epoch; null once it is
 * gone.
 */
export async function endIfDue(
  ctx: MutationCtx,
  sessionId: Id<"authSessions">,
  nowMs: number,
): Promise<number | null> {
  const session = await ctx.db.get("authSessions", sessionId);
  const user = session === null ? null : await ctx.db.get("users", session.userId);
  if (session !== null && user !== null) {
    const dueAt = await endsAt(ctx, user, { sessionId, expiresAt: session.expirationTime });
    if (dueAt > nowMs) return dueAt;
  }
  // Also cleans up after one that the library ended by itself.
  await endSession(ctx, sessionId);
  return null;
}
