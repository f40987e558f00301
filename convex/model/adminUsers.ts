/**
 * What administrators do with people: the detail pane, look-up, role, password, disabling.
 *
 * Each change writes one audit entry and shows on the person's security page.
 * Not here: creation (model/createdUsers), decisions on registrations (model/registrations), money (model/ledger).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { cutEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { LOOKUPS_PER_ADMIN_PER_MINUTE_MAX, MS } from "../shared/limits";
import type { ArgsOf } from "../shared/moneyChanges";
import { isAccepted } from "../shared/roles";
import { readTransferCount } from "../shared/transferCount";
import { accountsOf } from "./accounts";
import * as audit from "./audit";
import { requireToken } from "./limits";
import { mail } from "./notify";
import * as otp from "./otp";
import * as passwordAttempts from "./passwordAttempts";
import { requestsTo, requestView } from "./infoRequests";
import { listChecks } from "./registrations";
import { isFormerMember } from "./reopening";
import { findUnlifted } from "./restrictions";
import { requireSecondAdminForRole } from "./secondAdmin";
import * as securityEvents from "./securityEvents";
import { endSessionsOf } from "./sessions";
import { IF_NOT_REQUESTED, recordAct, type StaffCtx } from "./staffActs";
import { refuseWithoutCode, refuseOneself, signInText, tellDisabled } from "./standing";
import {
  change,
  credentialOf,
  findByEmail,
  getUser,
  givenPassword,
  listRow,
  setPasswordHash,
} from "./users";

/** Everything the detail pane and the verification dialog show; null if there is no such person. */
export async function detail(ctx: QueryCtx, userId: Id<"users">) {
  const user = await ctx.db.get("users", userId);
  if (user === null) return null;
  const requests = await requestsTo(ctx, userId);
  const restriction = await findUnlifted(ctx, userId);
  const checks = await listChecks(ctx, userId);
  const accounts = await accountsOf(ctx, userId);
  return {
    ...(await listRow(ctx, user)),
    phone: user.phone,
    registrationDate: user.registrationDate ?? user.createdAt,
    createdBy: user.createdBy,
    transferCount: readTransferCount(user),
    personalInfo: user.personalInfo,
    contactDetails: user.contactDetails,
    flatAddress: user.address,
    documents: user.documents,
    rejectionReason: user.rejectionReason,
    rejectedAt: user.rejectedAt,
    isFormerMember: await isFormerMember(ctx, user),
    disabledAt: user.disabledAt,
    infoRequests: requests.map(requestView),
    verificationChecks: checks.map(({ check, checkedBy, checkedAt }) => ({
      check,
      checkedBy,
      checkedAt,
    })),
    restriction: restriction === null ? null : restrictionView(restriction),
    accounts: accounts.map(accountView),
  };
}

