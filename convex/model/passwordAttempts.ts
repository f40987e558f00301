/**
 * Passwords: what a try is compared with, wrong tries, growing waits.
 *
 * Counted by e-mail whether or not an account exists, so that a reply never tells. The functions
 * return, because a throw would roll the counter back.
 * Not here: hashing (model/hashQueue), what a session is (model/sessions).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import {
  MS,
  PASSWORD_LOCK_MAX_MS,
  PASSWORD_LOCK_MIN_MS,
  PASSWORD_WRONG_IN_ROW_DISABLE,
  PASSWORD_WRONG_IN_ROW_LOCK,
  SIGN_INS_PER_ADDRESS_PER_HOUR_MAX,
  SIGN_INS_PER_ADDRESS_PER_MINUTE_MAX,
} from "../shared/limits";
import { isWaiting } from "../shared/waits";
import { isEqualConstantTime } from "./crypto";
import { takeAddressToken } from "./limits";
import * as securityEvents from "./securityEvents";
import { endSessionsOf, openSession } from "./sessions";
import { disableAfterTries } from "./standing";
import { findPasswordAccount } from "./users";

async function attemptsOf(ctx: QueryCtx, email: string): Promise<Doc<"passwordAttempts"> | null> {
  return await ctx.db
    .query("passwordAttempts")
    .withIndex("by_email", (q) => q.eq("email", email))
    .unique();
}

const isLocked = (attempts: Doc<"passwordAttempts"> | null, nowMs: number): boolean =>
  isWaiting(attempts?.lockedUntil, PASSWORD_LOCK_MAX_MS, nowMs);

export type TryStart =
  | { readonly kind: "limited" }
  /** `storedHash` is null for an unknown e-mail: hash anyway, so that the time does not tell. */
  | { readonly kind: "check"; readonly storedHash: string | null };

/** First half of a try: limits by address, waits by e-mail. `email` is canonical. */
export async function startTry(
  ctx: MutationCtx,
  email: string,
  addressKeys: readonly string[],
): Promise<TryStart> {
  const isAddressFree =
    (await takeAddressToken(ctx, addressKeys, {
      name: "signInMinute",
      max: SIGN_INS_PER_ADDRESS_PER_MINUTE_MAX,
      windowMs: MS.MINUTE_MS,
    })) &&
    (await takeAddressToken(ctx, addressKeys, {
      name: "signInHour",
      max: SIGN_INS_PER_ADDRESS_PER_HOUR_MAX,
      windowMs: MS.HOUR_MS,
    }));
  if (!isAddressFree || isLocked(await attemptsOf(ctx, email), Date.now())) {
    return { kind: "limited" };
  }
  const account = await findPasswordAccount(ctx, email);
  return { kind: "check", storedHash: account?.secret ?? null };
}

/** More than the longest wait takes; the power stays a number that is exact. */
const DOUBLINGS_MAX = 20;

/** Wait after a wrong password: none at first, from the tenth in a row 1 minute, doubling to 1 hour. */
function waitMs(inRow: number): number {
  const beyond = inRow - PASSWORD_WRONG_IN_ROW_LOCK;
  if (beyond < 0) return 0;
  return Math.min(
    PASSWORD_LOCK_MAX_MS,
    PASSWORD_LOCK_MIN_MS * 2 ** Math.min(beyond, DOUBLINGS_MAX),
  );
}

async function countWrong(
  ctx: MutationCtx,
  email: string,
  attempts: Doc<"passwordAttempts"> | null,
  account: Doc<"authAccounts"> | null,
): Promise<void> {
  const nowMs = Date.now();
  const inRow = (attempts?.inRow ?? 0) + 1;
  const pauseMs = waitMs(inRow);
  const fields = {
    inRow,
    updatedAt: nowMs,
    ...(pauseMs === 0 ? {} : { lockedUntil: nowMs + pauseMs }),
  };
  if (attempts === null) await ctx.db.insert("passwordAttempts", { email, ...fields });
  else await ctx.db.patch("passwordAttempts", attempts._id, fields);
  if (account === null) return;
  if (inRow === PASSWORD_WRONG_IN_ROW_LOCK) {
    await securityEvents.record(ctx, account.userId, "locked", "Too many wrong passwords.");
  }
  const isDisableDue = inRow >= PASSWORD_WRONG_IN_ROW_DISABLE;
  if (isDisableDue && (await disableAfterTries(ctx, account.userId))) {
    await endSessionsOf(ctx, account.userId);
  }
}

export type TryOutcome =
  | { readonly kind: "limited" }
  | { readonly kind: "wrong" }
  | {
      readonly kind: "right";
      readonly userId: Id<"users">;
      readonly sessionId: Id<"authSessions">;
    };

/**
 * Second half of a try: compares the derived hash with the stored one as it is now, counts, and opens the
 * session if they match.
 * Parallel tries beyond the limit are refused here without being compared.
 */
export async function settleTry(
  ctx: MutationCtx,
  email: string,
  derivedHash: string,
): Promise<TryOutcome> {
  const attempts = await attemptsOf(ctx, email);
  if (isLocked(attempts, Date.now())) return { kind: "limited" };
  const account = await findPasswordAccount(ctx, email);
  const user = account === null ? null : await ctx.db.get("users", account.userId);
  const isRight = isEqualConstantTime(derivedHash, account?.secret ?? "");
  if (!isRight || account === null || user === null || user.disabledAt !== undefined) {
    await countWrong(ctx, email, attempts, account);
    return { kind: "wrong" };
  }
  if (attempts !== null) await ctx.db.delete("passwordAttempts", attempts._id);
  const { userId } = account;
  return { kind: "right", userId, sessionId: await openSession(ctx, userId) };
}

/** Forgets an e-mail's wrong passwords, so that the person may try again. */
export async function unlock(ctx: MutationCtx, email: string): Promise<void> {
  const attempts = await attemptsOf(ctx, email);
  if (attempts !== null) await ctx.db.delete("passwordAttempts", attempts._id);
}

/** When an e-mail's passwords are tried again, in ms since epoch, whether or not that is over. */
export async function lockedUntil(ctx: QueryCtx, email: string): Promise<number | undefined> {
  return (await attemptsOf(ctx, email))?.lockedUntil;
}

/** Ends an e-mail's wait. The wrong passwords before it still count. True if there was one to end. */
export async function endWait(ctx: MutationCtx, email: string): Promise<boolean> {
  const attempts = await attemptsOf(ctx, email);
  if (attempts === null || !isLocked(attempts, Date.now())) return false;
  await ctx.db.patch("passwordAttempts", attempts._id, { lockedUntil: undefined });
  return true;
}

const SWEEP_ROWS_MAX = 200;

/** Deletes counters untouched for 30 days, a batch at a time. */
export async function sweepAttempts(ctx: MutationCtx, nowMs: number): Promise<void> {
  const stale = await ctx.db
    .query("passwordAttempts")
    .withIndex("by_updatedAt", (q) => q.lt("updatedAt", nowMs - 30 * MS.DAY_MS))
    .take(SWEEP_ROWS_MAX);
  for (const row of stale) await ctx.db.delete("passwordAttempts", row._id);
}
