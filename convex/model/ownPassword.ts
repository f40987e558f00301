/**
 * A person's change of their own password, once for each request key.
 *
 * Not here: the rules (shared/rules/profile), hashing (profile), passwords that staff give (model/oneTimePasswords).
 */
import type { Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { MS, PASSWORD_WRONG_IN_ROW_LOCK } from "../shared/limits";
import { refuseExpired, requirePasswordChange } from "./access";
import { isEqualConstantTime } from "./crypto";
import { takeToken } from "./limits";
import { policyValue } from "./policies";
import { tellOwnChange } from "./profiles";
import { findOutcome, recordOutcome, requestOf } from "./requests";
import { endSessionsOf } from "./sessions";
import { change, findPasswordAccount, getUser, setPasswordHash } from "./users";

/** A change that the caller may ask for again. No password is part of it: nothing of one may be stored. */
const requestOfChange = (personId: Id<"users">, requestKey: string) =>
  requestOf(personId, "passwordChange", requestKey, null);

/**
 * The facts by which a change is judged, and whether one was made with this key; counts the try.
 * @throws AppError INVALID_TEXT, REQUEST_KEY_REUSED
 */
export async function startChange(
  ctx: MutationCtx,
  { personId, requestKey }: { personId: Id<"users">; requestKey?: string },
) {
  const isMade =
    requestKey !== undefined &&
    (await findOutcome(ctx, requestOfChange(personId, requestKey))) !== null;
  const user = await getUser(ctx, personId);
  const account = await findPasswordAccount(ctx, user.email);
  const isFree = await takeToken(ctx, {
    name: "passwordChange",
    key: personId,
    max: PASSWORD_WRONG_IN_ROW_LOCK,
    windowMs: MS.HOUR_MS,
  });
  return {
    isMade,
    isLimited: !isFree,
    storedHash: account?.secret ?? "",
    passwordMinLength: await policyValue(ctx, "passwordMinLength"),
  };
}

/**
 * Writes the new hash and ends every other session; false if the old one changed meanwhile. Hashing took
 * time: a session that was ended meanwhile, perhaps because it was stolen, changes nothing.
 * @throws AppError as `requirePasswordChange`
 */
export async function finishChange(
  ctx: MutationCtx,
  given: { currentHash: string; newHash: string; requestKey?: string },
): Promise<boolean> {
  const { currentHash, newHash, requestKey } = given;
  const nowMs = Date.now();
  const { user, session } = await refuseExpired(ctx, await requirePasswordChange(ctx), nowMs);
  const account = await findPasswordAccount(ctx, user.email);
  if (!isEqualConstantTime(account?.secret ?? "", currentHash)) return false;
  if (requestKey !== undefined) {
    await recordOutcome(ctx, requestOfChange(user._id, requestKey), user._id, nowMs);
  }
  await setPasswordHash(ctx, user, newHash);
  await change(ctx, user, { mustChangePassword: undefined });
  await endSessionsOf(ctx, user._id, session.sessionId);
  await tellOwnChange(ctx, user, "passwordChanged", "Your password was changed");
  return true;
}
