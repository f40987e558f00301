/**
 * Review of mobile deposits by administrators: approve posts the credit, reject posts nothing.
 *
 * Each decision is final, audited and told to the member. Not here: submitting (model/mobileDeposits).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import type { Infer } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import type { vQueuedDeposit } from "../shared/answers";
import { appError } from "../shared/errors";
import { formatUsd } from "../shared/money";
import { displayName } from "../shared/names";
import { TEXTS } from "../shared/texts";
import type { DepositStatus } from "../shared/validators";
import { findById } from "./byId";
import { findingsOf } from "./depositImages";
import { fail, settle } from "./ledger";
import { messageOf } from "./messages";
import { mail, notify } from "./notify";
import { recordAct, type StaffCtx } from "./staffActs";
import { refuseOneself } from "./standing";
import { getUser } from "./users";

type QueuedDeposit = Infer<typeof vQueuedDeposit>;

/** Waiting deposits oldest first; decided ones newest first. */
export async function queuePage(
  ctx: QueryCtx,
  status: DepositStatus,
  options: PaginationOptions,
): Promise<PaginationResult<QueuedDeposit>> {
  const found = await ctx.db
    .query("mobileDeposits")
    .withIndex("by_status_and_createdAt", (q) => q.eq("status", status))
    .order(status === "Pending Review" ? "asc" : "desc")
    .paginate(options);
  return { ...found, page: await Promise.all(found.page.map((one) => toQueued(ctx, one))) };
}

/**
 * Posts the credit; the member's row becomes Completed.
 * @throws AppError NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, DEPOSIT_ALREADY_REVIEWED, INVALID_AMOUNT (as `post`)
 */
export async function approve(ctx: StaffCtx, depositId: string): Promise<null> {
  const nowMs = Date.now();
  const { deposit, row } = await getWaiting(ctx, depositId);
  await settle(
    ctx,
    row,
    { kind: "deposit", internalAccount: "depositClearing", actorId: ctx.user._id },
    nowMs,
  );
  await decide(ctx, deposit, { status: "Completed", nowMs });
  return null;
}

/**
 * Refuses the cheque with a reason; the member's row becomes Failed.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, NOT_FOUND, OWN_ACCOUNT_FORBIDDEN,
 *   DEPOSIT_ALREADY_REVIEWED
 */
export async function reject(ctx: StaffCtx, depositId: string, reasonText: string): Promise<null> {
  const reason = messageOf(reasonText);
  const { deposit, row } = await getWaiting(ctx, depositId);
  await fail(ctx, row);
  await decide(ctx, deposit, { status: "Failed", reason, nowMs: Date.now() });
  return null;
}

/**
 * Fails the deposit of a row that an administrator deleted, whether it was posted or not. If it was still
 * waiting, the member is told, as with any other refusal.
 */
export async function failForDeletedRow(
  ctx: MutationCtx,
  depositId: Id<"mobileDeposits">,
  by: string,
  nowMs: number,
): Promise<void> {
  const deposit = await ctx.db.get("mobileDeposits", depositId);
  if (deposit === null || deposit.status === "Failed") return;
  await ctx.db.patch("mobileDeposits", depositId, {
    status: "Failed",
    reviewedAt: nowMs,
    reviewedBy: by,
    reason: TEXTS.removedByInstitution,
  });
  if (deposit.status !== "Pending Review") return;
  const told = toldOf(deposit, "Failed", TEXTS.removedByInstitution);
  await notify(ctx, deposit.userId, told.notice);
  await mail(ctx, await getUser(ctx, deposit.userId), told.mail);
}

async function decide(
  ctx: StaffCtx,
  deposit: Doc<"mobileDeposits">,
  decision: { status: "Completed" | "Failed"; reason?: string; nowMs: number },
): Promise<void> {
  const { status, reason, nowMs } = decision;
  await ctx.db.patch("mobileDeposits", deposit._id, {
    status,
    reviewedAt: nowMs,
    reviewedBy: ctx.user.email,
    ...(reason === undefined ? {} : { reason }),
  });
  const member = await getUser(ctx, deposit.userId);
  await recordAct(ctx, member, {
    ...toldOf(deposit, status, reason),
    action: status === "Completed" ? "deposit.approve" : "deposit.reject",
    targetLabel: `Deposit of ${formatUsd(deposit.amountCents)} by ${member.email}`,
    before: { status: deposit.status },
    after: { status },
    ...(reason === undefined ? {} : { reason }),
  });
}

/** In the bell and by e-mail: what became of a deposit. */
function toldOf(deposit: Doc<"mobileDeposits">, status: "Completed" | "Failed", reason = "") {
  const amount = formatUsd(deposit.amountCents);
  const isApproval = status === "Completed";
  const title = isApproval ? "Check deposit completed" : "Check deposit not accepted";
  const body = isApproval
    ? `${amount} was added to ${deposit.toAccount}.`
    : `Your deposit of ${amount} was not accepted: ${reason}`;
  return { notice: { kind: "deposit", title, body }, mail: { subject: title, text: body } };
}

async function getWaiting(
  ctx: StaffCtx,
  depositId: string,
): Promise<{ deposit: Doc<"mobileDeposits">; row: Doc<"transactions"> }> {
  const deposit = await findById(ctx, "mobileDeposits", depositId);
  if (deposit === null) throw appError("NOT_FOUND");
  refuseOneself(ctx, deposit.userId);
  if (deposit.status !== "Pending Review") throw appError("DEPOSIT_ALREADY_REVIEWED");
  const { transactionId } = deposit;
  const row = transactionId === undefined ? null : await ctx.db.get("transactions", transactionId);
  if (row === null) throw new Error("A waiting deposit has no row");
  return { deposit, row };
}

async function toQueued(ctx: QueryCtx, deposit: Doc<"mobileDeposits">): Promise<QueuedDeposit> {
  const member = await getUser(ctx, deposit.userId);
  const { reviewedAt, reviewedBy, reason } = deposit;
  return {
    _id: deposit._id,
    userId: deposit.userId,
    email: member.email,
    name: displayName(member),
    toAccount: deposit.toAccount,
    amountCents: deposit.amountCents,
    status: deposit.status,
    createdAt: deposit.createdAt,
    frontImageId: deposit.frontImageId,
    backImageId: deposit.backImageId,
    ...(await findingsOf(ctx, deposit)),
    ...(reviewedAt === undefined ? {} : { reviewedAt }),
    ...(reviewedBy === undefined ? {} : { reviewedBy }),
    ...(reason === undefined ? {} : { reason }),
  };
}