function restrictionView({ reason, setBy, setAt, expiresAt }: Doc<"restrictions">) {
  return { reason, setBy, setAt, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

function accountView(account: Doc<"accounts">) {
  const { _id, type, accountNumber, routingNumber, balanceCents, availableCents } = account;
  const updatedAt = account.lastModified ?? account.createdAt;
  return { _id, type, accountNumber, routingNumber, balanceCents, availableCents, updatedAt };
}

/**
 * The person with an e-mail, or null. Counted and audited, whether or not there is one.
 * @throws AppError RATE_LIMITED
 */
export async function lookUp(ctx: StaffCtx, email: string): Promise<Doc<"users"> | null> {
  await requireToken(ctx, {
    name: "adminLookup",
    key: ctx.user._id,
    max: LOOKUPS_PER_ADMIN_PER_MINUTE_MAX,
    windowMs: MS.MINUTE_MS,
  });
  const person = await findByEmail(ctx, email);
  await audit.append(ctx, {
    actor: ctx.user,
    action: "user.findByEmail",
    targetLabel: cutEmail(email),
    ...(person === null ? {} : { personId: person._id }),
    after: { isFound: person !== null },
  });
  return person;
}

/**
 * Changes a person's role; their other rights follow at once, and their sessions end.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, PERSON_NOT_APPROVED, OTP_CODES_USED_UP,
 *   SECOND_ADMIN_FOR_ROLE
 */
export async function setRole(
  ctx: StaffCtx,
  userId: Id<"users">,
  role: "user" | "admin",
): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  // Only members may become administrators; applicants must be approved first.
  if (!isAccepted(person)) throw appError("PERSON_NOT_APPROVED");
  // Sent twice, or by two administrators: the second one ends no session.
  if (person.role === role) return;
  await refuseWithoutCode(ctx, person);
  await requireSecondAdminForRole(ctx);
  await change(ctx, person, { role });
  await endSessionsOf(ctx, userId);
  await recordAct(ctx, person, {
    event: "Staff changed your role.",
    action: "user.setRole",
    before: { role: person.role },
    after: { role },
  });
}

/**
 * Gives a person who forgot theirs a one-time password, to be changed after signing in with it. Open
 * sessions end, wrong tries are forgotten, and the person is told.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, APPROVAL_OUTDATED (the person's password or
 *   rights have changed since the request)
 */
export async function resetPassword(
  ctx: StaffCtx,
  { userId, reason, passwordHash, expected }: ArgsOf<"user.resetPassword">,
): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  if (ctx.approval !== undefined) {
    const isUpToDate =
      expected?.isAdmin === (person.role === "admin") &&
      expected.credential === (await credentialOf(ctx, person));
    if (!isUpToDate) throw appError("APPROVAL_OUTDATED");
  }
  const by = ctx.approval?.requestedByEmail ?? ctx.user.email;
  await giveOneTimePassword(ctx, person, passwordHash, { by, shownAs: "Staff" });
  await recordAct(ctx, person, { action: "user.resetPassword", reason });
}

/**
 * The one-time password itself, whoever decided on it; `giver.by` is who knows it, `giver.shownAs` who the
 * person is told it was.
 */
export async function giveOneTimePassword(
  ctx: MutationCtx,
  person: Doc<"users">,
  passwordHash: string,
  giver: { readonly by: string; readonly shownAs: string },
): Promise<void> {
  await setPasswordHash(ctx, person, passwordHash);
  const passwordGiven = givenPassword(giver.by, passwordHash);
  await change(ctx, person, { mustChangePassword: true, passwordGiven });
  await passwordAttempts.unlock(ctx, person.email);
  await otp.unlock(ctx, person._id);
  await endSessionsOf(ctx, person._id);
  const text = `${giver.shownAs} gave you a one-time password.`;
  await securityEvents.record(ctx, person._id, "staffChange", text);
  await mail(ctx, person, {
    subject: "Your password was reset",
    text: `Our staff gave you a one-time password. ${signInText(person, "You will be asked to change it when you sign in.")} ${IF_NOT_REQUESTED}`,
  });
}

/**
 * Disables sign-in, ends all sessions and tells the person by e-mail, or enables a disabled one again and forgets
 * wrong passwords and codes.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, OTP_CODES_USED_UP
 */
export async function setDisabled(
  ctx: StaffCtx,
  { userId, isDisabled, reason }: { userId: Id<"users">; isDisabled: boolean; reason: string },
): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseOneself(ctx, person._id);
  if (isDisabled) await refuseWithoutCode(ctx, person);
  await change(ctx, person, { disabledAt: isDisabled ? Date.now() : undefined });
  if (isDisabled) {
    await endSessionsOf(ctx, userId);
    await tellDisabled(ctx, person, "by our staff");
  } else if (person.disabledAt !== undefined) {
    // Only then: whoever guesses a colleague's password could have the wrong ones forgotten before they count.
    await otp.unlock(ctx, userId);
    await passwordAttempts.unlock(ctx, person.email);
  }
  await recordAct(ctx, person, {
    event: `Staff ${isDisabled ? "disabled" : "enabled"} your sign-in.`,
    action: isDisabled ? "user.disable" : "user.enable",
    before: { isDisabled: person.disabledAt !== undefined },
    after: { isDisabled },
    reason,
  });
}
