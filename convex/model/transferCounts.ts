/**
 * Resetting transfer counts: one person, or everyone in bounded batches.
 *
 * Spec sections 2, 4 and 5: all three stored names at once; the protected account is skipped; an
 * error on one person does not stop the others. Not here: raising counts (model/transferGate).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError, messageFor } from "../shared/errors";
import { displayName } from "../shared/names";
import { textFor } from "../shared/texts";
import { readTransferCount, storedTransferCount } from "../shared/transferCount";
import type { Caller } from "./access";
import * as audit from "./audit";
import { findById } from "./byId";
import { policyValue } from "./policies";
import { recordAct } from "./staffActs";
import { isActingAdmin, refuseOneself } from "./standing";
import { getUser } from "./users";

type Ctx = MutationCtx & Caller;

const PEOPLE_AT_ONCE_MAX = 500;
const EVERYONE = "Everyone except administrators and the protected account";
const CAN_TRANSFER_AGAIN = {
  kind: "transfer",
  title: "You can make transfers again",
  body: "Our staff reset your transfer count.",
};

/** Counts of a reset so far. `updated`: everyone set; `skipped`: the protected account. */
type ResetOutcome = { updated: number; skipped: number; errored: number; isDone: boolean };

/** A page of everyone but administrators; it may be short, because those are left out. */
export async function countsPage(
  ctx: QueryCtx,
  options: PaginationOptions,
): Promise<
  PaginationResult<{
    userId: Id<"users">;
    email: string;
    name: string;
    count: number;
    isProtected: boolean;
  }>
> {
  const found = await ctx.db.query("users").withIndex("by_createdAt").paginate(options);
  const page = found.page
    .filter((user) => user.role !== "admin")
    .map((user) => ({
      userId: user._id,
      email: user.email,
      name: displayName(user),
      count: readTransferCount(user),
      isProtected: user.isProtected === true,
    }));
  return { ...found, page };
}

/**
 * Resets one person's count, and tells them if it had stopped them; never the caller's own, since nobody opens the gate
 * for themselves.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, CANNOT_RESET_PROTECTED
 */
export async function resetOne(ctx: Ctx, userId: string): Promise<{ message: string }> {
  const member = await getUser(ctx, userId);
  const { email } = member;
  refuseOneself(ctx, member._id);
  if (member.isProtected === true) throw appError("CANNOT_RESET_PROTECTED", { email });
  const count = readTransferCount(member);
  await setToZero(ctx, member);
  const isStopped = count >= (await policyValue(ctx, "transferCountLimit"));
  await recordAct(ctx, member, {
    // Whoever was not stopped by it need not know that it is counted.
    ...(isStopped ? { notice: CAN_TRANSFER_AGAIN } : {}),
    action: "transferCount.reset",
    before: { count },
    after: { count: 0 },
  });
  return { message: textFor("resetOneDone", { email }) };
}

/** Starts resetting everyone: the first batch at once, the rest by `continueResetAll`. Audited with what it did. */
export async function startResetAll(ctx: Ctx): Promise<{ jobId: Id<"jobs"> } & ResetOutcome> {
  const nowMs = Date.now();
  const jobId = await ctx.db.insert("jobs", {
    kind: "resetTransferCounts",
    actorId: ctx.user._id,
    startedAt: nowMs,
    doneCount: 0,
    skippedCount: 0,
    erroredCount: 0,
  });
  const outcome = await runBatch(ctx, await getJob(ctx, jobId), nowMs);
  await audit.append(ctx, {
    actor: ctx.user,
    action: "transferCount.resetAll",
    targetLabel: EVERYONE,
    after: countsOf(outcome, outcome.isDone),
  });
  return { jobId, ...outcome };
}

/**
 * One more batch of a reset, the last one if whoever started it may no longer act; the end is audited. Returns the counts
 * so far.
 */
