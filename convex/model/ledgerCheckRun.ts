/**
 * Runs of the ledger check: progress, counts and the result that administrators see.
 *
 * Not here: what is checked (model/ledgerCheck).
 */
import type { Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import type { Problem } from "./ledgerCheck";
import { CHECK_START, checkPage, type CheckPosition } from "./ledgerCheckPages";

const PROBLEMS_KEPT_MAX = 50;
/** Pages of one mutation; each reads at most a few thousand documents. */
const PAGES_AT_ONCE_MAX = 5;
/** Old runs kept for the record. */
const RUNS_KEPT_MAX = 30;

/** Starts a run and forgets the oldest ones. */
export async function startCheck(ctx: MutationCtx, nowMs: number): Promise<Id<"ledgerChecks">> {
  const runs = await ctx.db
    .query("ledgerChecks")
    .withIndex("by_startedAt")
    .order("desc")
    .take(RUNS_KEPT_MAX + 5);
  for (const run of runs.slice(RUNS_KEPT_MAX - 1)) await ctx.db.delete("ledgerChecks", run._id);
  return await ctx.db.insert("ledgerChecks", {
    startedAt: nowMs,
    problems: [],
    journals: 0,
    postings: 0,
    accounts: 0,
    cursor: JSON.stringify(CHECK_START),
  });
}

/** One batch of a run. Answers whether another one is needed. */
export async function continueCheck(
  ctx: MutationCtx,
  checkId: Id<"ledgerChecks">,
  nowMs: number,
): Promise<boolean> {
  const run = await ctx.db.get("ledgerChecks", checkId);
  if (run?.cursor === undefined || run.checkedAt !== undefined) return false;
  let position: CheckPosition | null = JSON.parse(run.cursor) as CheckPosition;
  const problems = [...run.problems];
  let { journals, postings, accounts } = run;
  for (let page = 0; page < PAGES_AT_ONCE_MAX && position !== null; page++) {
    const checked = await checkPage(ctx, position);
    problems.push(...checked.problems);
    if (checked.table === "journals") journals += checked.count;
    if (checked.table === "postings") postings += checked.count;
    if (checked.table === "accounts") accounts += checked.count;
    position = checked.next;
  }
  await ctx.db.patch("ledgerChecks", checkId, {
    problems: problems.slice(0, PROBLEMS_KEPT_MAX),
    journals,
    postings,
    accounts,
    ...(position === null
      ? { cursor: undefined, checkedAt: nowMs, isOk: problems.length === 0 }
      : { cursor: JSON.stringify(position) }),
  });
  return position !== null;
}

/** Everything at once, for tests and small ledgers: the problems found. */
export async function checkLedger(ctx: QueryCtx): Promise<Problem[]> {
  const problems: Problem[] = [];
  let position: CheckPosition | null = CHECK_START;
  while (position !== null) {
    const checked = await checkPage(ctx, position);
    problems.push(...checked.problems);
    position = checked.next;
  }
  return problems;
}
