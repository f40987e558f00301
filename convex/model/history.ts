/**
 * A person's whole history, in pages, narrowed by filters.
 *
 * An index is read newest first; filters thin it out here, so a page may hold fewer rows than
 * requested, and each call reads a bounded number. With a single account each posted row carries the
 * balance after it. Not here: the newest 20 (model/activity).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import { ConvexError } from "convex/values";
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import type { HistoryRow } from "../shared/answers";
import { dayBounds, isDate, monthOf } from "../shared/dates";
import { appError } from "../shared/errors";
import { PAGE_ROWS_MAX, SHORT_TEXT_LENGTH_MAX } from "../shared/limits";
import type { Cents } from "../shared/money";
import { shapeText } from "../shared/plainText";
import type {
  AccountType,
  Category,
  TransactionStatus,
  TransactionType,
} from "../shared/validators";
import { findOwn } from "./accounts";
import { toTxRow } from "./activity";
import { readMonth } from "./monthEntries";

type HistoryFilters = {
  accountType?: AccountType;
  type?: TransactionType;
  category?: Category;
  status?: TransactionStatus;
  /** `YYYY-MM-DD`, inclusive. */
  fromDate?: string;
  toDate?: string;
  minCents?: Cents;
  maxCents?: Cents;
  text?: string;
};

/** Rows one call may look at before it returns what it has. */
const ROWS_SCANNED_MAX = 2_000;
/**
 * Months, and entries of months, from which one page may compute running balances; further rows go without. Rows with the
 * longest texts take 2.8 KB, and a query may read 16 MiB.
 */
const BALANCE_MONTHS_MAX = 24;
const BALANCE_ENTRIES_MAX = 3_500;

/** Place in the order: date, then creation, both descending. */
type Position = { readonly date: number; readonly madeAt: number };
const END = "end";

/**
 * A page of rows, newest first.
 * @throws AppError INVALID_DATE for a text that is not a date, INVALID_TEXT for one that is too long; ConvexError as
 *   `parseCursor`
 */
export async function historyPage(
  ctx: QueryCtx,
  userId: Id<"users">,
  filters: HistoryFilters,
  options: PaginationOptions,
): Promise<PaginationResult<HistoryRow>> {
  const range = rangeOf(filters);
  const account =
    filters.accountType === undefined ? null : await findOwn(ctx, userId, filters.accountType);
  const after = parseCursor(options.cursor);
  if (after === END || (filters.accountType !== undefined && account === null)) {
    return { page: [], isDone: true, continueCursor: END };
  }
  const rows = rowsBeyond(ctx, userId, account?._id ?? null, range, after);
  const read = await collectPage(rows, withSearchText(filters), options);
  const balances = account === null ? null : await balancesAfter(ctx, account._id, read.found);
  const page = read.found.map((row) => toHistoryRow(row, balances?.get(row._id)));
  const { last, isDone } = read;
  return { page, isDone, continueCursor: isDone || last === null ? END : formatCursor(last) };
}

function toHistoryRow(row: Doc<"transactions">, balanceAfterCents: Cents | undefined): HistoryRow {
  const isSent = row.type === "debit" && row.transferId !== undefined;
  return {
    ...toTxRow(row),
    ...(balanceAfterCents === undefined ? {} : { balanceAfterCents }),
    ...(isSent ? { transferId: row.transferId } : {}),
  };
}

type Range = { readonly startMs: number; readonly endMs: number };

/** Rows beyond a position, newest first: others of its moment, then earlier ones. What lies before is not read. */
async function* rowsBeyond(
  ctx: QueryCtx,
  userId: Id<"users">,
  accountId: Id<"accounts"> | null,
  range: Range,
  after: Position | null,
): AsyncGenerator<Doc<"transactions">> {
  const { startMs, endMs } = range;
  if (after !== null && after.date >= startMs && after.date < endMs) {
    yield* ofMoment(ctx, userId, accountId, after);
  }
  const upToMs = Math.min(endMs, after?.date ?? endMs);
  yield* newestFirst(ctx, userId, accountId, { startMs, endMs: upToMs });
}

function ofMoment(
  ctx: QueryCtx,
  userId: Id<"users">,
  accountId: Id<"accounts"> | null,
  { date, madeAt }: Position,
) {
  const rows = ctx.db.query("transactions");
  const made =
    accountId === null
      ? rows.withIndex("by_userId_and_isVisible_and_date", (q) =>
          q.eq("userId", userId).eq("isVisible", true).eq("date", date).lt("_creationTime", madeAt),
        )
      : rows.withIndex("by_accountId_and_isVisible_and_date", (q) =>
          q
            .eq("accountId", accountId)
            .eq("isVisible", true)
            .eq("date", date)
            .lt("_creationTime", madeAt),
        );
  return made.order("desc");
}

