/**
 * The second step of sign-in: what a right code opens.
 *
 * Not here: checking and counting codes (model/otp), the external transfer's code (model/externalTransfers).
 */
import type { MutationCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { homeOf, isApproved } from "../shared/roles";
import type { Caller } from "./access";
import { notify } from "./notify";
import { verifyCode } from "./otp";
import * as securityEvents from "./securityEvents";
import { endIfDue, passSecondFactor } from "./sessions";

/** Of the homes (shared/validators), those that a code opens. */
type HomeAfterCode = "/dashboard" | "/admin";
type LoginAnswer =
  { ok: true; home: HomeAfterCode } | { ok: false; message: string; attemptsLeft?: number };

/**
 * Checks the code of a sign-in; a wrong one is returned, not thrown. `endsAt` is when to look whether the session is
 * over, for one that has just passed.
 * @throws AppError NOT_APPROVED
 */
export async function verifyLogin(
  ctx: MutationCtx & Caller,
  code: string,
): Promise<{ answer: LoginAnswer; endsAt: number | null }> {
  const { user, session } = ctx;
  if (!isApproved(user)) throw appError("NOT_APPROVED");
  const result = await verifyCode(ctx, user, session, code, "login");
  if (!result.ok) {
    const { code: _code, ...answer } = result;
    return { answer, endsAt: null };
  }
  const endsAt = session.factor === null ? await enter(ctx) : null;
  const home = homeOf(user, true) === "/admin" ? "/admin" : "/dashboard";
  return { answer: { ok: true, home }, endsAt };
}

/** Opens the session, and tells the person. Returns when its time is up. */
async function enter(ctx: MutationCtx & Caller): Promise<number | null> {
  const { user, session } = ctx;
  await passSecondFactor(ctx, user, session);
  const endsAt = await endIfDue(ctx, session.sessionId, Date.now());
  await securityEvents.record(ctx, user._id, "signIn", "Signed in.");
  await notify(ctx, user._id, {
    kind: "security",
    title: "New sign-in",
    body: "Your account was signed in to. If this was not you, change your password.",
  });
  return endsAt;
}
