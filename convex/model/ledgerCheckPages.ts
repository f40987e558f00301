/**
 * The ledger check in pages: which documents are looked at, in which order, how many at once. The chains of
 * what people and administrators did (model/chains) come last.
 *
 * Not here: what is wrong with a document (model/ledgerCheck).
 */
import type { Doc, TableNames } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { checkEntry } from "./audit";
import {
  checkAccount,
  checkJournal,
  checkPerson,
  checkPosting,
  checkRequest,
  checkRow,
  type Problem,
  type Tally,
} from "./ledgerCheck";
import { checkMonth, continueMonth, type MonthPart } from "./ledgerCheckMonth";
import { checkEvent } from "./securityEvents";

/** Returns a document's problems, or where its reading starts if it is too large for a page. */
type Checker<D> = (ctx: QueryCtx, doc: D, tally: Tally) => Promise<Problem[] | MonthPart>;

/** Documents per page: a few milliseconds, during which everybody else waits. */
const PAGE_DOCUMENTS_MAX = 40;
/** A page ends early once this many documents have been read behind it. */
const PAGE_SOURCES_MAX = 300;

type PhasePage = {
  readonly problems: Problem[];
  readonly count: number;
  /** Creation time of the last document looked at; null at the end of the phase. */
  readonly last: number | null;
  /** The reading of that one, if it takes pages of its own. */
  readonly part?: MonthPart;
};

const firstLineOf = (error: unknown): string => String(error).split("\n", 1).join("");

function phase<Table extends TableNames>(table: Table, checker: Checker<Doc<Table>>) {
  const check = async (ctx: QueryCtx, after: number): Promise<PhasePage> => {
    const docs = await ctx.db
      .query(table)
      // A number in every table, but the types do not say so for a table that is not named.
      .withIndex("by_creation_time", (q) => q.gt("_creationTime", after as never))
      .take(PAGE_DOCUMENTS_MAX);
    const problems: Problem[] = [];
    const tally = { sources: 0 };
    let count = 0;
    let last: number | null = null;
    for (const doc of docs) {
      last = doc._creationTime as number;
      // A document whose check fails is a finding: otherwise nothing behind it would ever be checked.
      const found = await checker(ctx, doc, tally).catch((error: unknown) => [
        `${table} ${doc._id}: could not be checked, ${firstLineOf(error)}`,
      ]);
      if (!Array.isArray(found)) return { problems, count, last, part: found };
      problems.push(...found);
      count += 1;
      if (tally.sources > PAGE_SOURCES_MAX) break;
    }
    const isEnd = count === docs.length && docs.length < PAGE_DOCUMENTS_MAX;
    return { problems, count, last: isEnd ? null : last };
  };
  return { table, check };
}

/** What is checked, in order: each table and the check for its documents. */
const PHASES = [
  phase("journals", checkJournal),
  phase("postings", checkPosting),
  phase("accounts", checkAccount),
  phase("accountMonths", checkMonth),
  phase("transactions", checkRow),
  phase("users", checkPerson),
  phase("requests", checkRequest),
  phase("securityEvents", checkEvent),
  phase("auditLog", checkEntry),
] as const;

/**
 * How far a check has got: the phase, the creation time of the last document it looked at, and how far
 * that one has been read, if it takes several pages.
 */
export type CheckPosition = {
  readonly phase: number;
  readonly after: number;
  readonly part?: MonthPart;
};
export const CHECK_START: CheckPosition = { phase: 0, after: -1 };

type CheckedPage = {
  readonly problems: Problem[];
  readonly table: TableNames;
  readonly count: number;
  /** null when everything has been checked. */
  readonly next: CheckPosition | null;
};

/** Checks one page from a position on. */
export async function checkPage(ctx: QueryCtx, position: CheckPosition): Promise<CheckedPage> {
  const current = PHASES[position.phase];
  if (current === undefined) throw new Error("A ledger check past its end");
  const { phase: at, after } = position;
  if (position.part !== undefined) {
    const { problems, next } = await continueMonth(ctx, position.part);
    const following = { phase: at, after, ...(next === null ? {} : { part: next }) };
    return { problems, table: current.table, count: next === null ? 1 : 0, next: following };
  }
  const { problems, count, last, part } = await current.check(ctx, after);
  const isLastPhase = at === PHASES.length - 1;
  const following = isLastPhase ? null : { phase: at + 1, after: -1 };
  const place = { phase: at, after: last ?? after, ...(part === undefined ? {} : { part }) };
  return { problems, table: current.table, count, next: last === null ? following : place };
}
