/**
 * Settling bill payments on their date: posted, or failed with a reason. The job's half of model/billPayments.
 */
import { v, type Infer } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { dateOf } from "../shared/dates";
import { messageFor } from "../shared/errors";
import { spendableCents } from "../shared/ledger";
import { formatUsd } from "../shared/money";
import { isApproved } from "../shared/roles";
import { TEXTS } from "../shared/texts";
import { findOwn } from "./accounts";
import { fail, settle } from "./ledger";
import { mail, notify } from "./notify";

/** Payments settled in one mutation; each costs about ten writes. */
const SETTLED_AT_ONCE_MAX = 25;

/** A place in the order in which payments are due: by date, then as they were scheduled. */
export const vDuePlace = v.object({ scheduleDate: v.string(), madeAt: v.number() });
type DuePlace = Infer<typeof vDuePlace>;

/**
 * A batch of the payments due up to today beyond a place, in the order in which they are due. `last` is the place of the
 * last one, from which to go on; null when there are no more.
 */
export async function dueBatch(
  ctx: QueryCtx,
  nowMs: number,
  { scheduleDate, madeAt }: DuePlace = { scheduleDate: "", madeAt: 0 },
): Promise<{ ids: Id<"billPayments">[]; last: DuePlace | null }> {
  const ofThatDate = await ctx.db
    .query("billPayments")
    .withIndex("by_status_and_scheduleDate", (q) =>
      q.eq("status", "Scheduled").eq("scheduleDate", scheduleDate).gt("_creationTime", madeAt),
    )
    .take(SETTLED_AT_ONCE_MAX);
  const later = await ctx.db
    .query("billPayments")
    .withIndex("by_status_and_scheduleDate", (q) =>
      q
        .eq("status", "Scheduled")
        .gt("scheduleDate", scheduleDate)
        .lte("scheduleDate", dateOf(nowMs)),
    )
    .take(SETTLED_AT_ONCE_MAX);
  const due = [...ofThatDate, ...later].slice(0, SETTLED_AT_ONCE_MAX);
  const last = due[SETTLED_AT_ONCE_MAX - 1];
  return {
    ids: due.map(({ _id }) => _id),
    last:
      last === undefined ? null : { scheduleDate: last.scheduleDate, madeAt: last._creationTime },
  };
}

/** Settles a payment that is due. Safe to run twice: a settled one is no longer due. */
export async function settleDuePayment(
  ctx: MutationCtx,
  billPaymentId: Id<"billPayments">,
  nowMs: number,
): Promise<void> {
  const payment = await ctx.db.get("billPayments", billPaymentId);
  const isDue = payment?.status === "Scheduled" && payment.scheduleDate <= dateOf(nowMs);
  if (isDue) await settlePayment(ctx, payment, nowMs);
}

async function settlePayment(
  ctx: MutationCtx,
  payment: Doc<"billPayments">,
  nowMs: number,
): Promise<void> {
  const row = await pendingRowOf(ctx, payment);
  const refusal = await refusalToday(ctx, payment);
  if (row !== null && refusal === null) return await completePayment(ctx, payment, row, nowMs);
  if (row !== null) await fail(ctx, row);
  await failPayment(ctx, payment, refusal ?? messageFor("TRANSACTION_NOT_FOUND"), nowMs);
}

async function completePayment(
  ctx: MutationCtx,
  { _id, userId, provider, amountCents }: Doc<"billPayments">,
  row: Doc<"transactions">,
  nowMs: number,
): Promise<void> {
  const how = { kind: "billPayment", internalAccount: "billClearing" } as const;
  await settle(ctx, row, how, nowMs);
  await ctx.db.patch("billPayments", _id, { status: "Completed", settledAt: nowMs });
  await notify(ctx, userId, {
    kind: "billPayment",
    title: "Payment completed",
    body: `${formatUsd(amountCents)} was paid for your ${provider} bill.`,
  });
}

async function failPayment(
  ctx: MutationCtx,
  { _id, userId, provider, amountCents }: Doc<"billPayments">,
  failureReason: string,
  nowMs: number,
): Promise<void> {
  await ctx.db.patch("billPayments", _id, { status: "Failed", settledAt: nowMs, failureReason });
  const title = "Payment failed";
  const body = `${formatUsd(amountCents)} for your ${provider} bill was not paid: ${failureReason}.`;
  await notify(ctx, userId, { kind: "billPayment", title, body });
  // Nobody may look before the provider asks for the money.
  const member = await ctx.db.get("users", userId);
  if (member !== null) await mail(ctx, member, { subject: title, text: body });
}

/** Why a payment cannot be made today, or null: the member and the funds are judged again. */
async function refusalToday(ctx: QueryCtx, payment: Doc<"billPayments">): Promise<string | null> {
  const user = await ctx.db.get("users", payment.userId);
  if (user === null) return messageFor("USER_NOT_FOUND");
  if (!isApproved(user) || user.disabledAt !== undefined) return TEXTS.membershipInactive;
  const account = await findOwn(ctx, payment.userId, payment.fromAccount);
  if (account === null) return messageFor("SOURCE_ACCOUNT_NOT_FOUND");
  const hasFunds = payment.amountCents <= spendableCents(account);
  return hasFunds ? null : messageFor("INSUFFICIENT_FUNDS");
}

/** The row that shows a payment which is still to come, or null. */
export async function pendingRowOf(
  ctx: QueryCtx,
  payment: Doc<"billPayments">,
): Promise<Doc<"transactions"> | null> {
  if (payment.transactionId === undefined) return null;
  const row = await ctx.db.get("transactions", payment.transactionId);
  return row?.isVisible === true && row.status === "Pending" ? row : null;
}
