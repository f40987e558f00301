/**
 * Runs of the ledger check: progress, counts and the result shown to administrators.
 *
 * Not here: what is checked (model/ledgerCheck) and in which pages (model/ledgerCheckPages).
 */
import { convexToJson, jsonToConvex, type JSONValue } from "convex/values";
import type { Id, TableNames } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { MS } from "../shared/limits";
import { CHECK_START, checkPage, type CheckPosition } from "./ledgerCheckPages";

const PROBLEMS_KEPT_MAX = 50;
/** Old runs kept for the record. */
const RUNS_KEPT_MAX = 30;

/** Starts a run and forgets the oldest ones. */
export async function startCheck(ctx: MutationCtx, nowMs: number): Promise<Id<"ledgerChecks">> {
  const runs = await ctx.db
    .query("ledgerChecks")
    .order("desc")
    .take(RUNS_KEPT_MAX + 5);
  for (const run of runs.slice(RUNS_KEPT_MAX - 1)) await ctx.db.delete("ledgerChecks", run._id);
  return await ctx.db.insert("ledgerChecks", {
    startedAt: nowMs,
    problems: [],
    journals: 0,
    postings: 0,
    accounts: 0,
    cursor: toText(CHECK_START),
  });
}

/** A run that completes no page for this long has ended without a result. */
const STALLED_AFTER_MS = 10 * MS.MINUTE_MS;

/** True while the newest run is under way. */
export async function isCheckUnderWay(ctx: QueryCtx, nowMs: number): Promise<boolean> {
  const newest = await ctx.db.query("ledgerChecks").order("desc").first();
  if (newest === null || newest.checkedAt !== undefined) return false;
  // Forwards or back: after the clock was set back, an abandoned run would seem to be under way until then.
  return Math.abs(nowMs - (newest.progressedAt ?? newest.startedAt)) < STALLED_AFTER_MS;
}

/** One page of a run. Returns whether another one is needed. */
export async function continueCheck(
  ctx: MutationCtx,
  checkId: Id<"ledgerChecks">,
  nowMs: number,
): Promise<boolean> {
  const run = await ctx.db.get("ledgerChecks", checkId);
  if (run?.cursor === undefined) return false;
  const checked = await checkPage(ctx, positionOf(run.cursor));
  const problems = [...run.problems, ...checked.problems];
  const countOf = (table: TableNames) => (checked.table === table ? checked.count : 0);
  await ctx.db.patch("ledgerChecks", checkId, {
    problems: problems.slice(0, PROBLEMS_KEPT_MAX),
    journals: run.journals + countOf("journals"),
    postings: run.postings + countOf("postings"),
    accounts: run.accounts + countOf("accounts"),
    progressedAt: nowMs,
    ...(checked.next === null
      ? { cursor: undefined, checkedAt: nowMs, isOk: problems.length === 0 }
      : { cursor: toText(checked.next) }),
  });
  return checked.next !== null;
}

/** A position as text that preserves its cents. */
function toText(position: CheckPosition): string {
  return JSON.stringify(convexToJson(position));
}

function positionOf(text: string): CheckPosition {
  return jsonToConvex(JSON.parse(text) as JSONValue) as CheckPosition;
}
