/**
 * What administrators see of the institution's machinery. Bounded reads only.
 */
import type { Doc } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { QUEUE_COUNTED_MAX } from "../shared/limits";

const RUNS_LOOKED_AT_MAX = 5;
const UNFINISHED_READ_MAX = 100;
/** A waiting request holds up to 500 rows: beyond this many, counting would read more than a function may. */
const REQUESTED_ROWS_READ_MAX = 5_000;
/** The same for texts, in characters: anybody may write 4,000 in a message. */
const TEXT_READ_MAX = 1_000_000;

/** With `hasMore` there may be more than were counted. */
type Queue = { name: string; waiting: number; oldestAt?: number; hasMore?: boolean };

/** Last finished ledger check, queues with their age, jobs due and failed. */
export async function readHealth(ctx: QueryCtx) {
  // By creation, not by `startedAt`: after the clock was set back, an older result would hide the newest.
  const runs = await ctx.db.query("ledgerChecks").order("desc").take(RUNS_LOOKED_AT_MAX);
  const done = runs.find((run) => run.checkedAt !== undefined);
  const queues = [
    await depositsWaiting(ctx),
    await mails(ctx, "queued", "Emails to send"),
    await mails(ctx, "failed", "Emails that failed"),
    await paymentsWaiting(ctx),
    await applicationsWaiting(ctx),
    await messagesOpen(ctx),
    await approvalsWaiting(ctx),
  ];
  const due = await ctx.db
    .query("jobs")
    .withIndex("by_finishedAt", (q) => q.eq("finishedAt", undefined))
    .take(QUEUE_COUNTED_MAX);
  const finished = await ctx.db
    .query("jobs")
    .withIndex("by_finishedAt", (q) => q.gt("finishedAt", 0))
    .order("desc")
    .take(QUEUE_COUNTED_MAX);
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

/** Long work that has not ended, of either kind. */
export async function unfinishedJobs(ctx: QueryCtx): Promise<Doc<"jobs">[]> {
  return await ctx.db
    .query("jobs")
    .withIndex("by_finishedAt", (q) => q.eq("finishedAt", undefined))
    .take(UNFINISHED_READ_MAX);
}

/** A number with its name, as the server's metrics show it. */
type HealthGauge = { name: string; help: string; value: number; labels?: Record<string, string> };

const MS_PER_S = 1_000;

/** What `readHealth` found, as numbers. A ledger that was never checked gets none. */
export function healthGauges(
  { ledger, queues, jobs }: Awaited<ReturnType<typeof readHealth>>,
  nowMs: number,
): HealthGauge[] {
  const ofLedger: HealthGauge[] = [];
  if (ledger !== null) {
    const ageS = (nowMs - ledger.checkedAt) / MS_PER_S;
    ofLedger.push(
      { name: "ledger_ok", help: "1: the last ledger check passed", value: ledger.isOk ? 1 : 0 },
      { name: "ledger_check_age_seconds", help: "Time since the last ledger check", value: ageS },
      { name: "ledger_postings", help: "Postings it looked at", value: ledger.postings },
    );
  }
  const waiting = queues.map((queue) => ({
    name: "queue_waiting",
    help: "Items that wait for somebody or something",
    value: queue.waiting,
    labels: { queue: queue.name },
  }));
  const ages = queues.map((queue) => ({
    name: "queue_oldest_seconds",
    help: "How long the oldest item has waited",
    // Not below 0 after the clock was set back.
    value: Math.max(0, nowMs - (queue.oldestAt ?? nowMs)) / MS_PER_S,
    labels: { queue: queue.name },
  }));
  return [
    ...ofLedger,
    ...waiting,
    ...ages,
    { name: "jobs_due", help: "Batches under way", value: jobs.due },
    { name: "jobs_failed", help: "Finished batches with a failure", value: jobs.failed },
  ];
}

function queueOf(name: string, createdAts: readonly number[]): Queue {
  const oldestAt = createdAts.reduce<number | undefined>(
    (oldest, at) => (oldest === undefined || at < oldest ? at : oldest),
    undefined,
  );
  return { name, waiting: createdAts.length, ...(oldestAt === undefined ? {} : { oldestAt }) };
}

/** Of items that may be long: counted until they are too many, or too much to read. */
async function queueOfLong<Item>(
  name: string,
  items: AsyncIterable<Item>,
  sizeOf: (item: Item) => { at: number; size: number },
  sizeMax: number,
): Promise<Queue> {
  const createdAts: number[] = [];
  let sizeRead = 0;
  for await (const item of items) {
    const { at, size } = sizeOf(item);
    createdAts.push(at);
    sizeRead += size;
    if (createdAts.length === QUEUE_COUNTED_MAX || sizeRead >= sizeMax) break;
  }
  const queue = queueOf(name, createdAts);
  return sizeRead >= sizeMax ? { hasMore: true, ...queue } : queue;
}

async function depositsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("mobileDeposits")
    .withIndex("by_status_and_createdAt", (q) => q.eq("status", "Pending Review"))
    .take(QUEUE_COUNTED_MAX);
  return queueOf(
    "Deposits to review",
    found.map((deposit) => deposit.createdAt),
  );
}

/** E-mails that wait for the provider, or for somebody to send them again. */
async function mails(ctx: QueryCtx, status: "queued" | "failed", name: string): Promise<Queue> {
  const found = ctx.db
    .query("outbox")
    .withIndex("by_status_and_nextAttemptAt", (q) => q.eq("status", status));
  const sizeOf = ({ createdAt, body }: Doc<"outbox">) => ({ at: createdAt, size: body.length });
  return await queueOfLong(name, found, sizeOf, TEXT_READ_MAX);
}

async function messagesOpen(ctx: QueryCtx): Promise<Queue> {
  const found = ctx.db
    .query("contactMessages")
    .withIndex("by_isHandled", (q) => q.eq("isHandled", false));
  const sizeOf = ({ createdAt, message }: Doc<"contactMessages">) => ({
    at: createdAt,
    size: message.length,
  });
  return await queueOfLong("Messages to answer", found, sizeOf, TEXT_READ_MAX);
}

async function paymentsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("billPayments")
    .withIndex("by_status_and_scheduleDate", (q) => q.eq("status", "Scheduled"))
    .take(QUEUE_COUNTED_MAX);
  return queueOf(
    "Scheduled payments",
    found.map((payment) => payment.createdAt),
  );
}

async function applicationsWaiting(ctx: QueryCtx): Promise<Queue> {
  const found = await ctx.db
    .query("users")
    .withIndex("by_status_and_createdAt", (q) => q.eq("status", "pending"))
    .take(QUEUE_COUNTED_MAX);
  return queueOf(
    "Applications to review",
    found.map((user) => user.createdAt),
  );
}

async function approvalsWaiting(ctx: QueryCtx): Promise<Queue> {
  const waiting = ctx.db
    .query("approvals")
    .withIndex("by_status_and_requestedAt", (q) => q.eq("status", "waiting"));
  const sizeOf = ({ requestedAt, change }: Doc<"approvals">) => ({
    at: requestedAt,
    size: change.kind === "transactions.add" ? change.args.rows.length : 0,
  });
  return await queueOfLong("Changes to approve", waiting, sizeOf, REQUESTED_ROWS_READ_MAX);
}
