/**
 * Bounded reads of what happened: newest rows, month totals, charts.
 *
 * Totals come from projections, so their cost does not grow with history. Not here: pages with
 * filters (model/history), statements (model/statements).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import type { TxRow } from "../shared/answers";
import { isMonth } from "../shared/dates";
import { appError } from "../shared/errors";
import { addToTotals, totalOfType, type CategoryTotal } from "../shared/ledger";
import { RECENT_TRANSACTIONS_MAX, STATEMENT_PERIODS_MAX } from "../shared/limits";
import { sumCents, type Cents } from "../shared/money";
import { ACCOUNT_TYPES } from "../shared/validators";

/** A century of months on both accounts. */
export const MONTHS_READ_MAX = 2_400;

/** A row as its member sees it. */
export function toTxRow(row: Doc<"transactions">): TxRow {
  return {
    _id: row._id,
    accountType: row.accountType,
    type: row.type,
    amountCents: row.amountCents,
    description: row.description,
    category: row.category,
    status: row.status,
    date: row.date,
    ...(row.reference === undefined ? {} : { reference: row.reference }),
    ...(row.scheduledDate === undefined ? {} : { scheduledDate: row.scheduledDate }),
    ...(row.status === "Completed" && row.journalId === undefined ? { isMemo: true as const } : {}),
  };
}

/** Spec section 2 "Recent Transactions": the first 20, newest first. */
export async function recent(ctx: QueryCtx, userId: Id<"users">): Promise<TxRow[]> {
  const rows = await ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_date", (q) =>
      q.eq("userId", userId).eq("isVisible", true),
    )
    .order("desc")
    .take(RECENT_TRANSACTIONS_MAX);
  return rows.map(toTxRow);
}

/** The newest rows of one account. */
export async function newestOfAccount(
  ctx: QueryCtx,
  accountId: Id<"accounts">,
  count: number,
): Promise<TxRow[]> {
  const rows = await ctx.db
    .query("transactions")
    .withIndex("by_accountId_and_isVisible_and_date", (q) =>
      q.eq("accountId", accountId).eq("isVisible", true),
    )
    .order("desc")
    .take(count);
  return rows.map(toTxRow);
}

/**
 * Spec section 2 "Monthly Income", "Monthly Outgoing"; failed rows do not count.
 * @throws AppError INVALID_DATE for a text that is not a month
 */
export async function monthTotals(ctx: QueryCtx, userId: Id<"users">, month: string) {
  const totals = await totalsOfMonth(ctx, userId, month);
  const income = totalOfType(totals, "credit");
  const outgoing = totalOfType(totals, "debit");
  return {
    incomeCents: income.totalCents,
    incomeCount: income.count,
    outgoingCents: outgoing.totalCents,
    outgoingCount: outgoing.count,
  };
}

/**
 * Debits of a month by category, largest first.
 * @throws AppError INVALID_DATE for a text that is not a month
 */
export async function spendingByCategory(ctx: QueryCtx, userId: Id<"users">, month: string) {
  const totals = await totalsOfMonth(ctx, userId, month);
  return totals
    .filter((entry) => entry.type === "debit")
    .sort((one, other) => Number(other.totalCents - one.totalCents))
    .map(({ category, totalCents, count }) => ({ category, totalCents, count }));
}

/** Spec section 2 "Pending tile". */
export async function pendingTotals(
  ctx: QueryCtx,
  userId: Id<"users">,
): Promise<{ totalCents: Cents; count: number }> {
  const row = await ctx.db
    .query("pendingTotals")
    .withIndex("by_userId", (q) => q.eq("userId", userId))
    .unique();
  return { totalCents: row?.totalCents ?? 0n, count: row?.count ?? 0 };
}

/**
 * Income, outgoing and the balance at the end of each month, over all accounts of a person.
 * @throws AppError INVALID_DATE for a text that is not a month, or for more than 13 months
 */
export async function monthlySeries(ctx: QueryCtx, userId: Id<"users">, months: string[]) {
  if (months.length > STATEMENT_PERIODS_MAX || !months.every(isMonth)) {
    throw appError("INVALID_DATE");
  }
  const all = await ctx.db
    .query("accountMonths")
    .withIndex("by_userId_and_month", (q) => q.eq("userId", userId))
    .take(MONTHS_READ_MAX);
  return months.map((month) => {
    const totals = mergeTotals(all.filter((row) => row.month === month));
    return {
      month,
      incomeCents: totalOfType(totals, "credit").totalCents,
      outgoingCents: totalOfType(totals, "debit").totalCents,
      endBalanceCents: sumCents(all.filter((row) => row.month <= month).map((row) => row.netCents)),
    };
  });
}

/** An account's balance before a month begins: the net of all earlier months. */
export async function openingOfMonth(
  ctx: QueryCtx,
  accountId: Id<"accounts">,
  month: string,
): Promise<Cents> {
  const earlier = await ctx.db
    .query("accountMonths")
    .withIndex("by_accountId_and_month", (q) => q.eq("accountId", accountId).lt("month", month))
    .take(MONTHS_READ_MAX);
  return sumCents(earlier.map((row) => row.netCents));
}

async function totalsOfMonth(
  ctx: QueryCtx,
  userId: Id<"users">,
  month: string,
): Promise<CategoryTotal[]> {
  if (!isMonth(month)) throw appError("INVALID_DATE");
  const rows = await ctx.db
    .query("accountMonths")
    .withIndex("by_userId_and_month", (q) => q.eq("userId", userId).eq("month", month))
    .take(ACCOUNT_TYPES.length);
  return mergeTotals(rows);
}

function mergeTotals(rows: readonly Doc<"accountMonths">[]): CategoryTotal[] {
  return rows
    .flatMap((row) => row.totals)
    .reduce<CategoryTotal[]>((merged, entry) => addToTotals(merged, entry), []);
}
