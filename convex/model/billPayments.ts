/**
 * Bill payments: scheduled with a Pending debit, settled on their date by a job, cancelable until
 * then.
 *
 * Scheduled -> Completed (posted) | Failed (with a reason) | Canceled (by the member). Scheduled or
 * Completed -> Canceled (with a reason) when an administrator deletes the row. No balance moves before
 * Completed. Not here: settling (model/billSettlement), the rules (shared/rules/billPayment), posting (model/ledger).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import { v, type ObjectType } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { maskNumber } from "../shared/accountNumbers";
import type { Bill } from "../shared/answers";
import { dateLabel, tomorrowOf } from "../shared/dates";
import { appError } from "../shared/errors";
import { spendableCents } from "../shared/ledger";
import { PAYMENTS_WAITING_MAX } from "../shared/limits";
import { formatUsd } from "../shared/money";
import { shapeText } from "../shared/plainText";
import { BILL_PAYMENT_AMOUNT_RULES, BILL_PAYMENT_SHAPE_RULES } from "../shared/rules/billPayment";
import { billDescription, TEXTS } from "../shared/texts";
import { vAccountType, vBillProvider } from "../shared/validators";
import type { Caller } from "./access";
import { getOwn } from "./accounts";
import { pendingRowOf } from "./billSettlement";
import { findById } from "./byId";
import { judge } from "./judge";
import { addUnpostedRows, removeRows } from "./ledger";
import { countOwnChange } from "./limits";
import { notify } from "./notify";
import { findOutcome, recordOutcome, requestOf } from "./requests";

type Ctx = MutationCtx & Caller;

/** The arguments of billPayments:schedule. */
export const scheduleFields = {
  fromAccount: vAccountType,
  provider: vBillProvider,
  accountNumber: v.string(),
  amountCents: v.int64(),
  scheduleDate: v.string(),
  memo: v.optional(v.string()),
  requestKey: v.string(),
};
export type ScheduleArgs = ObjectType<typeof scheduleFields>;

/**
 * Spec section 7 "Bill pay": the payment and a Pending debit, as one operation.
 * @throws AppError INVALID_TEXT (no request key), REQUEST_KEY_REUSED, FILL_REQUIRED_FIELDS, INVALID_TEXT,
 *   SOURCE_ACCOUNT_NOT_FOUND, INVALID_AMOUNT, INSUFFICIENT_FUNDS, INVALID_DATE, PAYMENT_DATE_TOO_EARLY,
 *   TOO_MANY_PAYMENTS, RATE_LIMITED (in this order of precedence)
 */
export async function schedule(
  ctx: Ctx,
  args: ScheduleArgs,
): Promise<{ billPaymentId: Id<"billPayments"> }> {
  const nowMs = Date.now();
  const { fromAccount, provider, amountCents, scheduleDate } = args;
  const memo = shapeText(args.memo ?? "");
  const accountNumber = shapeText(args.accountNumber);
  const draft = {
    fromAccount,
    provider,
    accountNumber,
    amountCents,
    scheduleDate,
    ...(memo === "" ? {} : { memo }),
  };
  const request = requestOf(ctx.user._id, "billPayment", args.requestKey, draft);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return { billPaymentId: (await getOwnPayment(ctx, earlier))._id };

  judge(BILL_PAYMENT_SHAPE_RULES, draft, undefined);
  const account = await getOwn(ctx, ctx.user._id, fromAccount, "SOURCE_ACCOUNT_NOT_FOUND");
  const facts = { availableCents: spendableCents(account), tomorrow: tomorrowOf(nowMs) };
  judge(BILL_PAYMENT_AMOUNT_RULES, draft, facts);

  // What is waiting must be visible, so that it can be canceled.
  const waiting = await upcoming(ctx, ctx.user._id);
  if (waiting.length >= PAYMENTS_WAITING_MAX) throw appError("TOO_MANY_PAYMENTS");
  await countOwnChange(ctx, ctx.user._id);

  // After this point the payment must be scheduled.
  const billPaymentId = await ctx.db.insert("billPayments", {
    ...draft,
    userId: ctx.user._id,
    status: "Scheduled",
    createdAt: nowMs,
  });
  const row = {
    account,
    type: "debit" as const,
    amountCents,
    description: billDescription(provider),
    category: "Bill Pay" as const,
    date: nowMs,
    status: "Pending" as const,
    scheduledDate: scheduleDate,
    billPaymentId,
    reference: draft.memo,
  };
  const [transactionId] = await addUnpostedRows(ctx, [row], nowMs);
  await ctx.db.patch("billPayments", billPaymentId, { transactionId });
  await recordOutcome(ctx, request, billPaymentId, nowMs);
  await notify(ctx, ctx.user._id, {
    kind: "billPayment",
    title: "Payment scheduled",
    body: `${formatUsd(amountCents)} for your ${provider} bill on ${dateLabel(scheduleDate)}.`,
  });
  return { billPaymentId };
}

