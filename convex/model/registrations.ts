/**
 * Registrations: application, ticks, approval, rejection.
 *
 * Spec section 4 "Registration status". Each decision writes its copy, notification, e-mail and
 * audit entry in the same transaction.
 * Not here: who may decide (functions), requests for information (model/infoRequests), looking again at a rejected
 * application (model/reopening), accounts and cards themselves (model/accounts, model/cards).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { isAccepted, shownStatus } from "../shared/roles";
import { APPROVAL_RULES } from "../shared/rules/registration";
import type { Application } from "../shared/rules/signup";
import {
  VERIFICATION_CHECKS,
  type IdCardType,
  type MaritalStatus,
  type VerificationCheck,
} from "../shared/validators";
import * as accounts from "./accounts";
import * as cards from "./cards";
import { judge } from "./judge";
import { messageOf } from "./messages";
import { mail } from "./notify";
import { unlock } from "./passwordAttempts";
import { requireSecondAdminForRole } from "./secondAdmin";
import { revokeSecondFactors } from "./sessions";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseWithoutCode, refuseOneself, signInText } from "./standing";
import { change, createWithPassword, getUser } from "./users";

/** Where every applicant's verification begins. */
export const UNVERIFIED = { verificationStatus: "pending" as const };

/**
 * Writes a new applicant: role pending, status pending, verification pending. Tries from before there was an
 * account are forgotten. The caller has already judged the application's rules (shared/rules/signup).
 * @throws AppError EMAIL_TAKEN
 */
export async function register(
  ctx: MutationCtx,
  email: string,
  passwordHash: string,
  application: Application | undefined,
): Promise<Id<"users">> {
  const standing = { email, role: "pending", status: "pending" } as const;
  const record = application === undefined ? { documents: UNVERIFIED } : recordOf(application);
  const user = await createWithPassword(ctx, { ...standing, ...record }, passwordHash);
  await unlock(ctx, email);
  await mail(ctx, user, {
    subject: "We received your application",
    text: "Thank you for applying. Review typically takes 1-2 business days. We will write to you as soon as a decision is made.",
  });
  return user._id;
}

/** The application as the spec's nested record (section 3 "User"). */
export function recordOf(application: Application) {
  const { firstName, lastName, dateOfBirth, nationality } = application;
  const { street, city, state, country, postalCode } = application;
  const { phoneNumber, alternativeEmail, idCardNumber } = application;
  return {
    name: `${firstName} ${lastName}`,
    phone: phoneNumber,
    personalInfo: {
      firstName,
      lastName,
      dateOfBirth,
      nationality,
      maritalStatus: application.maritalStatus as MaritalStatus,
      address: { street, city, state, country, postalCode },
    },
    contactDetails: {
      phoneNumber,
      ...(alternativeEmail === undefined ? {} : { alternativeEmail }),
      emergencyContact: {
        name: application.emergencyName,
        relationship: application.emergencyRelationship,
        phone: application.emergencyPhone,
      },
    },
    documents: {
      idCardType: application.idCardType as IdCardType,
      idCardNumber,
      ...UNVERIFIED,
    },
  };
}

// --- Ticks ----------------------------------------------------------------------------------------

