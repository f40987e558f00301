/**
 * Finds the person behind an e-mail, for transfers between people here.
 *
 * Returns a name and nothing else about the person.
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import type { ReturnedRefusal } from "../shared/answers";
import { canonicalEmail, isEmail } from "../shared/email";
import { appError, messageFor } from "../shared/errors";
import {
  MS,
  RECIPIENT_LOOKUPS_PER_DAY_MAX,
  RECIPIENT_LOOKUPS_PER_MINUTE_MAX,
} from "../shared/limits";
import { isApproved } from "../shared/roles";
import type { Caller } from "./access";
import { requireToken } from "./limits";
import { findByEmail } from "./users";

type Ctx = MutationCtx & Caller;

/**
 * Spec section 5 "Verify". Counts every look-up of a well-formed address; a miss is returned, because
 * a throw would undo its count.
 * @throws AppError INVALID_EMAIL, OWN_ACCOUNT, RATE_LIMITED
 */
export async function findRecipient(
  ctx: Ctx,
  email: string,
): Promise<{ name: string } | ReturnedRefusal> {
  const recipientEmail = canonicalEmail(email);
  if (!isEmail(recipientEmail)) throw appError("INVALID_EMAIL");
  if (recipientEmail === ctx.user.email) throw appError("OWN_ACCOUNT");
  const key = ctx.user._id;
  const minute = { max: RECIPIENT_LOOKUPS_PER_MINUTE_MAX, windowMs: MS.MINUTE_MS };
  const day = { max: RECIPIENT_LOOKUPS_PER_DAY_MAX, windowMs: MS.DAY_MS };
  await requireToken(ctx, { name: "recipientLookupMinute", key, ...minute });
  await requireToken(ctx, { name: "recipientLookupDay", key, ...day });
  const recipient = await findReachable(ctx, recipientEmail);
  if (recipient !== null) return { name: shownName(recipient) };
  const code = "RECIPIENT_NOT_FOUND";
  return { ok: false, code, message: messageFor(code) };
}

/** What the sender reads. Spec section 2: the e-mail is shown if the recipient has no name. */
export const shownName = ({ name, email }: Doc<"users">): string => name?.trim() || email;

/**
 * An approved person by e-mail, or null: applicants and rejected people cannot receive money.
 * @throws AppError OWN_ACCOUNT if it is the caller (compared by id)
 */
export async function findReachable(ctx: Ctx, email: string): Promise<Doc<"users"> | null> {
  const person = await findByEmail(ctx, email);
  if (person?._id === ctx.user._id) throw appError("OWN_ACCOUNT");
  return person !== null && isApproved(person) ? person : null;
}
