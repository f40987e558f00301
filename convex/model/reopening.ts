/**
 * Reopening: a rejected application is looked at again, from the beginning. Ours: the specification has a rejection,
 * but no way back other than an approval.
 *
 * Not here: the review itself and its decisions (model/registrations).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { VERIFICATION_CHECKS } from "../shared/validators";
import { accountsOf } from "./accounts";
import { requestInTurn } from "./infoRequests";
import { messageOf } from "./messages";
import { clearChecks, standingOf, UNVERIFIED } from "./registrations";
import { recordAct, type StaffCtx } from "./staffActs";
import { signInText } from "./standing";
import { change, getUser } from "./users";

/**
 * True for somebody whose membership a rejection ended: they were created by staff, or have had accounts since an
 * approval.
 */
export async function isFormerMember(ctx: QueryCtx, person: Doc<"users">): Promise<boolean> {
  if (person.status !== "rejected") return false;
  return person.createdBy !== undefined || (await accountsOf(ctx, person._id)).length > 0;
}

/**
 * Puts a rejected application back to where a review begins: pending, nothing ticked. Sessions go on: nobody's rights
 * have changed. A membership that was ended is no application; only an approval takes that back.
 * @throws AppError USER_NOT_FOUND, REASON_REQUIRED, INVALID_TEXT, ALREADY_DECIDED (not rejected, or a former member)
 */
export async function reopen(
  ctx: StaffCtx,
  userId: Id<"users">,
  reasonText: string,
): Promise<void> {
  const person = await getUser(ctx, userId);
  const reason = messageOf(reasonText);
  const isOpenToIt = person.status === "rejected" && !(await isFormerMember(ctx, person));
  if (!isOpenToIt) throw appError("ALREADY_DECIDED");
  await clearChecks(ctx, userId, VERIFICATION_CHECKS);
  // A question from before the rejection waits again.
  const isAsked = (await requestInTurn(ctx, userId))?.status === "pending";
  const reopened = await change(ctx, person, {
    status: "pending",
    role: "pending",
    rejectionReason: undefined,
    rejectedAt: undefined,
    documents: {
      ...person.documents,
      ...(isAsked ? { verificationStatus: "info_requested" as const } : UNVERIFIED),
    },
  });
  await recordAct(ctx, reopened, {
    event: "Staff reopened your application.",
    notice: {
      kind: "registration",
      title: "Application reopened",
      body: "We are looking at your application again.",
    },
    mail: {
      subject: "We are looking at your application again",
      text: `We have reopened your application and are looking at it again. ${signInText(reopened, "You need not apply again: sign in to see its status.")} We will write to you as soon as a decision is made.`,
    },
    action: "registration.reopen",
    before: standingOf(person),
    after: standingOf(reopened),
    reason,
  });
}