/** The ticks of a person's verification: which, by whom, when. */
export async function listChecks(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<Doc<"verificationChecks">[]> {
  return await ctx.db
    .query("verificationChecks")
    .withIndex("by_userId_and_check", (q) => q.eq("userId", userId))
    .take(VERIFICATION_CHECKS.length);
}

type TickChange = {
  readonly userId: Id<"users">;
  readonly check: VerificationCheck;
  readonly isChecked: boolean;
};

/** Sets or clears one tick. Audited. */
export async function setCheck(
  ctx: StaffCtx,
  { userId, check, isChecked }: TickChange,
): Promise<void> {
  const person = await getUser(ctx, userId);
  const tick = (await listChecks(ctx, userId)).find((row) => row.check === check);
  if (isChecked && tick === undefined) {
    const checkedBy = ctx.user.email;
    await ctx.db.insert("verificationChecks", { userId, check, checkedBy, checkedAt: Date.now() });
  }
  if (!isChecked && tick !== undefined) await ctx.db.delete("verificationChecks", tick._id);
  await recordAct(ctx, person, {
    action: "registration.setCheck",
    before: { [check]: tick !== undefined },
    after: { [check]: isChecked },
  });
}

/** Clears these ticks: what was checked is to be checked again. */
export async function clearChecks(
  ctx: MutationCtx,
  userId: Id<"users">,
  checks: readonly VerificationCheck[],
): Promise<void> {
  for (const tick of await listChecks(ctx, userId)) {
    if (checks.includes(tick.check)) await ctx.db.delete("verificationChecks", tick._id);
  }
}

// --- Decisions ------------------------------------------------------------------------------------

/** What an audit entry says of a person before and after a decision. */
export const standingOf = ({ role, status, rejectionReason }: Doc<"users">) => ({
  role,
  status,
  rejectionReason,
});

/** The status the deciding administrator saw; undefined decides whatever it is now. */
type SeenStatus = ReturnType<typeof shownStatus> | undefined;

/** The part of a person's record that the copies keep: all but the system fields and `passwordGiven`. */
function copyOf({ _id, _creationTime, passwordGiven: _given, ...record }: Doc<"users">) {
  return { ...record, userId: _id };
}

/** Refuses if somebody else decided while the administrator was looking at `seenStatus`. */
function refuseDecidedMeanwhile(person: Doc<"users">, seenStatus: SeenStatus): void {
  if (seenStatus !== undefined && shownStatus(person.status) !== seenStatus) {
    throw appError("ALREADY_DECIDED");
  }
}

/**
 * Approves: status approved, role user, a Checking and a Savings account if there are none, two
 * cards, a copy in `approvedUsers`.
 * @throws AppError USER_NOT_FOUND, ALREADY_DECIDED, CHECKS_INCOMPLETE
 */
export async function approve(
  ctx: StaffCtx,
  userId: Id<"users">,
  seenStatus: SeenStatus,
): Promise<void> {
  const person = await getUser(ctx, userId);
  refuseDecidedMeanwhile(person, seenStatus);
  if (isAccepted(person)) throw appError("ALREADY_DECIDED");
  const ticked = (await listChecks(ctx, userId)).map((tick) => tick.check);
  judge(APPROVAL_RULES, { ticked }, undefined);
  const approved = await makeApproved(ctx, person, ctx.user.email);
  await recordAct(ctx, approved, {
    notice: {
      kind: "registration",
      title: "Welcome",
      body: "Your membership is approved. Your accounts are ready.",
    },
    mail: {
      subject: "Your membership is approved",
      text: `Your application has been approved. ${signInText(approved, "You can sign in now and use your accounts.")}`,
    },
    action: "registration.approve",
    before: standingOf(person),
    after: standingOf(approved),
  });
}

/** The approval itself, without its announcement; the demo data set uses it too. */
export async function makeApproved(
  ctx: MutationCtx,
  person: Doc<"users">,
  approvedBy: string,
): Promise<Doc<"users">> {
  const approved = await change(ctx, person, {
    status: "approved",
    role: "user",
    approvedBy,
    rejectionReason: undefined,
    rejectedAt: undefined,
    documents: { ...person.documents, verificationStatus: "verified" },
  });
  const approvedAt = Date.now();
  await accounts.openPair(ctx, person._id, approvedAt);
  await cards.issuePair(ctx, person._id, approvedAt);
  await ctx.db.insert("approvedUsers", { ...copyOf(approved), approvedAt });
  return approved;
}

/**
 * Rejects: status rejected, role pending, reason and time stored, a copy in `rejectedApplications`.
 * A member loses the second step at once, and is told that the membership has ended; the password still opens the
 * status page.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED,
 *   OWN_ACCOUNT_FORBIDDEN, OTP_CODES_USED_UP, SECOND_ADMIN_FOR_ROLE (an administrator must become a
 *   member first)
 */
export async function reject(
  ctx: StaffCtx,
  userId: Id<"users">,
  reasonText: string,
  seenStatus: SeenStatus,
): Promise<void> {
  const person = await getUser(ctx, userId);
  const rejectionReason = messageOf(reasonText);
  refuseDecidedMeanwhile(person, seenStatus);
  if (person.status === "rejected") throw appError("ALREADY_DECIDED");
  refuseOneself(ctx, person._id);
  await refuseWithoutCode(ctx, person);
  if (person.role === "admin") await requireSecondAdminForRole(ctx);
  const rejected = await makeRejected(ctx, person, rejectionReason);
  const wasMember = isAccepted(person);
  const told = wasMember ? "Your membership has ended." : "We could not approve your application.";
  // The e-mail is to the person as they were before: a member's name has been checked.
  await recordAct(ctx, person, {
    ...(wasMember ? { event: "Staff ended your membership." } : {}),
    notice: {
      kind: "registration",
      title: wasMember ? "Membership ended" : "Application not approved",
      body: wasMember ? `${told} Reason: ${rejectionReason}` : rejectionReason,
    },
    mail: {
      subject: wasMember ? "Your membership has ended" : "About your application",
      text: `${told} Reason: ${rejectionReason}`,
    },
    action: "registration.reject",
    before: standingOf(person),
    after: standingOf(rejected),
    reason: rejectionReason,
  });
}

/** The rejection itself, without its announcement; the demo data set uses it too. */
export async function makeRejected(
  ctx: MutationCtx,
  person: Doc<"users">,
  rejectionReason: string,
): Promise<Doc<"users">> {
  const rejectedAt = Date.now();
  const rejected = await change(ctx, person, {
    status: "rejected",
    role: "pending",
    rejectionReason,
    rejectedAt,
    documents: { ...person.documents, verificationStatus: "rejected" },
  });
  await revokeSecondFactors(ctx, person._id);
  await ctx.db.insert("rejectedApplications", {
    ...copyOf(rejected),
    rejectionReason,
    rejectedAt,
  });
  return rejected;
}
