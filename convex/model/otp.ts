/**
 * One-time codes: checking a code, counting wrong ones.
 *
 * Wrong codes are counted per session and per person; the functions return instead of throwing, because a
 * throw would roll the counters back.
 * Not here: the institution's list (model/otpCodes), what a correct code opens (model/secondStep,
 * model/externalTransfers).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { messageFor, type ErrorCode } from "../shared/errors";
import {
  OTP_CODES_LEFT_FEW,
  OTP_LOCK_MS,
  OTP_WRONG_IN_ROW_DISABLE,
  OTP_WRONG_IN_ROW_LOCK,
  OTP_WRONG_PER_SESSION_MAX,
} from "../shared/limits";
import { isAdmin } from "../shared/roles";
import { isOtpCode } from "../shared/rules/otpCode";
import { isWaiting } from "../shared/waits";
import type { Session } from "./access";
import { notify } from "./notify";
import { codesLeft, findCode, isSpent } from "./otpCodes";
import * as securityEvents from "./securityEvents";
import { endSession, endSessionsOf } from "./sessions";
import { disableAfterTries } from "./standing";

type OtpPurpose = Doc<"otpUses">["purpose"];

/** A wrong code: the refusal, and how many tries the session has left. */
type OtpRefusal = {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly attemptsLeft?: number;
};
type OtpResult = { readonly ok: true } | OtpRefusal;

const refusal = (code: ErrorCode, attemptsLeft?: number): OtpRefusal => ({
  ok: false,
  code,
  message: messageFor(code),
  ...(attemptsLeft === undefined ? {} : { attemptsLeft }),
});

/** Spec section 5: once per session; the stricter policy: once per member, ever. */
async function isUsed(
  ctx: QueryCtx,
  user: Doc<"users">,
  session: Session,
  codeId: Id<"otpCodes">,
): Promise<boolean> {
  const inSession = await ctx.db
    .query("otpUses")
    .withIndex("by_authSession_and_codeId", (q) =>
      q.eq("authSession", session.sessionId).eq("codeId", codeId),
    )
    .first();
  if (inSession !== null) return true;
  return await isSpent(ctx, user._id, codeId);
}

async function attemptsOf(ctx: QueryCtx, userId: Id<"users">): Promise<Doc<"otpAttempts"> | null> {
  return await ctx.db
    .query("otpAttempts")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .unique();
}

async function sessionAttemptsOf(
  ctx: QueryCtx,
  sessionId: Id<"authSessions">,
): Promise<Doc<"otpSessionAttempts"> | null> {
  return await ctx.db
    .query("otpSessionAttempts")
    .withIndex("by_authSession", (q) => q.eq("authSession", sessionId))
    .unique();
}

/**
 * Raises the person's counter; the 10th wrong code in a row locks, the 20th disables. Returns whether
 * that ended the person's sessions.
 */
async function countForPerson(ctx: MutationCtx, user: Doc<"users">): Promise<boolean> {
  const nowMs = Date.now();
  const row = await attemptsOf(ctx, user._id);
  const inRow = (row?.inRow ?? 0) + 1;
  const isLockDue = inRow % OTP_WRONG_IN_ROW_LOCK === 0;
  const fields = {
    inRow,
    updatedAt: nowMs,
    ...(isLockDue ? { lockedUntil: nowMs + OTP_LOCK_MS } : {}),
  };
  if (row === null) await ctx.db.insert("otpAttempts", { userId: user._id, ...fields });
  else await ctx.db.patch("otpAttempts", row._id, fields);
  if (isLockDue) {
    await securityEvents.record(ctx, user._id, "locked", "Too many wrong one-time codes.");
  }
  if (inRow < OTP_WRONG_IN_ROW_DISABLE || !(await disableAfterTries(ctx, user._id))) return false;
  await endSessionsOf(ctx, user._id);
  return true;
}

