/** How the institution's machinery is doing: ledger check, queues, jobs. */
import { v } from "convex/values";
import { internal } from "../_generated/api";
import { adminMutation, adminQuery, internalMutation, internalQuery } from "../functions";
import { healthGauges, readHealth, unfinishedJobs } from "../model/health";
import { vMonthPart } from "../model/ledgerCheckMonth";
import { CHECK_START, checkPage } from "../model/ledgerCheckPages";
import { continueCheck, isCheckUnderWay, startCheck } from "../model/ledgerCheckRun";
import * as audit from "../model/audit";

/** A batch takes the server some 3 ms: four hours for a million transactions, without anybody noticing. */
const DAILY_PAUSE_MS = 100;

/** Result of the last finished ledger check, queues with their age, jobs due and failed. */
export const get = adminQuery({
  args: {},
  returns: v.object({
    ledger: v.union(
      v.object({
        isOk: v.boolean(),
        checkedAt: v.number(),
        problems: v.array(v.string()),
        journals: v.number(),
        postings: v.number(),
      }),
      v.null(),
    ),
    queues: v.array(
      v.object({
        name: v.string(),
        waiting: v.number(),
        oldestAt: v.optional(v.number()),
        /** There may be more than were counted. */
        hasMore: v.optional(v.boolean()),
      }),
    ),
    jobs: v.object({ due: v.number(), failed: v.number() }),
  }),
  handler: (ctx) => readHealth(ctx),
});

/** Starts a ledger check; `get` shows its result. */
export const runLedgerCheck = adminMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    const nowMs = Date.now();
    const checkId = await startCheck(ctx, nowMs);
    await audit.append(ctx, {
      actor: ctx.user,
      action: "health.runLedgerCheck",
      targetLabel: "Ledger",
    });
    await ctx.scheduler.runAfter(0, internal.admin.health.continueLedgerCheck, { checkId });
    return null;
  },
});

/**
 * Starts a ledger check without a person, unless one is under way. Runs daily, and whenever a server of ours
 * starts: nobody is waiting for it, so it pauses for those who are waiting.
 */
export const startLedgerCheck = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    const nowMs = Date.now();
    if (await isCheckUnderWay(ctx, nowMs)) return null;
    const checkId = await startCheck(ctx, nowMs);
    await ctx.scheduler.runAfter(0, internal.admin.health.continueLedgerCheck, {
      checkId,
      pauseMs: DAILY_PAUSE_MS,
    });
    return null;
  },
});

/** One bounded batch of a ledger check; schedules the next, after a pause, until everything has been read. */
export const continueLedgerCheck = internalMutation({
  args: { checkId: v.id("ledgerChecks"), pauseMs: v.optional(v.number()) },
  returns: v.null(),
  handler: async (ctx, { checkId, pauseMs = 0 }): Promise<null> => {
    const hasMore = await continueCheck(ctx, checkId, Date.now());
    if (hasMore) {
      await ctx.scheduler.runAfter(pauseMs, internal.admin.health.continueLedgerCheck, {
        checkId,
        pauseMs,
      });
    }
    return null;
  },
});

/**
 * Goes on with deletions and resets that stand still: archives hold no scheduled functions, so one that was under way
 * when its archive was made has none after the import. Job; harmless beside a run that is under way.
 */
export const continueJobs = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx): Promise<null> => {
    for (const { _id: jobId, kind } of await unfinishedJobs(ctx)) {
      const next =
        kind === "removeTransactions"
          ? internal.admin.transactions.continueRemoval
          : internal.admin.transferCounts.continueReset;
      await ctx.scheduler.runAfter(0, next, { jobId });
    }
    return null;
  },
});

const vPosition = v.object({
  phase: v.number(),
  after: v.number(),
  part: v.optional(vMonthPart),
});

/**
 * One page of a ledger check that writes nothing: `npm run doctor` reads all of them, starting without a
 * position, until `next` is null.
 */
export const checkLedgerPage = internalQuery({
  args: { position: v.optional(vPosition) },
  returns: v.object({
    problems: v.array(v.string()),
    table: v.string(),
    count: v.number(),
    next: v.union(vPosition, v.null()),
  }),
  handler: (ctx, { position }) => checkPage(ctx, position ?? CHECK_START),
});

/** The institution's numbers for the server's `/metrics`: ledger check, queues and their age. */
export const gauges = internalQuery({
  args: {},
  returns: v.array(
    v.object({
      name: v.string(),
      help: v.string(),
      value: v.number(),
      labels: v.optional(v.record(v.string(), v.string())),
    }),
  ),
  handler: async (ctx) => healthGauges(await readHealth(ctx), Date.now()),
});