export async function continueResetAll(
  ctx: MutationCtx,
  jobId: Id<"jobs">,
  nowMs: number,
): Promise<ResetOutcome> {
  const job = await getJob(ctx, jobId);
  if (job.finishedAt !== undefined) return outcomeOf(job);
  const actor = await getUser(ctx, job.actorId);
  const mayAct = isActingAdmin(actor);
  const outcome = mayAct ? await runBatch(ctx, job, nowMs) : await stop(ctx, job, nowMs);
  if (outcome.isDone) {
    await audit.append(ctx, {
      actor,
      action: "transferCount.resetAllEnded",
      targetLabel: EVERYONE,
      after: countsOf(outcome, mayAct),
    });
  }
  return outcome;
}

const countsOf = ({ updated, skipped, errored }: ResetOutcome, isComplete: boolean) => ({
  updated,
  skipped,
  errored,
  isComplete,
});

async function getJob(ctx: QueryCtx, jobId: Id<"jobs">): Promise<Doc<"jobs">> {
  const job = await ctx.db.get("jobs", jobId);
  if (job === null) throw new Error("A reset without its job");
  return job;
}

async function stop(ctx: MutationCtx, job: Doc<"jobs">, nowMs: number): Promise<ResetOutcome> {
  await ctx.db.patch("jobs", job._id, { finishedAt: nowMs, failure: messageFor("NOT_ADMIN") });
  return outcomeOf({ ...job, finishedAt: nowMs });
}

/**
 * The next people, in the order of their creation: the place of the last one holds after an import, too, and a page's
 * cursor does not. A cursor from an earlier version is no number and begins anew.
 */
async function nextPeople(ctx: QueryCtx, { cursor }: Doc<"jobs">): Promise<Doc<"users">[]> {
  const madeAfter = Number(cursor) || 0;
  return await ctx.db
    .query("users")
    .withIndex("by_creation_time", (q) => q.gt("_creationTime", madeAfter))
    .take(PEOPLE_AT_ONCE_MAX);
}

async function runBatch(ctx: MutationCtx, job: Doc<"jobs">, nowMs: number): Promise<ResetOutcome> {
  const people = await nextPeople(ctx, job);
  let { doneCount, skippedCount, erroredCount } = job;
  for (const person of people) {
    if (person.role === "admin") continue;
    if (person.isProtected === true) {
      skippedCount += 1;
      continue;
    }
    try {
      await setToZero(ctx, person);
      doneCount += 1;
    } catch (error) {
      // eslint-disable-next-line no-console -- the operator's log is where its cause can be found
      console.error(`The transfer count of ${person._id} could not be reset:`, error);
      erroredCount += 1;
    }
  }
  const counts = { doneCount, skippedCount, erroredCount };
  const finishedAt = people.length < PEOPLE_AT_ONCE_MAX ? nowMs : undefined;
  const last = people.at(-1);
  const cursor = last === undefined ? job.cursor : String(last._creationTime);
  await ctx.db.patch("jobs", job._id, { ...counts, cursor, finishedAt });
  return outcomeOf({ ...counts, finishedAt });
}

/**
 * How far a reset has got.
 * @throws AppError NOT_FOUND
 */
export async function resetStatus(ctx: QueryCtx, jobIdText: string): Promise<ResetOutcome> {
  const job = await findById(ctx, "jobs", jobIdText);
  if (job?.kind !== "resetTransferCounts") throw appError("NOT_FOUND");
  return outcomeOf(job);
}

function outcomeOf(
  job: Pick<Doc<"jobs">, "doneCount" | "skippedCount" | "erroredCount" | "finishedAt">,
): ResetOutcome {
  return {
    updated: job.doneCount,
    skipped: job.skippedCount,
    errored: job.erroredCount,
    isDone: job.finishedAt !== undefined,
  };
}

/** Sets a person's count to zero, under all three names. */
async function setToZero(ctx: MutationCtx, user: Doc<"users">): Promise<void> {
  // Counted from the newest transfer, not the clock, which may be set back.
  const newest = await ctx.db
    .query("transfers")
    .withIndex("by_userId", (q) => q.eq("userId", user._id))
    .order("desc")
    .first();
  await ctx.db.patch("users", user._id, {
    ...storedTransferCount(0),
    transferCountResetAt: newest?._creationTime ?? 0,
    transferCountBase: undefined,
  });
}
