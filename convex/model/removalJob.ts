/**
 * Deleting all of a person's transactions, in resumable batches with a live count.
 *
 * The position is stored with each batch, so a restart continues where it stopped. Rows are deleted
 * newest first, and only those that existed when it began or, if a second administrator approved
 * it, when it was requested. Passes follow each other until one deletes nothing: a balance may
 * later allow what it did not at first, and a row whose bill is paid meanwhile moves behind the
 * position. Start and end are audited. Not here: scheduling (admin/transactions), resets (model/transferCounts).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { pluralWas } from "../shared/counts";
import { appError, messageFor } from "../shared/errors";
import * as audit from "./audit";
import { findById } from "./byId";
import { removeWhatIsPossible, tellAffected } from "./removals";
import { allRowsCents, requireSecondAdmin } from "./secondAdmin";
import * as securityEvents from "./securityEvents";
import { recordAct, type StaffCtx } from "./staffActs";
import { isActingAdmin, refuseOneself } from "./standing";
import { findByEmail, getUser } from "./users";

const ROWS_AT_ONCE_MAX = 100;

/** How far a pass has got: rows before this place in the list are done. */
type Progress = {
  readonly date: number;
  readonly madeAt: number;
  /** Rows deleted and refused in this pass. */
  readonly deleted: number;
  readonly refused: number;
};
const PASS_START: Progress = {
  date: Number.MAX_SAFE_INTEGER,
  madeAt: Number.MAX_SAFE_INTEGER,
  deleted: 0,
  refused: 0,
};

/**
 * Starts a deletion, or returns the one still running for this person.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, APPROVAL_OUTDATED (another deletion is
 *   running), SECOND_ADMIN_REQUIRED
 */
export async function startRemoval(ctx: StaffCtx, email: string): Promise<Id<"jobs">> {
  const member = await findByEmail(ctx, email);
  if (member === null) throw appError("USER_NOT_FOUND");
  refuseOneself(ctx, member._id);
  const newest = await ctx.db
    .query("jobs")
    .withIndex("by_userId", (q) => q.eq("userId", member._id))
    .order("desc")
    .first();
  const isRunning = newest !== null && newest.finishedAt === undefined;
  // The running one may take other rows than were approved.
  if (isRunning && ctx.approval !== undefined) throw appError("APPROVAL_OUTDATED");
  if (!isRunning) await requireSecondAdmin(ctx, await allRowsCents(ctx, member._id));
  await recordAct(ctx, member, { action: "transactions.removeAll" });
  if (isRunning) return newest._id;
  return await ctx.db.insert("jobs", {
    kind: "removeTransactions",
    userId: member._id,
    actorId: ctx.user._id,
    ...(ctx.approval === undefined
      ? {}
      : { requestedBy: ctx.approval.requestedBy, madeUntil: ctx.approval._creationTime }),
    startedAt: Date.now(),
    doneCount: 0,
    skippedCount: 0,
    erroredCount: 0,
  });
}

/**
 * One batch. Returns whether another one is needed. A deletion whose administrator may no longer act ends as failed.
 */
export async function runRemovalBatch(
  ctx: MutationCtx,
  jobId: Id<"jobs">,
  nowMs: number,
): Promise<boolean> {
  const job = await ctx.db.get("jobs", jobId);
  if (job === null || job.finishedAt !== undefined || job.userId === undefined) return false;
  const { userId } = job;
  const actor = await getUser(ctx, job.actorId);
  if (!isActingAdmin(actor)) {
    await endJob(ctx, job, nowMs, true);
    return false;
  }
  const progress = job.cursor === undefined ? PASS_START : (JSON.parse(job.cursor) as Progress);
  const read = await rowsBefore(ctx, userId, progress);
  const last = read.at(-1);
  if (last === undefined) return await endPass(ctx, job, progress, nowMs);
  const madeUntilMs = job.madeUntil ?? job._creationTime;
  const rows = read.filter((row) => row._creationTime <= madeUntilMs);
  const by = { email: actor.email, actorId: actor._id };
  // Nobody deletes rows of their own money: neither who carries out the deletion nor who requested it.
  const sparedIds = job.requestedBy === undefined ? [actor._id] : [actor._id, job.requestedBy];
  const { hidden, refusedCount } = await removeWhatIsPossible(ctx, rows, by, sparedIds, nowMs);
  const deletedCount = hidden.filter((row) => row.userId === userId).length;
  // The person is told once, at the end; this tells others, who lost the far side of a transfer with this batch.
  await tellAffected(
    ctx,
    hidden.filter((row) => row.userId !== userId),
  );
  const next: Progress = {
    date: last.date,
    madeAt: last._creationTime,
    deleted: progress.deleted + deletedCount,
    refused: progress.refused + refusedCount,
  };
  await ctx.db.patch("jobs", jobId, {
    doneCount: job.doneCount + deletedCount,
    cursor: JSON.stringify(next),
  });
  return true;
}

