/**
 * A person's own sessions: the list in the settings, and signing others out.
 *
 * Not here: how sessions begin and end (model/sessions).
 */
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import type { Caller } from "./access";
import * as securityEvents from "./securityEvents";
import { lastActiveAt } from "./sessionLife";
import { endSession, endSessionsOf, factorsOf } from "./sessions";

/** The caller's sessions after the second step, newest first, under their handles. */
export async function list({ user, session, ...ctx }: QueryCtx & Caller) {
  const oldestFirst = await factorsOf(ctx, user._id);
  return await Promise.all(
    oldestFirst.reverse().map(async (factor) => ({
      handle: factor.handle,
      isCurrent: factor.authSession === session.sessionId,
      createdAt: factor.passedAt,
      lastActiveAt: (await lastActiveAt(ctx, factor.authSession)) ?? factor.passedAt,
      ...(factor.userAgent === undefined ? {} : { userAgent: factor.userAgent }),
    })),
  );
}

/**
 * Ends one of the caller's own sessions by its handle.
 * @throws AppError NOT_FOUND
 */
export async function signOut(ctx: MutationCtx & Caller, handle: string): Promise<void> {
  const factors = await factorsOf(ctx, ctx.user._id);
  const factor = factors.find((candidate) => candidate.handle === handle);
  if (factor === undefined) throw appError("NOT_FOUND");
  await endSession(ctx, factor.authSession);
  await securityEvents.record(ctx, ctx.user._id, "sessionRevoked", "A session was signed out.");
}

/** Ends every other session of the caller. Returns how many of them the list showed. */
export async function signOutOthers(ctx: MutationCtx & Caller): Promise<number> {
  const { user, session } = ctx;
  const shownCount = (await factorsOf(ctx, user._id)).length - 1;
  if ((await endSessionsOf(ctx, user._id, session.sessionId)) > 0) {
    const text = "All other sessions were signed out.";
    await securityEvents.record(ctx, user._id, "sessionRevoked", text);
  }
  return shownCount;
}
