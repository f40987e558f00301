/**
 * Waits after too many wrong passwords or one-time codes: seen and ended by staff.
 *
 * Not here: counting (model/passwordAttempts, model/otp), what forgets the tries altogether (model/adminUsers).
 */
import type { Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { findById } from "./byId";
import * as codes from "./otp";
import * as passwords from "./passwordAttempts";
import { IF_NOT_REQUESTED, recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { getUser } from "./users";

/** Until when a person waits, by what was wrong; whether that is over is the reader's to judge. */
export async function locksOf(ctx: QueryCtx, userId: Id<"users">) {
  const person = await findById(ctx, "users", userId);
  if (person === null) return {};
  const passwordsUntil = await passwords.lockedUntil(ctx, person.email);
  const codesUntil = await codes.lockedUntil(ctx, userId);
  return {
    ...(passwordsUntil === undefined ? {} : { passwordsUntil }),
    ...(codesUntil === undefined ? {} : { codesUntil }),
  };
}

/**
 * Ends a person's wait, and tells them. Does nothing while there is none, or their sign-in is disabled.
 *
 * Security: the wrong tries go on counting, so that an administrator who guesses a colleague's password gets one more
 * try for each entry here and each e-mail to the colleague, and still has the sign-in disabled in the end.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN
 */
export async function endWait(ctx: StaffCtx, userId: Id<"users">, reason: string): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  // They could not sign in anyway, and enabling forgets the tries.
  if (person.disabledAt !== undefined) return;
  const hadPasswords = await passwords.endWait(ctx, person.email);
  const hadCodes = await codes.endWait(ctx, userId);
  if (!hadPasswords && !hadCodes) return;
  const kinds = [...(hadPasswords ? ["passwords"] : []), ...(hadCodes ? ["one-time codes"] : [])];
  const tries = `wrong ${kinds.join(" and ")}`;
  await recordAct(ctx, person, {
    event: `Staff ended the wait after too many ${tries}.`,
    mail: {
      subject: "Your sign-in was unlocked",
      text: `Our staff ended the wait after too many ${tries}. ${IF_NOT_REQUESTED}`,
    },
    action: "user.unlock",
    before: { lockedBy: tries },
    after: null,
    reason,
  });
}
