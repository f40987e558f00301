/**
 * What moved an account's balance in a month, in order, with the balance after each entry.
 *
 * Entries are the visible posted rows and the postings without a row (openings, account edits).
 * Deleted rows and their reversals cancel out and do not appear, so the sum of the entries is always
 * the month's net. Not here: which periods exist (model/statements).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { monthBounds } from "../shared/dates";
import { signedCents } from "../shared/ledger";
import type { Cents } from "../shared/money";
import { openingOfMonth } from "./activity";

/** More than a retail account sees in a month, and within what one return value may hold (8,192 values). */
const MONTH_ENTRIES_MAX = 8_000;

export type MonthEntry = {
  /** The row's, or the posting's when it has none. */
  readonly id: string;
  readonly atMs: number;
  readonly amountCents: Cents;
  readonly balanceAfterCents: Cents;
  /** Absent for a posting without a row. */
  readonly row?: Doc<"transactions">;
  readonly posting?: Doc<"postings">;
};

type MonthOfAccount = {
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  readonly entries: readonly MonthEntry[];
  /** Documents read, rows that moved nothing included. */
  readonly readCount: number;
};

/**
 * Opening balance, entries oldest first, closing balance; null for a month with more than `entriesMax` rows and rowless
 * postings.
 */
export async function readMonth(
  ctx: QueryCtx,
  accountId: Id<"accounts">,
  month: string,
  entriesMax = MONTH_ENTRIES_MAX,
): Promise<MonthOfAccount | null> {
  const openingCents = await openingOfMonth(ctx, accountId, month);
  const { startMs, endMs } = monthBounds(month);
  const rows = await ctx.db
    .query("transactions")
    .withIndex("by_accountId_and_isVisible_and_date", (q) =>
      q.eq("accountId", accountId).eq("isVisible", true).gte("date", startMs).lt("date", endMs),
    )
    .take(entriesMax + 1);
  const rowless = await ctx.db
    .query("postings")
    .withIndex("by_accountId_and_isRowless_and_effectiveAt", (q) =>
      q
        .eq("accountId", accountId)
        .eq("isRowless", true)
        .gte("effectiveAt", startMs)
        .lt("effectiveAt", endMs),
    )
    .take(entriesMax + 1);
  const readCount = rows.length + rowless.length;
  if (readCount > entriesMax) return null;
  const unordered = [
    ...rows
      .filter((row) => row.journalId !== undefined)
      .map((row) => ({
        id: row._id,
        atMs: row.date,
        madeAt: row._creationTime,
        amountCents: signedCents(row.type, row.amountCents),
        row,
      })),
    ...rowless.map((posting) => ({
      id: posting._id,
      atMs: posting.effectiveAt,
      madeAt: posting._creationTime,
      amountCents: posting.amountCents,
      posting,
    })),
  ].sort((one, other) => one.atMs - other.atMs || one.madeAt - other.madeAt);
  let balanceAfterCents = openingCents;
  const entries = unordered.map(({ madeAt: _madeAt, ...entry }) => {
    balanceAfterCents += entry.amountCents;
    return { balanceAfterCents, ...entry };
  });
  return { openingCents, closingCents: balanceAfterCents, entries, readCount };
}