/**
 * How far a deletion has got.
 * @throws AppError NOT_FOUND
 */
export async function removalStatus(
  ctx: QueryCtx,
  jobIdText: string,
): Promise<{ deletedCount: number; isDone: boolean; failed?: string }> {
  const job = await findById(ctx, "jobs", jobIdText);
  if (job?.kind !== "removeTransactions") throw appError("NOT_FOUND");
  return {
    deletedCount: job.doneCount,
    isDone: job.finishedAt !== undefined,
    ...(job.failure === undefined ? {} : { failed: job.failure }),
  };
}

/** Ends a deletion in which a batch failed: nothing continues it, and it must not seem to run for ever. */
export async function failRemoval(
  ctx: MutationCtx,
  jobId: Id<"jobs">,
  nowMs: number,
): Promise<void> {
  const job = await ctx.db.get("jobs", jobId);
  if (job !== null && job.finishedAt === undefined) await endJob(ctx, job, nowMs, true);
}

/** After a pass: another one, done, or the end with a failure. */
async function endPass(
  ctx: MutationCtx,
  job: Doc<"jobs">,
  progress: Progress,
  nowMs: number,
): Promise<boolean> {
  if (progress.deleted > 0) {
    await ctx.db.patch("jobs", job._id, { cursor: JSON.stringify(PASS_START) });
    return true;
  }
  await endJob(ctx, job, nowMs, progress.refused > 0);
  return false;
}

async function endJob(
  ctx: MutationCtx,
  job: Doc<"jobs">,
  nowMs: number,
  isFailed: boolean,
): Promise<void> {
  await ctx.db.patch("jobs", job._id, {
    finishedAt: nowMs,
    ...(isFailed ? { failure: messageFor("DELETE_TRANSACTIONS_FAILED") } : {}),
  });
  if (job.userId === undefined) return;
  await logEnd(ctx, job, job.userId, !isFailed);
  if (job.doneCount === 0) return;
  const text = `${pluralWas(job.doneCount, "transaction")} removed from your accounts.`;
  await securityEvents.record(ctx, job.userId, "staffChange", text);
}

/** In the name of whoever started it: how many rows went, which only the end can tell. */
async function logEnd(
  ctx: MutationCtx,
  job: Doc<"jobs">,
  userId: Id<"users">,
  isComplete: boolean,
): Promise<void> {
  const asker = job.requestedBy === undefined ? null : await getUser(ctx, job.requestedBy);
  await audit.append(ctx, {
    actor: await getUser(ctx, job.actorId),
    action: "transactions.removeAllEnded",
    targetLabel: (await getUser(ctx, userId)).email,
    personId: userId,
    after: { deletedCount: job.doneCount, isComplete },
    ...(asker === null ? {} : { requestedBy: asker.email }),
  });
}

/** The next visible rows of a person beyond a place, newest first. */
async function rowsBefore(
  ctx: QueryCtx,
  userId: Id<"users">,
  { date, madeAt }: Progress,
): Promise<Doc<"transactions">[]> {
  const ofThatDate = await ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_date", (q) =>
      q.eq("userId", userId).eq("isVisible", true).eq("date", date).lt("_creationTime", madeAt),
    )
    .order("desc")
    .take(ROWS_AT_ONCE_MAX);
  if (ofThatDate.length === ROWS_AT_ONCE_MAX) return ofThatDate;
  const earlier = await ctx.db
    .query("transactions")
    .withIndex("by_userId_and_isVisible_and_date", (q) =>
      q.eq("userId", userId).eq("isVisible", true).lt("date", date),
    )
    .order("desc")
    .take(ROWS_AT_ONCE_MAX - ofThatDate.length);
  return [...ofThatDate, ...earlier];
}