function newestFirst(
  ctx: QueryCtx,
  userId: Id<"users">,
  accountId: Id<"accounts"> | null,
  { startMs, endMs }: Range,
) {
  const rows = ctx.db.query("transactions");
  const inRange =
    accountId === null
      ? rows.withIndex("by_userId_and_isVisible_and_date", (q) =>
          q.eq("userId", userId).eq("isVisible", true).gte("date", startMs).lt("date", endMs),
        )
      : rows.withIndex("by_accountId_and_isVisible_and_date", (q) =>
          q.eq("accountId", accountId).eq("isVisible", true).gte("date", startMs).lt("date", endMs),
        );
  return inRange.order("desc");
}

/** Reads until the page is full, its fixed end is reached, or enough has been read. */
async function collectPage(
  rows: AsyncIterable<Doc<"transactions">>,
  filters: HistoryFilters,
  options: PaginationOptions,
): Promise<{ found: Doc<"transactions">[]; last: Position | null; isDone: boolean }> {
  const wanted = Math.min(Math.max(1, options.numItems), PAGE_ROWS_MAX);
  const end = parseCursor(options.endCursor ?? null);
  const found: Doc<"transactions">[] = [];
  let last: Position | null = null;
  let scannedCount = 0;
  for await (const row of rows) {
    const position = { date: row.date, madeAt: row._creationTime };
    // A page once delivered keeps its end, whatever has been inserted since.
    if (end !== null && end !== END && isBeyond(position, end)) {
      return { found, last: end, isDone: false };
    }
    last = position;
    scannedCount += 1;
    if (matches(row, filters)) found.push(row);
    const isFull = end === null && found.length >= wanted;
    if (isFull || scannedCount >= ROWS_SCANNED_MAX) return { found, last, isDone: false };
  }
  return { found, last, isDone: true };
}

/** True when a position comes after another in the order of the list. */
function isBeyond(position: Position, other: Position): boolean {
  return (
    position.date < other.date || (position.date === other.date && position.madeAt < other.madeAt)
  );
}

function matches(row: Doc<"transactions">, filters: HistoryFilters): boolean {
  const { type, category, status, minCents, maxCents, text } = filters;
  return (
    (type === undefined || row.type === type) &&
    (category === undefined || row.category === category) &&
    (status === undefined || row.status === status) &&
    (minCents === undefined || row.amountCents >= minCents) &&
    (maxCents === undefined || row.amountCents <= maxCents) &&
    (text === undefined || row.searchText.includes(text))
  );
}

/** The filters with their text in the form of a row's `searchText`. */
function withSearchText({ text, ...others }: HistoryFilters): HistoryFilters {
  return text === undefined ? others : { ...others, text: shapeText(text).toLowerCase() };
}

function rangeOf(filters: HistoryFilters): Range {
  const { fromDate, toDate, text } = filters;
  const areDates = [fromDate, toDate].every((date) => date === undefined || isDate(date));
  if (!areDates) throw appError("INVALID_DATE");
  if (text !== undefined && text.length > SHORT_TEXT_LENGTH_MAX) throw appError("INVALID_TEXT");
  return {
    startMs: fromDate === undefined ? -Number.MAX_SAFE_INTEGER : dayBounds(fromDate).startMs,
    endMs: toDate === undefined ? Number.MAX_SAFE_INTEGER : dayBounds(toDate).endMs,
  };
}

/** Balance after each posted row, month by month, as far as a bounded read allows. */
async function balancesAfter(
  ctx: QueryCtx,
  accountId: Id<"accounts">,
  rows: readonly Doc<"transactions">[],
): Promise<Map<Id<"transactions">, Cents>> {
  const posted = rows.filter((row) => row.journalId !== undefined);
  const months = [...new Set(posted.map((row) => monthOf(row.date)))].slice(0, BALANCE_MONTHS_MAX);
  const balances = new Map<Id<"transactions">, Cents>();
  let entriesLeft = BALANCE_ENTRIES_MAX;
  for (const month of months) {
    const read = await readMonth(ctx, accountId, month, entriesLeft);
    if (read === null) break;
    for (const { row, balanceAfterCents } of read.entries) {
      if (row !== undefined) balances.set(row._id, balanceAfterCents);
    }
    entriesLeft -= read.readCount;
  }
  return balances;
}

function formatCursor({ date, madeAt }: Position): string {
  return `${date}/${madeAt}`;
}

/** @throws ConvexError InvalidCursor, on which the client starts again from the first page */
function parseCursor(cursor: string | null): Position | typeof END | null {
  if (cursor === null || cursor === END) return cursor;
  const [date, madeAt, ...rest] = cursor.split("/").map(Number);
  const isValid =
    rest.length === 0 &&
    date !== undefined &&
    madeAt !== undefined &&
    Number.isFinite(date) &&
    Number.isFinite(madeAt);
  if (!isValid) {
    throw new ConvexError({ isConvexSystemError: true, paginationError: "InvalidCursor" });
  }
  return { date, madeAt };
}
