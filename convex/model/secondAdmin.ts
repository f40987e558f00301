/**
 * When one administrator is not enough: the policy `secondAdminApprovalAbove`.
 *
 * Checked by every change that staff makes to balances, after its other refusals; approving a check, which has
 * limits of its own, is not one. While an approved request is carried out, `ctx.approval` holds it and the
 * check is not repeated. Not here: requests (model/approvals).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import { formatUsd, sumCents, type Cents } from "../shared/money";
import type { Caller } from "./access";
import { MONTHS_READ_MAX, pendingTotals } from "./activity";
import { policyValue } from "./policies";

/** Set while a request that a second administrator approved is carried out. */
export type Approval = { readonly approval?: Doc<"approvals"> };

const POLICY = "secondAdminApprovalAbove";
/** Failed rows count in no total. */
const COUNTED_STATUSES = ["Completed", "Pending"] as const;
const NEW_ROWS_READ_MAX = 1_000;
/** A request holds up to 500 rows, and all those waiting about one person are read together. */
export const WAITING_ABOUT_ONE_MAX = 20;

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
 * One administrator alone cannot switch off the control itself.
 * @throws AppError SECOND_ADMIN_REQUIRED
 */
export async function requireSecondAdminForPolicy(
  ctx: QueryCtx & Approval,
  key: string,
): Promise<void> {
  const limitCents = key === POLICY ? await policyValue(ctx, POLICY) : null;
  if (limitCents !== null) await requireSecondAdmin(ctx, BigInt(limitCents) + 1n);
}

/**
 * True when the policy asks for a second administrator, there is one, and none has approved yet: for acts
 * whose weight no amount expresses.
 */
export async function hasToAskSecondAdmin(ctx: QueryCtx & Caller & Approval): Promise<boolean> {
  if (ctx.approval !== undefined || (await policyValue(ctx, POLICY)) === null) return false;
  const admins = await ctx.db
    .query("users")
    .withIndex("by_role", (q) => q.eq("role", "admin"))
    .take(2);
  return admins.some((admin) => admin._id !== ctx.user._id);
}

/**
 * Who is an administrator is part of the control: one alone could create a second of their own, or take
 * away the other's rights. A sole administrator can still appoint others.
 * @throws AppError SECOND_ADMIN_FOR_ROLE
 */
export async function requireSecondAdminForRole(ctx: QueryCtx & Caller & Approval): Promise<void> {
  if (await hasToAskSecondAdmin(ctx)) throw appError("SECOND_ADMIN_FOR_ROLE");
}

/**
 * Money is sent to an e-mail, and the sender reads the name: one alone could have it sent to somebody else.
 * @throws AppError SECOND_ADMIN_FOR_IDENTITY
 */
export async function requireSecondAdminForIdentity(
  ctx: QueryCtx & Caller & Approval,
): Promise<void> {
  if (await hasToAskSecondAdmin(ctx)) throw appError("SECOND_ADMIN_FOR_IDENTITY");
}

/** Waiting requests about a person or, with `undefined`, those about nobody (policies). */
export async function waitingAbout(
  ctx: QueryCtx,
  personId: Id<"users"> | undefined,
): Promise<Doc<"approvals">[]> {
  return await ctx.db
    .query("approvals")
    .withIndex("by_personId_and_status", (q) => q.eq("personId", personId).eq("status", "waiting"))
    .take(WAITING_ABOUT_ONE_MAX);
}

/** What rows move: the amounts of those with a journal. */
export function movedCents(rows: readonly Doc<"transactions">[]): Cents {
  return sumCents(rows.map((row) => (row.journalId === undefined ? 0n : row.amountCents)));
}

/** What all of a person's visible rows add up to, by the months' totals; never less than they move. */
export async function allRowsCents(ctx: QueryCtx, userId: Id<"users">): Promise<Cents> {
  const months = await ctx.db
    .query("accountMonths")
    .withIndex("by_userId_and_month", (q) => q.eq("userId", userId))
    .take(MONTHS_READ_MAX);
  return sumCents(months.flatMap(({ totals }) => totals.map(({ totalCents }) => totalCents)));
}

/**
 * What a person's visible rows add up to, and how much of it is Pending; with `madeUntilMs`, only rows made by
 * then. Beyond 1,000 later rows the sums are too high, so a request that states them counts as out of date.
 */
export async function rowSums(
  ctx: QueryCtx,
  userId: Id<"users">,
  madeUntilMs?: number,
): Promise<{ readonly allCents: Cents; readonly waitingCents: Cents }> {
  const { totalCents: waitingCents } = await pendingTotals(ctx, userId);
  const sums = { allCents: await allRowsCents(ctx, userId), waitingCents };
  if (madeUntilMs === undefined) return sums;
  const later = { Completed: 0n, Pending: 0n };
  for (const status of COUNTED_STATUSES) {
    const rows = await ctx.db
      .query("transactions")
      .withIndex("by_userId_and_isVisible_and_status", (q) =>
        q
          .eq("userId", userId)
          .eq("isVisible", true)
          .eq("status", status)
          .gt("_creationTime", madeUntilMs),
      )
      .take(NEW_ROWS_READ_MAX);
    later[status] = sumCents(rows.map((row) => row.amountCents));
  }
  return {
    allCents: sums.allCents - later.Completed - later.Pending,
    waitingCents: sums.waitingCents - later.Pending,
  };
}