/** Raises the session's counter and returns how many tries are left; at zero the session ends. */
async function countForSession(ctx: MutationCtx, session: Session): Promise<number> {
  const row = await sessionAttemptsOf(ctx, session.sessionId);
  const wrong = (row?.wrong ?? 0) + 1;
  const left = OTP_WRONG_PER_SESSION_MAX - wrong;
  if (left <= 0) {
    await endSession(ctx, session.sessionId);
    return 0;
  }
  if (row === null) {
    await ctx.db.insert("otpSessionAttempts", { authSession: session.sessionId, wrong });
  } else {
    await ctx.db.patch("otpSessionAttempts", row._id, { wrong });
  }
  return left;
}

async function clearCounters(
  ctx: MutationCtx,
  user: Doc<"users">,
  session: Session,
): Promise<void> {
  const ofPerson = await attemptsOf(ctx, user._id);
  if (ofPerson !== null) await ctx.db.delete("otpAttempts", ofPerson._id);
  const ofSession = await sessionAttemptsOf(ctx, session.sessionId);
  if (ofSession !== null) await ctx.db.delete("otpSessionAttempts", ofSession._id);
}

/**
 * Checks a code and, if it is correct, spends it for this session.
 *
 * Spec section 5 "One-time code at login". Never throws on a wrong code. Returns, in this order:
 * RATE_LIMITED while the person is locked; INVALID_OTP for malformed, unknown, removed and spent
 * codes (all counted; the fifth in a session ends the session, the twentieth in a row all of them).
 */
export async function verifyCode(
  ctx: MutationCtx,
  user: Doc<"users">,
  session: Session,
  code: string,
  purpose: OtpPurpose,
): Promise<OtpResult> {
  const attempts = await attemptsOf(ctx, user._id);
  if (isWaiting(attempts?.lockedUntil, OTP_LOCK_MS, Date.now())) return refusal("RATE_LIMITED");
  const found = isOtpCode(code) ? await findCode(ctx, code) : null;
  if (found === null || (await isUsed(ctx, user, session, found._id))) {
    const isOver = await countForPerson(ctx, user);
    return refusal("INVALID_OTP", isOver ? 0 : await countForSession(ctx, session));
  }
  await ctx.db.insert("otpUses", {
    userId: user._id,
    authSession: session.sessionId,
    codeId: found._id,
    purpose,
    usedAt: Date.now(),
  });
  await clearCounters(ctx, user, session);
  await warnOfFew(ctx, user);
  return { ok: true };
}

/** Anybody running out of codes hears of it while signed in, when they can still get new ones. */
async function warnOfFew(ctx: MutationCtx, user: Doc<"users">): Promise<void> {
  const count = await codesLeft(ctx, user._id);
  if (count === null || count > OTP_CODES_LEFT_FEW) return;
  const next = isAdmin(user)
    ? "Add new ones under Manage OTPs"
    : "Ask our support team for new ones";
  await notify(ctx, user._id, {
    kind: "security",
    title: "One-time codes are running out",
    body: `Codes you have not used yet: ${count}. Each works once, and without one you cannot sign in. ${next} in time.`,
  });
}

/** Forgets a person's wrong codes, so that they may try again. */
export async function unlock(ctx: MutationCtx, userId: Id<"users">): Promise<void> {
  const row = await attemptsOf(ctx, userId);
  if (row !== null) await ctx.db.delete("otpAttempts", row._id);
}

/** When a person may try codes again, in ms since epoch, whether or not that is over; undefined if they need not wait. */
export async function lockedUntil(ctx: QueryCtx, userId: Id<"users">): Promise<number | undefined> {
  return (await attemptsOf(ctx, userId))?.lockedUntil;
}

/** Ends a person's wait. The wrong codes before it still count. True if there was one to end. */
export async function endWait(ctx: MutationCtx, userId: Id<"users">): Promise<boolean> {
  const row = await attemptsOf(ctx, userId);
  if (row === null || !isWaiting(row.lockedUntil, OTP_LOCK_MS, Date.now())) return false;
  await ctx.db.patch("otpAttempts", row._id, { lockedUntil: undefined });
  return true;
}
