/**
 * Immediate transfers: between own accounts, to another person here, international.
 *
 * Each is one atomic operation (spec section 7 "Transfer"): flat refusals in the order shape,
 * ownership, gate and restrictions, amount, funds, recipient; then the writes. Not here: the rules
 * (shared/rules), transfers to US banks (model/externalTransfers), posting (model/ledger).
 */
import { v, type ObjectType } from "convex/values";
import type { MutationCtx } from "../_generated/server";
import type { Receipt } from "../shared/answers";
import { canonicalEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { spendableCents } from "../shared/ledger";
import { formatUsd } from "../shared/money";
import { displayName } from "../shared/names";
import { shapeText, withoutSpaces } from "../shared/plainText";
import { AMOUNT_RULES } from "../shared/rules/amount";
import { INTERNAL_TRANSFER_SHAPE_RULES } from "../shared/rules/internalTransfer";
import {
  INTERNATIONAL_TRANSFER_SHAPE_RULES,
  shapeIban,
  shapeSwift,
} from "../shared/rules/internationalTransfer";
import {
  USER_TRANSFER_AMOUNT_RULES,
  USER_TRANSFER_SHAPE_RULES,
} from "../shared/rules/userTransfer";
import { vAccountType, vTransferType } from "../shared/validators";
import type { Caller } from "./access";
import { findOwn, getOwn } from "./accounts";
import { judge } from "./judge";
import { notify } from "./notify";
import { findReachable, shownName } from "./recipients";
import { findOutcome, requestOf } from "./requests";
import { execute, getReceipt } from "./transferExecution";
import { passGate } from "./transferGate";

type Ctx = MutationCtx & Caller;

/** The arguments of transfers:submit; which optional ones count depends on the type. */
export const submitFields = {
  transferType: vTransferType,
  fromAccount: vAccountType,
  amountCents: v.int64(),
  reference: v.string(),
  requestKey: v.string(),
  /** internal */
  toAccount: v.optional(vAccountType),
  /** user */
  recipientEmail: v.optional(v.string()),
  /** user: the recipient's name, as the sender was shown it */
  shownName: v.optional(v.string()),
  /** international */
  recipientName: v.optional(v.string()),
  bankName: v.optional(v.string()),
  swiftCode: v.optional(v.string()),
  accountNumber: v.optional(v.string()),
  iban: v.optional(v.string()),
  country: v.optional(v.string()),
  currency: v.optional(v.string()),
};
export type SubmitArgs = ObjectType<typeof submitFields>;

/**
 * Executes a transfer once per request key.
 * @throws AppError INVALID_TRANSFER_TYPE, INVALID_TEXT (no request key), REQUEST_KEY_REUSED, then as the
 *   transfer's type says
 */
export async function submitTransfer(ctx: Ctx, args: SubmitArgs): Promise<Receipt> {
  switch (args.transferType) {
    case "internal":
      return await sendInternal(ctx, args);
    case "user":
      return await sendToUser(ctx, args);
    case "international":
      return await sendInternational(ctx, args);
    case "external":
      throw appError("INVALID_TRANSFER_TYPE");
  }
}

/**
 * Spec section 5 "Internal transfer".
 * @throws AppError FILL_ALL_FIELDS, SAME_ACCOUNT, INVALID_TEXT, SOURCE_ACCOUNT_NOT_FOUND,
 *   DESTINATION_ACCOUNT_NOT_FOUND, TRANSFER_BLOCKED, INVALID_AMOUNT, INSUFFICIENT_FUNDS
 */
async function sendInternal(ctx: Ctx, args: SubmitArgs): Promise<Receipt> {
  const nowMs = Date.now();
  const { fromAccount, amountCents } = args;
  const reference = shapeText(args.reference);
  const draft = { fromAccount, toAccount: args.toAccount ?? "", amountCents, reference };
  const request = requestOf(ctx.user._id, "internal", args.requestKey, draft);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return await getReceipt(ctx, earlier);

  judge(INTERNAL_TRANSFER_SHAPE_RULES, draft, undefined);
  const toAccount = args.toAccount ?? fromAccount;
  const source = await getOwn(ctx, ctx.user._id, fromAccount, "SOURCE_ACCOUNT_NOT_FOUND");
  const target = await getOwn(ctx, ctx.user._id, toAccount, "DESTINATION_ACCOUNT_NOT_FOUND");
  await passGate(ctx, ctx.user, "internal", nowMs);
  const facts = { availableCents: spendableCents(source) };
  judge(AMOUNT_RULES, draft, facts);

  // After this point the transfer must succeed.
  const receipt = await execute(ctx, request, nowMs, {
    transferType: "internal",
    source,
    amountCents,
    reference,
    toLabel: toAccount,
    details: { toAccount },
    debitText: `Transfer to ${toAccount}`,
    counterparty: {
      account: target,
      amountCents,
      row: creditRow(`Transfer from ${fromAccount}`, reference),
    },
  });
  await notify(ctx, ctx.user._id, {
    kind: "transfer",
    title: "Transfer completed",
    body: `${formatUsd(amountCents)} moved from ${fromAccount} to ${toAccount}.`,
  });
  return receipt;
}

/**
 * Spec section 5 "Transfer to a product user"; to the recipient's Checking account. The recipient
 * is read last (as in spec section 7), so that refused transfers reveal nobody.
 * @throws AppError FILL_ALL_FIELDS, INVALID_TEXT, SOURCE_ACCOUNT_NOT_FOUND, TRANSFER_BLOCKED,
 *   INVALID_AMOUNT, INSUFFICIENT_FUNDS, INVALID_EMAIL, OWN_ACCOUNT, RECIPIENT_NOT_FOUND (also for another name than
 *   `shownName`), RECIPIENT_ACCOUNT_NOT_FOUND
 */
async function sendToUser(ctx: Ctx, args: SubmitArgs): Promise<Receipt> {
  const nowMs = Date.now();
  const { fromAccount, amountCents } = args;
  const reference = shapeText(args.reference);
  const recipientEmail = canonicalEmail(args.recipientEmail ?? "");
  const draft = { fromAccount, recipientEmail, amountCents, reference };
  const request = requestOf(ctx.user._id, "user", args.requestKey, draft);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return await getReceipt(ctx, earlier);

  judge(USER_TRANSFER_SHAPE_RULES, draft, undefined);
  const source = await getOwn(ctx, ctx.user._id, fromAccount, "SOURCE_ACCOUNT_NOT_FOUND");
  await passGate(ctx, ctx.user, "user", nowMs);
  const facts = { availableCents: spendableCents(source) };
  judge(USER_TRANSFER_AMOUNT_RULES, draft, facts);
  const recipient = await findReachable(ctx, recipientEmail);
  // An e-mail may have come to be another person's since the sender was shown a name.
  const isAsShown =
    recipient !== null && (args.shownName === undefined || args.shownName === shownName(recipient));
  if (!isAsShown) throw appError("RECIPIENT_NOT_FOUND");
  const target = await findOwn(ctx, recipient._id, "Checking");
  if (target === null) throw appError("RECIPIENT_ACCOUNT_NOT_FOUND");

  // After this point the transfer must succeed.
  const senderName = displayName(ctx.user);
  const toLabel = displayName(recipient);
  const receipt = await execute(ctx, request, nowMs, {
    transferType: "user",
    source,
    amountCents,
    reference,
    toLabel,
    details: { recipientId: recipient._id },
    debitText: `Transfer to ${toLabel}`,
    counterparty: {
      account: target,
      amountCents,
      row: creditRow(`Transfer from ${senderName}`, reference),
    },
  });
  await notify(ctx, ctx.user._id, {
    kind: "transfer",
    title: "Money sent",
    body: `${formatUsd(amountCents)} sent to ${toLabel} from ${fromAccount}.`,
  });
  await notify(ctx, recipient._id, {
    kind: "transfer",
    title: "Money received",
    body: `${formatUsd(amountCents)} received from ${senderName}.`,
  });
  return receipt;
}

/**
 * Spec section 5 "International transfer". The amount is in US dollars; currency and country say
 * what the recipient gets and where.
 * @throws AppError the shape rules' codes, SOURCE_ACCOUNT_NOT_FOUND, ACTIVITY_ALERT,
 *   TRANSFER_BLOCKED, ACCOUNT_LOCKED, INVALID_AMOUNT, INSUFFICIENT_FUNDS
 */
async function sendInternational(ctx: Ctx, args: SubmitArgs): Promise<Receipt> {
  const nowMs = Date.now();
  const iban = shapeIban(args.iban ?? "");
  const draft = {
    fromAccount: args.fromAccount,
    recipientName: shapeText(args.recipientName ?? ""),
    bankName: shapeText(args.bankName ?? ""),
    swiftCode: shapeSwift(args.swiftCode ?? ""),
    accountNumber: withoutSpaces(args.accountNumber ?? ""),
    ...(iban === "" ? {} : { iban }),
    country: args.country ?? "",
    currency: args.currency ?? "",
    amountCents: args.amountCents,
    reference: shapeText(args.reference),
  };
  const request = requestOf(ctx.user._id, "international", args.requestKey, draft);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return await getReceipt(ctx, earlier);

  judge(INTERNATIONAL_TRANSFER_SHAPE_RULES, draft, undefined);
  const source = await getOwn(ctx, ctx.user._id, draft.fromAccount, "SOURCE_ACCOUNT_NOT_FOUND");
  await passGate(ctx, ctx.user, "international", nowMs);
  const facts = { availableCents: spendableCents(source) };
  judge(AMOUNT_RULES, draft, facts);

  // After this point the transfer must succeed.
  const { fromAccount, amountCents, reference, ...details } = draft;
  const toLabel = `${draft.recipientName}, ${draft.bankName}`;
  const receipt = await execute(ctx, request, nowMs, {
    transferType: "international",
    source,
    amountCents,
    reference,
    toLabel,
    details,
    debitText: `Transfer to ${draft.bankName} - ${draft.recipientName}`,
    counterparty: { internalAccount: "internationalClearing", amountCents },
  });
  await notify(ctx, ctx.user._id, {
    kind: "transfer",
    title: "International transfer sent",
    body: `${formatUsd(amountCents)} sent to ${toLabel} from ${fromAccount}.`,
  });
  return receipt;
}

function creditRow(description: string, reference: string) {
  return { description, category: "Transfer" as const, reference };
}
