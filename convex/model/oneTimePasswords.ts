/**
 * The one-time password that staff tell a person who forgot theirs: given at once, or asked of a second administrator;
 * once for each request key.
 *
 * It is made of the page's key and a secret of the deployment, so a page that lost the answer is told the same one
 * again, although only hashes of the password and of the key are stored.
 * Not here: what giving it changes (model/adminUsers).
 */
import type { Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import type { ArgsOf } from "../shared/moneyChanges";
import { resetPassword } from "./adminUsers";
import * as approvals from "./approvals";
import { hmacHex, randomHex, sha256Hex } from "./crypto";
import { otpHmacKey } from "./env";
import { hashInTurn } from "./hashQueue";
import { findOutcome, judgeRequestKey, recordOutcome, requestOf, type Request } from "./requests";
import { hasToAskSecondAdmin, waitingAbout } from "./secondAdmin";
import type { StaffCtx } from "./staffActs";
import { credentialOf, credentialOfHash, getUser } from "./users";

const DIGITS = 16;
const KEY_BYTES = 16;

type ResetArgs = ArgsOf<"user.resetPassword">;

/**
 * The password for a person that goes with an administrator's key, and its hash; a random one without a key.
 * @throws AppError RATE_LIMITED (as `hashInTurn`)
 */
export async function passwordFor(
  adminId: Id<"users">,
  personId: Id<"users">,
  requestKey = randomHex(KEY_BYTES),
): Promise<{ password: string; passwordHash: string }> {
  const text = `one-time password ${adminId} ${personId} ${requestKey}`;
  const password = hmacHex(otpHmacKey(), text).slice(0, DIGITS);
  return { password, passwordHash: await hashInTurn(password, adminId) };
}

/**
 * A reset that its page may ask for again, if it sent a key. Security: the password can be made from the key, of which
 * only a hash is stored.
 * @throws AppError INVALID_TEXT
 */
export function requestOfReset(
  adminId: Id<"users">,
  args: Omit<ResetArgs, "passwordHash">,
  requestKey: string | undefined,
): Request | undefined {
  if (requestKey === undefined) return undefined;
  judgeRequestKey(requestKey);
  return requestOf(adminId, "passwordReset", sha256Hex(`one-time password ${requestKey}`), args);
}

/**
 * Gives the password, or stores it for a second administrator (`isAsked`): whoever knows it can act as the person.
 * @throws AppError REQUEST_KEY_REUSED (also where the password given then is no longer the person's), those of
 *   `resetPassword` and of a request for approval
 */
export async function give(
  ctx: StaffCtx,
  args: ResetArgs,
  request: Request | undefined,
): Promise<{ isAsked: boolean }> {
  const earlier = request === undefined ? null : await findOutcome(ctx, request);
  if (earlier !== null) return { isAsked: await isStillAsked(ctx, args.userId, earlier) };
  const isAsked = await hasToAskSecondAdmin(ctx);
  if (isAsked) await approvals.request(ctx, { kind: "user.resetPassword", args });
  else await resetPassword(ctx, args);
  if (request !== undefined) {
    await recordOutcome(ctx, request, credentialOfHash(args.passwordHash), Date.now());
  }
  return { isAsked };
}

/** Whether the password with this credential waits for approval; false when it is the person's. */
async function isStillAsked(
  ctx: QueryCtx,
  personId: Id<"users">,
  credential: string,
): Promise<boolean> {
  const person = await getUser(ctx, personId);
  if ((await credentialOf(ctx, person)) === credential) return false;
  const waiting = await waitingAbout(ctx, personId);
  const isAsked = waiting.some(
    ({ change }) =>
      change.kind === "user.resetPassword" &&
      credentialOfHash(change.args.passwordHash) === credential,
  );
  // Refused, or replaced by another one: a password that nobody can sign in with is told to nobody.
  if (!isAsked) throw appError("REQUEST_KEY_REUSED");
  return true;
}
