/**
 * What an operator, with access to the deployment itself, does where no administrator can help.
 *
 * No policy holds back an operator, who could just as well write to the database. So that nothing goes unseen,
 * each act has a reason, an audit log entry in the command's name, and a notice to every administrator.
 * Not here: hashing (operator.ts), the command line (scripts/operator).
 */
import { ConvexError } from "convex/values";
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { replacementAccountNumber } from "../shared/accountNumbers";
import { canonicalEmail, isEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { NAME_LENGTH_MAX } from "../shared/limits";
import { isPlainText } from "../shared/plainText";
import { isAdmin } from "../shared/roles";
import { openPair } from "./accounts";
import { giveOneTimePassword } from "./adminUsers";
import * as audit from "./audit";
import { issuePair } from "./cards";
import { messageOf } from "./messages";
import { mail, notify } from "./notify";
import { addRandomCode, anyCode, maskedCode } from "./otpCodes";
import { change, createWithPassword, findByEmail, hasAnybody, listAdmins } from "./users";

/** What operators are called in the audit log, and in whatever they added. */
const OPERATOR = "operator's command";

/** Only operators see it, so it stays out of the pages' catalogue of refusals, which everybody loads. */
const stillDisabled = (email: string) =>
  new ConvexError({
    code: "ADMINISTRATOR_DISABLED",
    message: `The sign-in of ${email} is disabled, and would stay so`,
  });

/** In the bell and by e-mail, to those who can sign in; not to the person it is about, who is told another way. */
async function tellAdmins(
  ctx: MutationCtx,
  what: string,
  reason: string,
  about?: Doc<"users">,
): Promise<void> {
  const title = "Changed by an operator";
  const text = `By a command on the server, ${what}. Reason given: ${reason}. If nobody here asked for this, find out at once who has access to the server.`;
  for (const admin of await listAdmins(ctx)) {
    if (admin._id === about?._id || admin.disabledAt !== undefined) continue;
    await notify(ctx, admin._id, { kind: "security", title, body: text });
    await mail(ctx, admin, { subject: title, text });
  }
}

/**
 * Gives an administrator a one-time password, whatever the policies require, and forgets their wrong tries.
 * `isEnabling` also enables a disabled sign-in.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, USER_NOT_FOUND, NOT_ADMIN,
 *   ADMINISTRATOR_DISABLED
 */
export async function resetPassword(
  ctx: MutationCtx,
  given: { email: string; reason: string; isEnabling: boolean; passwordHash: string },
): Promise<void> {
  const reason = messageOf(given.reason);
  const person = await findByEmail(ctx, given.email);
  if (person === null) throw appError("USER_NOT_FOUND");
  const { email } = person;
  if (!isAdmin(person)) throw appError("NOT_ADMIN");
  const isDisabled = person.disabledAt !== undefined;
  if (isDisabled && !given.isEnabling) throw stillDisabled(email);
  // Enabled first: the e-mail about the password says whether the person can sign in.
  const enabled = isDisabled ? await change(ctx, person, { disabledAt: undefined }) : person;
  await giveOneTimePassword(ctx, enabled, given.passwordHash, {
    by: OPERATOR,
    shownAs: "An operator",
  });
  await tellAdmins(ctx, `${email} got a one-time password`, reason, person);
  await audit.append(ctx, {
    actorName: OPERATOR,
    action: "user.resetPassword",
    targetLabel: email,
    personId: person._id,
    ...(isDisabled ? { before: { isDisabled }, after: { isDisabled: false } } : {}),
    reason,
  });
}

type NewAdmin = Pick<
  Doc<"users">,
  "email" | "name" | "phone" | "address" | "createdBy" | "mustChangePassword"
>;

/**
 * Creates an administrator that no other administrator makes, the first one too, with accounts of their own. Tells
 * nobody.
 * @throws AppError EMAIL_TAKEN
 */
export async function writeAdmin(
  ctx: MutationCtx,
  admin: NewAdmin,
  passwordHash: string,
  createdAt: number,
): Promise<Doc<"users">> {
  const user = await createWithPassword(
    ctx,
    { createdBy: "system", ...admin, role: "admin", status: "active", createdAt },
    passwordHash,
  );
  await openPair(ctx, user._id, createdAt, replacementAccountNumber);
  await issuePair(ctx, user._id, createdAt);
  return user;
}

/**
 * Makes another administrator, who has to change the password. Returns a one-time code.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, INVALID_EMAIL_FORMAT, USER_NOT_FOUND (nobody is registered: the
 *   first one is made another way), EMAIL_TAKEN
 */
export async function addAdmin(
  ctx: MutationCtx,
  given: { email: string; name: string; reason: string; passwordHash: string },
): Promise<string> {
  const reason = messageOf(given.reason);
  const email = canonicalEmail(given.email);
  const name = given.name.trim();
  if (!isPlainText(name, NAME_LENGTH_MAX)) throw appError("INVALID_TEXT");
  if (!isEmail(email)) throw appError("INVALID_EMAIL_FORMAT");
  if (!(await hasAnybody(ctx))) throw appError("USER_NOT_FOUND");
  const admin = { email, name, createdBy: OPERATOR, mustChangePassword: true };
  const created = await writeAdmin(ctx, admin, given.passwordHash, Date.now());
  await tellAdmins(ctx, `${email} is an administrator now`, reason, created);
  await audit.append(ctx, {
    actorName: OPERATOR,
    action: "user.create",
    targetLabel: email,
    personId: created._id,
    after: { name, role: "admin", status: "active" },
    reason,
  });
  return (await anyCode(ctx)) ?? (await addRandomCode(ctx, OPERATOR)).code;
}

/**
 * Adds a random code that nobody has used, replacing the oldest one when the list is full.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT
 */
export async function addCode(ctx: MutationCtx, reasonText: string): Promise<string> {
  const reason = messageOf(reasonText);
  const { code, removed } = await addRandomCode(ctx, OPERATOR);
  await tellAdmins(ctx, "there is a new one-time code", reason);
  await audit.append(ctx, {
    actorName: OPERATOR,
    action: "otp.add",
    targetLabel: "one-time codes",
    ...(removed === null ? {} : { before: { removed: maskedCode(removed) } }),
    after: { code: maskedCode(code) },
    reason,
  });
  return code;
}
