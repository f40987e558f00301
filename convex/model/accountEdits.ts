/**
 * Account edits by administrators: numbers and balances, with the difference posted as an adjustment.
 *
 * Spec section 5 "Account edit". Identifies accounts by id, never by position. Not here: the rules
 * (shared/rules/accountEdit), posting (model/ledger).
 */
import type { Doc } from "../_generated/dataModel";
import { appError } from "../shared/errors";
import { SHORT_TEXT_LENGTH_MAX } from "../shared/limits";
import { magnitude, type Cents } from "../shared/money";
import type { ArgsOf } from "../shared/moneyChanges";
import { isPlainText, shapeText } from "../shared/plainText";
import { ACCOUNT_EDIT_RULES, accountEditCommand } from "../shared/rules/accountEdit";
import { isNumberFree } from "./accounts";
import { findById } from "./byId";
import { judge } from "./judge";
import { adjust } from "./ledger";
import { requireSecondAdmin } from "./secondAdmin";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { getUser } from "./users";

type EditArgs = ArgsOf<"account.update">;
/** What an edit may change. */
type Edited = Pick<EditArgs, "accountNumber" | "routingNumber" | "balanceCents" | "availableCents">;

/**
 * Applies an edit, audited with its values before and after.
 * @throws AppError ACCOUNT_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, STALE_EDIT or, for an approval,
 *   APPROVAL_OUTDATED (somebody else changed the account since `expected`), INVALID_ADMIN_ACCOUNT_NUMBER,
 *   INVALID_ADMIN_ROUTING_NUMBER, INVALID_AMOUNT, ACCOUNT_NUMBER_TAKEN, INVALID_TEXT, SECOND_ADMIN_REQUIRED
 *   (in this order of precedence)
 */
export async function editAccount(ctx: StaffCtx, args: EditArgs): Promise<null> {
  const nowMs = Date.now();
  const account = await findById(ctx, "accounts", args.accountId);
  if (account === null) throw appError("ACCOUNT_NOT_FOUND");
  refuseOneself(ctx, account.userId);
  const before = editedPart(account);
  if (args.expected !== undefined && !isSame(args.expected, before)) {
    throw appError(ctx.approval === undefined ? "STALE_EDIT" : "APPROVAL_OUTDATED");
  }
  const after = shapedEdit(account, args);
  judge(ACCOUNT_EDIT_RULES, after, account);
  const hasNewNumber = after.accountNumber !== account.accountNumber;
  if (hasNewNumber && !(await isNumberFree(ctx, after.accountNumber))) {
    throw appError("ACCOUNT_NUMBER_TAKEN");
  }
  const reason = shapeText(args.reason ?? "");
  if (!isPlainText(reason, SHORT_TEXT_LENGTH_MAX)) throw appError("INVALID_TEXT");
  await requireSecondAdmin(ctx, changedCents(account, after));

  // After this point the edit must succeed.
  const { accountNumber, routingNumber } = after;
  await ctx.db.patch("accounts", account._id, {
    accountNumber,
    routingNumber,
    lastModified: nowMs,
  });
  await ctx.db.patch("users", account.userId, { lastModified: nowMs });
  await adjust(ctx, account, after, nowMs, ctx.user._id);
  const member = await getUser(ctx, account.userId);
  await recordAct(ctx, member, {
    event: `Your ${account.type} account was updated.`,
    action: "account.update",
    targetLabel: `${account.type} of ${member.email}`,
    accountId: account._id,
    before,
    after,
    ...(reason === "" ? {} : { reason }),
  });
  return null;
}

/** The larger of the changes to the balance and to the available amount. */
function changedCents(before: Edited, after: Edited): Cents {
  const balanceCents = magnitude(after.balanceCents - before.balanceCents);
  const availableCents = magnitude(after.availableCents - before.availableCents);
  return balanceCents > availableCents ? balanceCents : availableCents;
}

/** An edit as it would be written: numbers in the form's shape, or untouched when unchanged. */
export function shapedEdit(account: Doc<"accounts">, args: Edited): Edited {
  const shaped = accountEditCommand.parse(args);
  const { accountNumber, routingNumber } = account;
  return {
    ...shaped,
    ...(args.accountNumber === accountNumber ? { accountNumber } : {}),
    ...(args.routingNumber === routingNumber ? { routingNumber } : {}),
  };
}

/** An account's values that an edit may change. */
export function editedPart(account: Doc<"accounts">): Edited {
  const { accountNumber, routingNumber, balanceCents, availableCents } = account;
  return { accountNumber, routingNumber, balanceCents, availableCents };
}

/** True when the two differ in nothing that an edit may change. */
export function isSame(one: Edited, other: Edited): boolean {
  return (
    one.accountNumber === other.accountNumber &&
    one.routingNumber === other.routingNumber &&
    one.balanceCents === other.balanceCents &&
    one.availableCents === other.availableCents
  );
}
