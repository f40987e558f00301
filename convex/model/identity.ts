/**
 * A person's name and e-mail, changed by an administrator: after a marriage, for a new mailbox, or because the
 * application had a slip.
 *
 * Not here: the record and its keys (model/users), contact details (model/profiles).
 */
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { INSTITUTION } from "../shared/institution";
import type { ArgsOf } from "../shared/moneyChanges";
import { canonicalEmail } from "../shared/email";
import { displayName } from "../shared/names";
import { isAccepted } from "../shared/roles";
import { IDENTITY_RULES, identityCommand, type Identity } from "../shared/rules/identity";
import type { Caller } from "./access";
import { append } from "./audit";
import { protectedAccountEmail } from "./env";
import { judge } from "./judge";
import { messageOf } from "./messages";
import { mail, notify } from "./notify";
import { unlock as unlockPassword } from "./passwordAttempts";
import { clearChecks } from "./registrations";
import { isFormerMember } from "./reopening";
import { requireSecondAdminForIdentity, type Approval } from "./secondAdmin";
import { record } from "./securityEvents";
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
export async function setIdentity(ctx: MutationCtx & Caller & Approval, args: Args): Promise<void> {
  const person = await getUser(ctx, args.userId);
  refuseOneself(ctx.user, person);
  const { before, after, reason } = await judgedChange(ctx, person, args);
  // A former member's too: one alone could reject a member, change both, and approve again.
  const isOrWasMember = isAccepted(person) || (await isFormerMember(ctx, person));
  if (isOrWasMember) await requireSecondAdminForIdentity(ctx, ctx.user._id);
  const hasNewName = after.name !== before.name;
  const hasNewEmail = after.email !== before.email;
  const changed = await change(ctx, person, {
    // A name that was never given goes on following the e-mail.
    ...(hasNewName ? { name: after.name } : {}),
    ...(hasNewEmail ? { email: after.email } : {}),
  });
  if (hasNewEmail) {
    // Wrong tries from before it had an account.
    await unlockPassword(ctx, after.email);
    if (!isAccepted(person)) await clearChecks(ctx, person._id, ["emailValid"]);
  }
  await tell(ctx, { before: person, after: changed, hasNewName, hasNewEmail });
  await append(ctx, {
    actor: ctx.user,
    action: "identity.set",
    targetLabel: before.email,
    personId: person._id,
    before,
    after,
    reason,
  });
}

/** By e-mail, on the security page and in the bell. */
async function tell(
  ctx: MutationCtx,
  {
    before,
    after,
    hasNewName,
    hasNewEmail,
  }: {
    before: Doc<"users">;
    after: Doc<"users">;
    hasNewName: boolean;
    hasNewEmail: boolean;
  },
): Promise<void> {
  const what = [...(hasNewName ? ["name"] : []), ...(hasNewEmail ? ["email"] : [])].join(" and ");
  const subject = `Your ${what} ${hasNewName && hasNewEmail ? "were" : "was"} changed`;
  const signsInWith = `You sign in with ${after.email} from now on.`;
  await record(ctx, after._id, "staffChange", `Staff changed your ${what}.`);
  await notify(ctx, after._id, {
    kind: "staffChange",
    title: subject,
    body: hasNewEmail ? signsInWith : `Our staff changed it to ${after.name ?? ""}.`,
  });
  const ifNot = `If you did not request it, call us at once: ${INSTITUTION.supportPhone}.`;
  const done = `Our staff changed your ${what} in online banking.`;
  if (hasNewEmail) {
    // Security: not the new address, which whoever can read the old mailbox may not know.
    const goodbye = `${done} You no longer sign in with this address, and we no longer write to it. ${ifNot}`;
    await mail(ctx, before, { subject, text: goodbye });
  }
  const hello = hasNewEmail ? `${done} ${signInText(after, signsInWith)}` : done;
  await mail(ctx, after, { subject, text: `${hello} ${ifNot}` });
}
