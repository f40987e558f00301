/**
 * Who may act as an administrator, and who may take rights or the sign-in from whom, so that an administrator who
 * can sign in always remains.
 *
 * Not here: changes by administrators themselves (model/adminUsers, model/registrations).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { INSTITUTION } from "../shared/institution";
import { isAdmin } from "../shared/roles";
import type { Caller } from "./access";
import { mail } from "./notify";
import { codesLeft } from "./otpCodes";
import { change, getUser, listAdmins } from "./users";

/**
 * Guards every change to a person's rights or money: never the caller's own. Whoever acts is an administrator and stays
 * one, so at least one always remains.
 * @throws AppError OWN_ACCOUNT_FORBIDDEN
 */
export function refuseOneself({ user }: Caller, personId: Id<"users">): void {
  if (user._id === personId) throw appError("OWN_ACCOUNT_FORBIDDEN");
}

/**
 * Guards what takes away an administrator's rights or sign-in: whoever does it must have a one-time code
 * left, so that the one who remains can sign in again.
 * @throws AppError OTP_CODES_USED_UP
 */
export async function refuseWithoutCode(
  ctx: QueryCtx & Caller,
  person: Doc<"users">,
): Promise<void> {
  if (person.role !== "admin") return;
  if ((await codesLeft(ctx, ctx.user._id)) === 0) throw appError("OTP_CODES_USED_UP");
}

/** True for an administrator who may still act; what runs in the name of any other stops. */
export function isActingAdmin(person: Doc<"users">): boolean {
  return isAdmin(person) && person.disabledAt === undefined;
}

/** True for an administrator when no other one could sign in. */
async function isLastAdmin(ctx: QueryCtx, person: Doc<"users">): Promise<boolean> {
  if (person.role !== "admin") return false;
  for (const admin of await listAdmins(ctx)) {
    if (admin._id === person._id || admin.disabledAt !== undefined) continue;
    if ((await codesLeft(ctx, admin._id)) !== 0) return false;
  }
  return true;
}

/**
 * Disables sign-in after too many wrong passwords or codes, and tells the person by e-mail. Never the last
 * administrator, whom nobody could enable again; the waits between tries still protect that account.
 * Returns whether it did: false for somebody already disabled.
 */
export async function disableAfterTries(ctx: MutationCtx, userId: Id<"users">): Promise<boolean> {
  const person = await getUser(ctx, userId);
  if (person.disabledAt !== undefined || (await isLastAdmin(ctx, person))) return false;
  await change(ctx, person, { disabledAt: Date.now() });
  await tellDisabled(ctx, person, "after too many wrong passwords or codes");
  return true;
}

/** What an e-mail says about signing in: `text`, or that it is disabled. */
export const signInText = ({ disabledAt }: Doc<"users">, text: string): string =>
  disabledAt === undefined
    ? text
    : `Your sign-in is disabled. To use it again, call us: ${INSTITUTION.supportPhone}.`;

/** By e-mail, because nothing else reaches them: sign-in says no more than for any wrong password. */
export async function tellDisabled(
  ctx: MutationCtx,
  person: Doc<"users">,
  why: string,
): Promise<void> {
  await mail(ctx, person, {
    subject: "Your sign-in has been disabled",
    text: `Your sign-in to online banking was disabled ${why}. To use it again, call us: ${INSTITUTION.supportPhone}.`,
  });
}
