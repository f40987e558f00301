/**
 * What administrators see of the institution's machinery. Bounded reads only.
 */
import type { QueryCtx } from "../_generated/server";

/** Waiting items are counted up to this number. */
const COUNTED_MAX = 1_000;
const RUNS_LOOKED_AT_MAX = 5;

type Queue = { name: string; waiting: number; oldestAt?: number };

/** Last finished ledger check, queues with their age, jobs due and failed. */
export async function readHealth(ctx: QueryCtx) {
  const runs = await ctx.db
    .query("ledgerChecks")
    .withIndex("by_startedAt")
    .order("desc")
    .take(RUNS_LOOKED_AT_MAX);
  const done = runs.find((run) => run.checkedAt !== undefined);
  const queues = [
    await depositsWaiting(ctx),
    await mailsWaiting(ctx),
    await paymentsWaiting(ctx),
    await applicationsWaiting(ctx),
  ];
  const due = await ctx.db
    .query("jobs")
    .withIndex("by_finishedAt", (q) => q.eq("finishedAt", undefined))
    .take(COUNTED_MAX);
  const finished = await ctx.db
    .query("jobs")
    .withIndex("by_finishedAt", (q) => q.gt("finishedAt", 0))
    .order("desc")
    .take(COUNTED_MAX);
  return {
    ledger:
      done?.checkedAt === undefined
        ? null
        : {
            isOk: done.isOk === true,
            checkedAt: done.checkedAt,
            problems: done.problems,
            journals: done.journals,
            postings: done.postings,
          },
    queues,
    jobs: {
      due: due.length,
      failed: finished.filter((job) => job.failure !== undefined || job.erroredCount > 0).length,
    },
  };
}

function queueOf(name: string, createdAts: readonly number[]): Queue {
  const oldestAt = createdAts.reduce<number | undefined>(
    (oldest, at) => (oldest === undefined || at < oldest ? at : oldest),
    undefined,
  );
  return { name, waiting: createdAts.length, ...(oldestAt === undefined ? {} : { oldestAt }) };
}

async function depositsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("mobileDeposits")
    .withIndex("by_status_and_createdAt", (q) => q.eq("status", "Pending Review"))
    .take(COUNTED_MAX);
  return queueOf(
    "Deposits to review",
    found.map((deposit) => deposit.createdAt),
  );
}

async function mailsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("outbox")
    .withIndex("by_status_and_nextAttemptAt", (q) => q.eq("status", "queued"))
    .take(COUNTED_MAX);
  return queueOf(
    "Emails to send",
    found.map((mail) => mail.createdAt),
  );
}

async function paymentsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("billPayments")
    .withIndex("by_status_and_scheduleDate", (q) => q.eq("status", "Scheduled"))
    .take(COUNTED_MAX);
  return queueOf(
    "Scheduled payments",
    found.map((payment) => payment.createdAt),
  );
}

async function applicationsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("users")
    .withIndex("by_status_and_createdAt", (q) => q.eq("status", "pending"))
    .take(COUNTED_MAX);
  return queueOf(
    "Applications to review",
    found.map((user) => user.createdAt),
  );
}
