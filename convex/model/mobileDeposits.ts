/**
 * Mobile deposits: submitted with a Pending credit, decided by a review.
 *
 * Pending Review -> Completed (posted) | Failed (with a reason). Not here: the review
 * (model/depositReview), the rules (shared/rules/mobileDeposit).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import { v, type ObjectType } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import type { Deposit } from "../shared/answers";
import { appError } from "../shared/errors";
import { DEPOSITS_WAITING_MAX } from "../shared/limits";
import { formatUsd } from "../shared/money";
import { MOBILE_DEPOSIT_RULES } from "../shared/rules/mobileDeposit";
import { vAccountType } from "../shared/validators";
import type { Caller } from "./access";
import { getOwn } from "./accounts";
import { findUnused } from "./depositImages";
import { judge } from "./judge";
import { addUnpostedRows } from "./ledger";
import { notify } from "./notify";
import { findOutcome, recordOutcome, requestOf } from "./requests";

/** The arguments of mobileDeposits:submit. */
export const submitFields = {
  toAccount: vAccountType,
  amountCents: v.int64(),
  frontImageId: v.string(),
  backImageId: v.string(),
  requestKey: v.string(),
};

/**
 * Spec section 7 "Mobile deposit": the deposit and a Pending credit, as one operation. Both images
 * must be the caller's own, of the right side, and unused.
 * @throws AppError INVALID_TEXT (no request key), REQUEST_KEY_REUSED, DEPOSIT_INCOMPLETE,
 *   DESTINATION_ACCOUNT_NOT_FOUND, INVALID_AMOUNT, DEPOSIT_LIMIT, TOO_MANY_DEPOSITS
 */
export async function submit(
  ctx: MutationCtx & Caller,
  args: ObjectType<typeof submitFields>,
): Promise<{ depositId: Id<"mobileDeposits"> }> {
  const nowMs = Date.now();
  const { requestKey, ...payload } = args;
  const { toAccount, amountCents } = payload;
  const request = requestOf(ctx.user._id, "mobileDeposit", requestKey, payload);
  const earlier = await findOutcome(ctx, request);
  if (earlier !== null) return { depositId: recordedDeposit(ctx, earlier) };

  const front = await findUnused(ctx, ctx.user._id, args.frontImageId);
  const back = await findUnused(ctx, ctx.user._id, args.backImageId);
  if (front?.side !== "front" || back?.side !== "back") throw appError("DEPOSIT_INCOMPLETE");
  const account = await getOwn(ctx, ctx.user._id, toAccount, "DESTINATION_ACCOUNT_NOT_FOUND");
  const draft = { toAccount, amountCents, hasFrontImage: true, hasBackImage: true };
  judge(MOBILE_DEPOSIT_RULES, draft, undefined);
  if (await hasTooManyWaiting(ctx, ctx.user._id)) throw appError("TOO_MANY_DEPOSITS");

  // After this point the deposit must be submitted.
  const depositId = await ctx.db.insert("mobileDeposits", {
    userId: ctx.user._id,
    toAccount,
    amountCents,
    status: "Pending Review",
    createdAt: nowMs,
    frontImageId: front._id,
    backImageId: back._id,
  });
  for (const image of [front, back]) await ctx.db.patch("depositImages", image._id, { depositId });
  const row = {
    account,
    type: "credit" as const,
    amountCents,
    description: "Mobile check deposit",
    category: "Deposit" as const,
    date: nowMs,
    status: "Pending" as const,
    depositId,
  };
  const [transactionId] = await addUnpostedRows(ctx, [row], nowMs);
  await ctx.db.patch("mobileDeposits", depositId, { transactionId });
  await recordOutcome(ctx, request, depositId, nowMs);
  await notify(ctx, ctx.user._id, {
    kind: "deposit",
    title: "Check received",
    body: `Your deposit of ${formatUsd(amountCents)} to ${toAccount} is under review.`,
  });
  return { depositId };
}

/** A page of the caller's own deposits, newest first. */
export async function minePage(
  ctx: QueryCtx,
  userId: Id<"users">,
  options: PaginationOptions,
): Promise<PaginationResult<Deposit>> {
  const found = await ctx.db
    .query("mobileDeposits")
    .withIndex("by_userId_and_createdAt", (q) => q.eq("userId", userId))
    .order("desc")
    .paginate(options);
  return { ...found, page: found.page.map(toDeposit) };
}

async function hasTooManyWaiting(ctx: QueryCtx, userId: Id<"users">): Promise<boolean> {
  const waiting = await ctx.db
    .query("mobileDeposits")
    .withIndex("by_userId_and_status", (q) => q.eq("userId", userId).eq("status", "Pending Review"))
    .take(DEPOSITS_WAITING_MAX);
  return waiting.length === DEPOSITS_WAITING_MAX;
}

function recordedDeposit(ctx: QueryCtx, outcome: string): Id<"mobileDeposits"> {
  const id = ctx.db.normalizeId("mobileDeposits", outcome);
  if (id === null) throw new Error("A recorded deposit has no id");
  return id;
}

function toDeposit(deposit: Doc<"mobileDeposits">): Deposit {
  return {
    _id: deposit._id,
    toAccount: deposit.toAccount,
    amountCents: deposit.amountCents,
    status: deposit.status,
    createdAt: deposit.createdAt,
    ...(deposit.reviewedAt === undefined ? {} : { reviewedAt: deposit.reviewedAt }),
    ...(deposit.reason === undefined ? {} : { reason: deposit.reason }),
  };
}
