/**
 * Who is calling: session, second step, standing. The only reader of the caller's identity.
 *
 * Security: the order of the checks must not change (identity, live session, standing, second step,
 * role, due password change), so that a stranger learns nothing about what exists. The token carries
 * no rights: every fact is read on each call, so live queries also end when it changes.
 * Not here: what a person may do with money (model/transferGate).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { isAdmin, isApproved, isDueBeforeCode } from "../shared/roles";
import { endsAt, isEnded } from "./sessionLife";

/** The caller's session and, once it has accepted a code, its second step. */
export type Session = {
  readonly sessionId: Id<"authSessions">;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly factor: Doc<"sessionFactors"> | null;
};

/** What a guarded function knows about its caller. */
export type Caller = { readonly user: Doc<"users">; readonly session: Session };

type ReadCtx = Pick<QueryCtx, "auth" | "db">;

/** Reads both halves of the token's subject; null when either is not an id in its table. */
export async function subjectOf(
  ctx: ReadCtx,
): Promise<{ userId: Id<"users">; sessionId: Id<"authSessions"> } | null> {
  const identity = await ctx.auth.getUserIdentity();
  const halves = identity?.subject.split("|") ?? [];
  const [userHalf, sessionHalf] = halves;
  if (halves.length !== 2 || userHalf === undefined || sessionHalf === undefined) return null;
  const userId = ctx.db.normalizeId("users", userHalf);
  const sessionId = ctx.db.normalizeId("authSessions", sessionHalf);
  return userId === null || sessionId === null ? null : { userId, sessionId };
}

/** The second step of a session, or null. */
export const findFactor = (
  ctx: Pick<QueryCtx, "db">,
  sessionId: Id<"authSessions">,
): Promise<Doc<"sessionFactors"> | null> =>
  ctx.db
    .query("sessionFactors")
    .withIndex("by_authSession", (q) => q.eq("authSession", sessionId))
    .unique();

/** The caller with a live session, or null. */
export async function findCaller(ctx: ReadCtx): Promise<Caller | null> {
  const subject = await subjectOf(ctx);
  if (subject === null) return null;
  const session = await ctx.db.get("authSessions", subject.sessionId);
  if (session === null || session.userId !== subject.userId) return null;
  if (isEnded(session)) return null;
  const user = await ctx.db.get("users", subject.userId);
  if (user === null || user.disabledAt !== undefined) return null;
  const factor = await findFactor(ctx, subject.sessionId);
  const ownFactor = factor?.userId === user._id ? factor : null;
  return {
    user,
    session: {
      sessionId: subject.sessionId,
      // The database adds fractions of a millisecond, which keep its order.
      openedAt: Math.floor(session._creationTime),
      expiresAt: session.expirationTime,
      factor: ownFactor,
    },
  };
}

/**
 * The caller after the password step.
 * @throws AppError NOT_SIGNED_IN
 */
async function requireSession(ctx: ReadCtx): Promise<Caller> {
  const caller = await findCaller(ctx);
  if (caller === null) throw appError("NOT_SIGNED_IN");
  return caller;
}

/**
 * The caller after the second step, even when a password change is due.
 * Pending and rejected people never get a code step, so they get that refusal first.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED, OTP_REQUIRED (in this order of precedence)
 */
async function requireSecondFactor(ctx: ReadCtx): Promise<Caller> {
  return passedSecondFactor(await requireSession(ctx));
}

function passedSecondFactor(caller: Caller): Caller {
  if (!isApproved(caller.user)) throw appError("NOT_APPROVED");
  if (caller.session.factor === null) throw appError("OTP_REQUIRED");
  return caller;
}

/**
 * Whoever may change their password: after the second step, even when a change is due.
 *
 * Security: pending and rejected people never get a second step, so theirs is the password alone; they may change one
 * that somebody else set and knows, and no other. The function itself asks for the current one again.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED, OTP_REQUIRED (in this order of precedence)
 */
export async function requirePasswordChange(ctx: ReadCtx): Promise<Caller> {
  const caller = await requireSession(ctx);
  return isDueBeforeCode(caller.user) ? caller : passedSecondFactor(caller);
}

/**
 * An approved or active person after the second step.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED, OTP_REQUIRED, PASSWORD_CHANGE_REQUIRED
 */
async function requireMember(ctx: ReadCtx): Promise<Caller> {
  const caller = await requireSecondFactor(ctx);
  if (caller.user.mustChangePassword === true) throw appError("PASSWORD_CHANGE_REQUIRED");
  return caller;
}

/**
 * An administrator after the second step.
 * @throws AppError NOT_SIGNED_IN, NOT_APPROVED, OTP_REQUIRED, NOT_ADMIN, PASSWORD_CHANGE_REQUIRED
 */
async function requireAdmin(ctx: ReadCtx): Promise<Caller> {
  const caller = await requireSecondFactor(ctx);
  if (!isAdmin(caller.user)) throw appError("NOT_ADMIN");
  if (caller.user.mustChangePassword === true) throw appError("PASSWORD_CHANGE_REQUIRED");
  return caller;
}

/** How far a caller must have got; each names a builder's guard. */
export const GUARDS = ["public", "session", "passwordChange", "member", "admin"] as const;
export type Guard = (typeof GUARDS)[number];

/** The check behind each guarded builder. */
export const REQUIRE = {
  session: requireSession,
  passwordChange: requirePasswordChange,
  member: requireMember,
  admin: requireAdmin,
} as const satisfies Record<Exclude<Guard, "public">, (ctx: ReadCtx) => Promise<Caller>>;

/**
 * Refuses a session that has ended, is idle or is past its absolute life, to the millisecond; a job
 * deletes its rows. Not for queries, which must not read the clock: theirs end when the rows go.
 * @throws AppError NOT_SIGNED_IN
 */
export async function refuseExpired(ctx: ReadCtx, caller: Caller, nowMs: number): Promise<Caller> {
  if ((await endsAt(ctx, caller.user, caller.session)) <= nowMs) throw appError("NOT_SIGNED_IN");
  return caller;
}

/**
 * The administrator who called an action, judged again by the mutation that ends it: it took time, hashing for instance.
 * @throws AppError as `requireAdmin`
 */
export async function judgedAgain(ctx: MutationCtx): Promise<MutationCtx & Caller> {
  const caller = await refuseExpired(ctx, await requireAdmin(ctx), Date.now());
  return { ...ctx, ...caller };
}
