/**
 * Proves one account's month: its net is the sum of its postings, its totals are those of its rows.
 *
 * A normal month is read in one transaction with the document it is compared with. A larger one is read
 * in pages that carry the sums so far; if it changed in between, it is read again from the start, so
 * that changes meanwhile cause no false alarm. Not here: the other documents (model/ledgerCheck).
 */
import { v, type Infer } from "convex/values";
import type { Doc } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { monthBounds } from "../shared/dates";
import { addToTotals, type CategoryTotal } from "../shared/ledger";
import { sumCents, type Cents } from "../shared/money";
import { vCategoryTotal } from "../shared/validators";
import type { Problem, Tally } from "./ledgerCheck";

/** Most postings, and most rows, of a month that is read at once; the size of a larger one's pages. */
const SOURCES_AT_ONCE_MAX = 4_000;
/** A month that changes during this many readings in a row is reported as not checked. */
const READINGS_MAX = 10;

/** How far the reading of a large month has got, and its sums so far. */
export const vMonthPart = v.object({
  monthId: v.id("accountMonths"),
  /** Index in SOURCES. */
  source: v.number(),
  cursor: v.union(v.string(), v.null()),
  netCents: v.int64(),
  totals: v.array(vCategoryTotal),
  /** The month's document when this reading began. */
  seen: v.string(),
  reading: v.number(),
});
export type MonthPart = Infer<typeof vMonthPart>;

/** What the sources of a month add up to. */
type Sums = { readonly netCents: Cents; readonly totals: CategoryTotal[] };
const NOTHING: Sums = { netCents: 0n, totals: [] };

function postingsOf(ctx: QueryCtx, doc: Doc<"accountMonths">, isRowless: boolean) {
  const { startMs, endMs } = monthBounds(doc.month);
  return ctx.db
    .query("postings")
    .withIndex("by_accountId_and_isRowless_and_effectiveAt", (q) =>
      q
        .eq("accountId", doc.accountId)
        .eq("isRowless", isRowless)
        .gte("effectiveAt", startMs)
        .lt("effectiveAt", endMs),
    );
}

function rowsOf(ctx: QueryCtx, doc: Doc<"accountMonths">) {
  const { startMs, endMs } = monthBounds(doc.month);
  return ctx.db
    .query("transactions")
    .withIndex("by_accountId_and_isVisible_and_date", (q) =>
      q.eq("accountId", doc.accountId).eq("isVisible", true).gte("date", startMs).lt("date", endMs),
    );
}

const withPostings = (sums: Sums, postings: readonly Doc<"postings">[]): Sums => ({
  ...sums,
  netCents: sums.netCents + sumCents(postings.map((posting) => posting.amountCents)),
});

const withRows = (sums: Sums, rows: readonly Doc<"transactions">[]): Sums => ({
  ...sums,
  totals: rows
    .filter((row) => row.status !== "Failed")
    .map(({ type, category, amountCents: totalCents }) => ({
      type,
      category,
      totalCents,
      count: 1,
    }))
    .reduce(addToTotals, sums.totals),
});

/** Checks that net equals the month's postings and totals its rows; or returns where a long reading starts. */
export async function checkMonth(
  ctx: QueryCtx,
  doc: Doc<"accountMonths">,
  tally: Tally,
): Promise<Problem[] | MonthPart> {
  const most = SOURCES_AT_ONCE_MAX + 1;
  const rowless = await postingsOf(ctx, doc, true).take(most);
  const told = await postingsOf(ctx, doc, false).take(most);
  const rows = await rowsOf(ctx, doc).take(most);
  tally.sources += rowless.length + told.length + rows.length;
  const isLarge = [rowless, told, rows].some((found) => found.length === most);
  if (isLarge) return readingOf(doc, 1);
  return verdict(doc, withRows(withPostings(NOTHING, [...rowless, ...told]), rows));
}

/** The sources of a month, in the order in which a large one is read; each adds a page to the sums. */
const SOURCES: readonly ((
  ctx: QueryCtx,
  doc: Doc<"accountMonths">,
  part: MonthPart,
) => Promise<{ sums: Sums; cursor: string | null }>)[] = [
  (ctx, doc, part) => addPostings(ctx, doc, part, true),
  (ctx, doc, part) => addPostings(ctx, doc, part, false),
  async (ctx, doc, part) => {
    const { cursor } = part;
    const read = await rowsOf(ctx, doc).paginate({ cursor, numItems: SOURCES_AT_ONCE_MAX });
    return { sums: withRows(part, read.page), cursor: read.isDone ? null : read.continueCursor };
  },
];

async function addPostings(
  ctx: QueryCtx,
  doc: Doc<"accountMonths">,
  part: MonthPart,
  isRowless: boolean,
): Promise<{ sums: Sums; cursor: string | null }> {
  const { cursor } = part;
  const postings = postingsOf(ctx, doc, isRowless);
  const read = await postings.paginate({ cursor, numItems: SOURCES_AT_ONCE_MAX });
  return { sums: withPostings(part, read.page), cursor: read.isDone ? null : read.continueCursor };
}

/** One page of a large month; `next` is null once its problems are known. */
export async function continueMonth(
  ctx: QueryCtx,
  part: MonthPart,
): Promise<{ problems: Problem[]; next: MonthPart | null }> {
  const doc = await ctx.db.get("accountMonths", part.monthId);
  // Its postings then belong to no month, which their own check finds.
  if (doc === null) return { problems: [], next: null };
  if (stateOf(doc) !== part.seen) {
    if (part.reading < READINGS_MAX)
      return { problems: [], next: readingOf(doc, part.reading + 1) };
    const problem = `${nameOf(doc)}: not checked, it changed during ${READINGS_MAX} readings`;
    return { problems: [problem], next: null };
  }
  const read = SOURCES[part.source];
  if (read === undefined) return { problems: verdict(doc, part), next: null };
  const { sums, cursor } = await read(ctx, doc, part);
  const source = cursor === null ? part.source + 1 : part.source;
  return { problems: [], next: { ...part, ...sums, source, cursor } };
}

/** The beginning of a reading. */
function readingOf(doc: Doc<"accountMonths">, reading: number): MonthPart {
  const { _id: monthId } = doc;
  return { ...NOTHING, monthId, source: 0, cursor: null, seen: stateOf(doc), reading };
}

function verdict(doc: Doc<"accountMonths">, { netCents, totals }: Sums): Problem[] {
  const hasTotals = textOf(totals) === textOf(doc.totals);
  return [
    ...(doc.netCents === netCents ? [] : [`${nameOf(doc)}: net is not the sum of its postings`]),
    ...(hasTotals ? [] : [`${nameOf(doc)}: totals are not those of its rows`]),
  ];
}

function nameOf(doc: Doc<"accountMonths">): string {
  return `account ${doc.accountId}, ${doc.month}`;
}

function stateOf(doc: Doc<"accountMonths">): string {
  return `${doc.netCents} ${textOf(doc.totals)}`;
}

function textOf(totals: readonly CategoryTotal[]): string {
  return totals
    .map(({ type, category, totalCents, count }) => `${type} ${category} ${totalCents} ${count}`)
    .sort()
    .join();
}
