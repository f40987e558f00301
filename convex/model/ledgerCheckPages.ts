/**
 * The ledger check in pages: which documents are looked at, in which order, how many at once.
 *
 * Not here: what is wrong with a document (model/ledgerCheck).
 */
import type { TableNames } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import {
  checkAccount,
  checkJournal,
  checkMonth,
  checkPerson,
  checkPosting,
  checkRequest,
  checkRow,
  type Problem,
  type Tally,
} from "./ledgerCheck";

/** Any stored document. */
type Stored = { readonly _creationTime: number };
/** Documents of a table made after a moment, oldest first. */
type Reader<D> = (ctx: QueryCtx, after: number) => Promise<D[]>;
type Checker<D> = (ctx: QueryCtx, doc: D, tally: Tally) => Promise<Problem[]>;

/** A page ends early once this many documents were read behind it. */
const SOURCES_PER_PAGE_MAX = 6_000;

function phase<D extends Stored>(
  table: TableNames,
  pageSize: number,
  read: Reader<D>,
  checker: Checker<D>,
) {
  const check = async (ctx: QueryCtx, after: number) => {
    const docs = await read(ctx, after);
    const problems: Problem[] = [];
    const tally = { sources: 0 };
    let count = 0;
    let last: number | null = null;
    for (const doc of docs) {
      problems.push(...(await checker(ctx, doc, tally)));
      count += 1;
      last = doc._creationTime;
      if (tally.sources > SOURCES_PER_PAGE_MAX) break;
    }
    const isEnd = count === docs.length && docs.length < pageSize;
    return { problems, count, last: isEnd ? null : last };
  };
  return { table, check };
}

/** What is checked, in order: the table, the documents of one page, the check. */
const PHASES = [
  phase(
    "journals",
    100,
    (ctx, after) =>
      ctx.db
        .query("journals")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(100),
    checkJournal,
  ),
  phase(
    "postings",
    200,
    (ctx, after) =>
      ctx.db
        .query("postings")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(200),
    checkPosting,
  ),
  phase(
    "accounts",
    50,
    (ctx, after) =>
      ctx.db
        .query("accounts")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(50),
    checkAccount,
  ),
  phase(
    "accountMonths",
    50,
    (ctx, after) =>
      ctx.db
        .query("accountMonths")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(50),
    checkMonth,
  ),
  phase(
    "transactions",
    200,
    (ctx, after) =>
      ctx.db
        .query("transactions")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(200),
    checkRow,
  ),
  phase(
    "users",
    50,
    (ctx, after) =>
      ctx.db
        .query("users")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(50),
    checkPerson,
  ),
  phase(
    "requests",
    200,
    (ctx, after) =>
      ctx.db
        .query("requests")
        .withIndex("by_creation_time", (q) => q.gt("_creationTime", after))
        .take(200),
    checkRequest,
  ),
] as const;

/** Where a check stands: the phase, and the creation time of the last document it looked at. */
export type CheckPosition = { readonly phase: number; readonly after: number };
export const CHECK_START: CheckPosition = { phase: 0, after: -1 };

export type CheckedPage = {
  readonly problems: Problem[];
  readonly table: TableNames;
  readonly count: number;
  /** null when everything was looked at. */
  readonly next: CheckPosition | null;
};

/** Checks one page from a position on. */
export async function checkPage(ctx: QueryCtx, position: CheckPosition): Promise<CheckedPage> {
  const current = PHASES[position.phase];
  if (current === undefined) throw new Error("A ledger check past its end");
  const { problems, count, last } = await current.check(ctx, position.after);
  const isLastPhase = position.phase === PHASES.length - 1;
  const following = isLastPhase ? null : { phase: position.phase + 1, after: -1 };
  const next = last === null ? following : { phase: position.phase, after: last };
  return { problems, table: current.table, count, next };
}
