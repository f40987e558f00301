/**
 * When one administrator is not enough: the policy `secondAdminApprovalAbove`.
 *
 * Asked by every change of balances, after its other refusals. While an approved request is carried
 * out, `ctx.approval` holds it and nobody asks again. Not here: requests (model/approvals).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { formatUsd, sumCents, type Cents } from "../shared/money";
import { policyValue } from "./policies";

/** Set while a request that a second administrator approved is carried out. */
export type Approval = { readonly approval?: Doc<"approvals"> };

const POLICY = "secondAdminApprovalAbove";
/** More months than any history has. */
const MONTHS_MAX = 1_000;

/**
 * Refuses a change above the limit unless a second administrator approved it.
 * @throws AppError SECOND_ADMIN_REQUIRED
 */
export async function requireSecondAdmin(
  ctx: QueryCtx & Approval,
  amountCents: Cents,
): Promise<void> {
  if (ctx.approval !== undefined) return;
  const limitCents = await policyValue(ctx, POLICY);
  if (limitCents === null || amountCents <= BigInt(limitCents)) return;
  throw appError("SECOND_ADMIN_REQUIRED", { limit: formatUsd(BigInt(limitCents)) });
}

/**
 * The control itself is not switched off by one administrator.
 * @throws AppError SECOND_ADMIN_REQUIRED
 */
export async function requireSecondAdminForPolicy(
  ctx: QueryCtx & Approval,
  key: string,
): Promise<void> {
  const limitCents = key === POLICY ? await policyValue(ctx, POLICY) : null;
  if (limitCents !== null) await requireSecondAdmin(ctx, BigInt(limitCents) + 1n);
}

/** What rows move: those with a journal, each by its amount. */
export function movedCents(rows: readonly Doc<"transactions">[]): Cents {
  return sumCents(rows.map((row) => (row.journalId === undefined ? 0n : row.amountCents)));
}

/** What all visible rows of a person come to, by the months' totals; never less than they move. */
export async function allRowsCents(ctx: QueryCtx, userId: Id<"users">): Promise<Cents> {
  const months = await ctx.db
    .query("accountMonths")
    .withIndex("by_userId_and_month", (q) => q.eq("userId", userId))
    .take(MONTHS_MAX);
  return sumCents(months.flatMap(({ totals }) => totals.map(({ totalCents }) => totalCents)));
}