/**
 * Cancels the caller's own scheduled payment; its Pending row disappears.
 * @throws AppError NOT_FOUND (not there, or not yours), PAYMENT_NOT_CANCELABLE
 */
export async function cancel(ctx: Ctx, billPaymentId: string): Promise<null> {
  const nowMs = Date.now();
  const payment = await getOwnPayment(ctx, billPaymentId);
  if (payment.status !== "Scheduled") throw appError("PAYMENT_NOT_CANCELABLE");
  await ctx.db.patch("billPayments", payment._id, { status: "Canceled", settledAt: nowMs });
  const row = await pendingRowOf(ctx, payment);
  if (row !== null) {
    await removeRows(ctx, [row], { email: ctx.user.email, actorId: ctx.user._id }, nowMs);
  }
  await tellCanceled(ctx, payment);
  return null;
}

async function tellCanceled(
  ctx: MutationCtx,
  { userId, amountCents, provider }: Doc<"billPayments">,
): Promise<void> {
  await notify(ctx, userId, {
    kind: "billPayment",
    title: "Payment canceled",
    body: `${formatUsd(amountCents)} for your ${provider} bill will not be paid.`,
  });
}

/** A person's scheduled payments, earliest first. */
export async function upcoming(ctx: QueryCtx, userId: Id<"users">): Promise<Bill[]> {
  const payments = await ctx.db
    .query("billPayments")
    .withIndex("by_userId_and_status_and_scheduleDate", (q) =>
      q.eq("userId", userId).eq("status", "Scheduled"),
    )
    .take(PAYMENTS_WAITING_MAX);
  return payments.map(toBill);
}

/** A page of a person's settled, failed or canceled payments, newest first. */
export async function historyPage(
  ctx: QueryCtx,
  userId: Id<"users">,
  options: PaginationOptions,
): Promise<PaginationResult<Bill>> {
  const found = await ctx.db
    .query("billPayments")
    .withIndex("by_userId_and_settledAt", (q) => q.eq("userId", userId).gt("settledAt", 0))
    .order("desc")
    .paginate(options);
  return { ...found, page: found.page.map(toBill) };
}

/**
 * Cancels the payment of a row that an administrator deleted, whether it was posted or not. The member is
 * told about one that was still to come: they are counting on it.
 */
export async function cancelForDeletedRow(
  ctx: MutationCtx,
  billPaymentId: Id<"billPayments">,
  nowMs: number,
): Promise<void> {
  const payment = await ctx.db.get("billPayments", billPaymentId);
  if (payment === null || !["Scheduled", "Completed"].includes(payment.status)) return;
  await ctx.db.patch("billPayments", billPaymentId, {
    status: "Canceled",
    settledAt: nowMs,
    failureReason: TEXTS.removedByInstitution,
  });
  if (payment.status === "Scheduled") await tellCanceled(ctx, payment);
}

async function getOwnPayment(
  ctx: QueryCtx & Caller,
  billPaymentId: string,
): Promise<Doc<"billPayments">> {
  const payment = await findById(ctx, "billPayments", billPaymentId);
  if (payment === null || payment.userId !== ctx.user._id) throw appError("NOT_FOUND");
  return payment;
}

function toBill(payment: Doc<"billPayments">): Bill {
  return {
    _id: payment._id,
    provider: payment.provider,
    fromAccount: payment.fromAccount,
    accountNumber: maskNumber(payment.accountNumber),
    amountCents: payment.amountCents,
    scheduleDate: payment.scheduleDate,
    status: payment.status,
    ...(payment.memo === undefined ? {} : { memo: payment.memo }),
    ...(payment.failureReason === undefined ? {} : { failureReason: payment.failureReason }),
  };
}
