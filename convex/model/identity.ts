/**
 * A person's name and e-mail, changed by an administrator: after a marriage, for a new mailbox, or because the
 * application had a slip.
 *
 * Not here: the record and its keys (model/users), contact details (model/profiles).
 */
import type { Doc } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import type { ArgsOf } from "../shared/moneyChanges";
import { canonicalEmail } from "../shared/email";
import { displayName } from "../shared/names";
import { isAccepted } from "../shared/roles";
import { IDENTITY_RULES, identityCommand, type Identity } from "../shared/rules/identity";
import { protectedAccountEmail } from "./env";
import { judge } from "./judge";
import { messageOf } from "./messages";
import { mail } from "./notify";
import * as passwordAttempts from "./passwordAttempts";
import { clearChecks } from "./registrations";
import { isFormerMember } from "./reopening";
import { requireSecondAdminForIdentity, type Approval } from "./secondAdmin";
import { IF_NOT_REQUESTED, recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself, signInText } from "./standing";
import { change, getUser, refuseTaken } from "./users";

type Args = ArgsOf<"identity.set">;

/** A change as it would be written. */
type JudgedChange = {
  readonly before: Identity;
  readonly after: Identity;
  readonly reason: string;
};

/**
 * The change as it would be written.
 * @throws AppError STALE_EDIT or, for an approval, APPROVAL_OUTDATED (somebody else changed them since `expected`),
 *   FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, NOTHING_CHANGED, REASON_REQUIRED, PROTECTED_EMAIL, EMAIL_TAKEN
 *   (in this order of precedence)
 */
export async function judgedChange(
  ctx: QueryCtx & Approval,
  person: Doc<"users">,
  args: Args,
): Promise<JudgedChange> {
  const before = { name: displayName(person), email: person.email };
  const { expected } = args;
  if (expected.name !== before.name || expected.email !== before.email) {
    throw appError(ctx.approval === undefined ? "STALE_EDIT" : "APPROVAL_OUTDATED");
  }
  judge(IDENTITY_RULES, args, before);
  const reason = messageOf(args.reason);
  const after = identityCommand.parse(args);
  if (after.email !== before.email) {
    // Whoever is created with that e-mail gets the flag: the environment has to follow, or there would be two.
    const isAsSet = after.email === canonicalEmail(protectedAccountEmail());
    if (person.isProtected === true && !isAsSet) throw appError("PROTECTED_EMAIL");
    await refuseTaken(ctx, after.email);
  }
  return { before, after, reason };
}

/**
 * Changes name and e-mail, and tells the person at the old address as well as the new one. Sessions go on: nobody's
 * rights have changed. Members find and pay each other by both, so a member's, or a former member's, need a second
 * administrator.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, those of `judgedChange`, SECOND_ADMIN_FOR_IDENTITY (in this
 *   order of precedence)
 */
export async function setIdentity(ctx: StaffCtx, args: Args): Promise<void> {
  const person = await getUser(ctx, args.userId);
  refuseOneself(ctx, person._id);
  const { before, after, reason } = await judgedChange(ctx, person, args);
  // A former member's too: one alone could reject a member, change both, and approve again.
  const isOrWasMember = isAccepted(person) || (await isFormerMember(ctx, person));
  if (isOrWasMember) await requireSecondAdminForIdentity(ctx);
  const hasNewName = after.name !== before.name;
  const hasNewEmail = after.email !== before.email;
  const changed = await change(ctx, person, {
    // A name that was never given goes on following the e-mail.
    ...(hasNewName ? { name: after.name } : {}),
    ...(hasNewEmail ? { email: after.email } : {}),
  });
  if (hasNewEmail) {
    // Wrong tries from before it had an account.
    await passwordAttempts.unlock(ctx, after.email);
    if (!isAccepted(person)) await clearChecks(ctx, person._id, ["emailValid"]);
  }
  const what = [...(hasNewName ? ["name"] : []), ...(hasNewEmail ? ["email"] : [])].join(" and ");
  const subject = `Your ${what} ${hasNewName && hasNewEmail ? "were" : "was"} changed`;
  const done = `Our staff changed your ${what} in online banking.`;
  const signsInWith = `You sign in with ${after.email} from now on.`;
  if (hasNewEmail) {
    // Security: not the new address, which whoever can read the old mailbox may not know.
    const goodbye = `${done} You no longer sign in with this address, and we no longer write to it. ${IF_NOT_REQUESTED}`;
    await mail(ctx, person, { subject, text: goodbye });
  }
  const hello = hasNewEmail ? `${done} ${signInText(changed, signsInWith)}` : done;
  await recordAct(ctx, changed, {
    event: `Staff changed your ${what}.`,
    notice: {
      kind: "staffChange",
      title: subject,
      body: hasNewEmail ? signsInWith : `Our staff changed it to ${after.name}.`,
    },
    mail: { subject, text: `${hello} ${IF_NOT_REQUESTED}` },
    action: "identity.set",
    targetLabel: before.email,
    before,
    after,
    reason,
  });
}
