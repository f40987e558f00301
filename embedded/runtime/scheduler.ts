/**
 * Runs scheduled functions at their time, also those that were due while the server was down.
 *
 * Mutations run exactly once: their effects and the job's new state are one commit. Actions run at most once:
 * they are marked as started first, and marked as failed at the next start if the process died meanwhile. Not
 * here: writing jobs (scheduling), recurring jobs (crons).
 */
import type { StoredDocument, Transaction } from "../db/types.ts";
import { messageOf } from "../storage/errorText.ts";
import type { Around, InternalCall } from "./actionSyscalls.ts";
import { displayPath, findFunction } from "./deployment.ts";
import { tracedText } from "./errors.ts";
import { NO_IDENTITY } from "./identity.ts";
import { canonicalPath, type FunctionSpec } from "./modules.ts";
import { internalRequest, type Runtime } from "./runtime.ts";
import { JOB_ERROR_MAX_CHARS, readJob, type JobState, type ScheduledJob } from "./scheduling.ts";
import { SCHEDULED_FUNCTIONS, SESSION_REQUESTS } from "./systemTables.ts";
import { parseDocument, readIndex, readNewest } from "./tableReads.ts";
import { wakeUpAt } from "./wakeUp.ts";

const BACKLOG_COUNTED_MAX = 1_000;
/** Most pending jobs searched for one that may run. */
const BACKLOG_READ_MAX = 20_480;
const PARALLEL_JOBS_MAX = 10;
const INTERRUPTED_MAX = 10_000;
const FINISHED_JOBS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const ANSWERS_KEPT_MS = 14 * 24 * 60 * 60 * 1000;
const CLEANUP_INTERVAL_MS = 60 * 60 * 1000;
const CLEANUP_BATCH = 500;
const RETRY_DELAY_MS = 1000;

/** Runs nothing before `start`, and at most ten jobs at once. Call `stop` before the database closes. */
export class Scheduler {
  private readonly runtime: Runtime;
  private readonly running = new Map<string, Promise<void>>();
  /**
   * Retry times of jobs that failed transiently: the store refused them, or conflicts kept them from
   * committing.
   */
  private readonly retryAtMs = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private timerDueMs = Infinity;
  private cleanupTimer: NodeJS.Timeout | null = null;
  private isStopped = true;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
    runtime.onScheduled((dueMs) => this.wakeAt(dueMs));
  }

  /** Marks actions interrupted by a crash as failed, then starts working. */
  async start(): Promise<void> {
    this.isStopped = false;
    await this.failInterrupted();
    this.work();
  }

  /** Deletes expired jobs and answers, now and every hour. @throws Error when the first time fails */
  async startCleaning(): Promise<void> {
    await this.cleanUp();
    this.cleanupTimer = setInterval(() => {
      this.cleanUp().catch((error: unknown) => this.report("clean-up", error));
    }, CLEANUP_INTERVAL_MS).unref();
  }

  /** Starts no new jobs until `start`, and waits for the running ones, however long they take. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.disarm();
    if (this.cleanupTimer !== null) clearInterval(this.cleanupTimer);
    await Promise.all(this.running.values());
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** Resolves when no job is running. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  /** Number of due jobs that are waiting (counted up to a thousand), and how long the oldest has waited. */
  backlog(nowMs: number): { due: number; oldestDueMs: number } {
    const due = this.pending(BACKLOG_COUNTED_MAX).filter((job) => job.scheduledTime <= nowMs);
    return { due: due.length, oldestDueMs: nowMs - (due[0]?.scheduledTime ?? nowMs) };
  }

  /** True while any job is pending. */
  hasPending(): boolean {
    return this.pending(1).length > 0;
  }

  private wakeAt(dueMs: number): void {
    if (this.isStopped || dueMs >= this.timerDueMs) return;
    this.disarm();
    this.timerDueMs = dueMs;
    this.timer = wakeUpAt(dueMs, () => {
      this.disarm();
      this.work();
    });
  }

  private disarm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.timerDueMs = Infinity;
  }

  private work(): void {
    if (this.isStopped) return;
    const nowMs = Date.now();
    for (const [id, atMs] of this.retryAtMs) {
      const leftMs = atMs - nowMs;
      // More than the initial delay: the clock was set back.
      if (leftMs <= 0 || leftMs > RETRY_DELAY_MS) this.retryAtMs.delete(id);
    }
    // Jobs waiting for a retry must not block those behind them.
    for (let limit = PARALLEL_JOBS_MAX * 2; limit <= BACKLOG_READ_MAX; limit *= 4) {
      const jobs = this.pending(limit);
      if (this.launchDue(jobs, nowMs) || jobs.length < limit) return;
    }
  }

  /**
   * Starts the due ones among the oldest jobs. Returns true when the jobs after them need not be looked at
   * now.
   */
  private launchDue(oldest: readonly ScheduledJob[], nowMs: number): boolean {
    for (const job of oldest) {
      if (this.running.has(job._id)) continue;
      if (job.scheduledTime > nowMs) {
        this.wakeAt(job.scheduledTime);
        return true;
      }
      const retryAtMs = this.retryAtMs.get(job._id);
      if (retryAtMs !== undefined) this.wakeAt(retryAtMs);
      else if (this.running.size >= PARALLEL_JOBS_MAX) return true;
      else this.launch(job);
    }
    return false;
  }

  private launch(job: ScheduledJob): void {
    const done = this.runJob(job)
      .catch((error: unknown) => {
        this.reportJob(job, error);
        this.retryAtMs.set(job._id, Date.now() + RETRY_DELAY_MS);
      })
      .finally(() => {
        this.running.delete(job._id);
        this.work();
      });
    this.running.set(job._id, done);
  }

  private reportJob({ name }: ScheduledJob, error: unknown): void {
    this.report(`scheduled ${displayPath(canonicalPath(name))}`, error);
  }

  private report(work: string, error: unknown): void {
    const text = messageOf(error);
    this.runtime.deployment.settings.onLogLine?.(`${work} [ERROR] ${text}`);
  }

  private pending(limit: number): ScheduledJob[] {
    return this.inState("pending", limit).map((document) => parseDocument<ScheduledJob>(document));
  }

  /** The jobs in a state, the one due first first. */
  private inState(kind: JobState["kind"], limit: number): readonly StoredDocument[] {
    return readNewest(this.runtime.db, (txn) =>
      readIndex(txn, `${SCHEDULED_FUNCTIONS}.by_state`, [["state.kind", kind]], { limit }),
    );
  }

  private async runJob(job: ScheduledJob): Promise<void> {
    let spec: FunctionSpec;
    try {
      const path = canonicalPath(job.name);
      spec = findFunction(this.runtime.deployment, path, ["mutation", "action"]);
    } catch (error) {
      return this.fail(job, messageOf(error));
    }
    return spec.kind === "mutation" ? this.runMutationJob(job, spec) : this.runActionJob(job, spec);
  }

  private callOf(job: ScheduledJob, spec: FunctionSpec): InternalCall {
    return {
      spec,
      args: job.args[0],
      identity: NO_IDENTITY,
      request: internalRequest(job._id),
      logs: this.runtime.newLogs(),
    };
  }

  private async runMutationJob(job: ScheduledJob, spec: FunctionSpec): Promise<void> {
    const around: Around = {
      mayRun: (txn) => stateOf(txn, job._id) === "pending",
      onSuccess: (txn, nowMs) => setState(txn, job._id, { kind: "success" }, nowMs),
    };
    const outcome = await this.runtime.runMutation({ around, ...this.callOf(job, spec) });
    if (!("failure" in outcome)) return;
    if (outcome.failure.isTransient) throw new Error(outcome.failure.text);
    await this.fail(job, outcome.failure.text, tracedText(outcome.failure));
  }

  private async runActionJob(job: ScheduledJob, spec: FunctionSpec): Promise<void> {
    const hasStarted = await this.change(job._id, "pending", { kind: "inProgress" });
    if (!hasStarted) return;
    const outcome = await this.runtime.runAction(this.callOf(job, spec));
    const state: JobState =
      "failure" in outcome ? failedWith(tracedText(outcome.failure)) : { kind: "success" };
    await this.change(job._id, "inProgress", state);
  }

  private async fail(job: ScheduledJob, error: string, kept = error): Promise<void> {
    await this.change(job._id, "pending", failedWith(kept));
    this.reportJob(job, error);
  }

  /** Changes a job's state from `from` to `to`. Returns false when the job was not in `from`. */
  private change(id: string, from: JobState["kind"], to: JobState): Promise<boolean> {
    return this.runtime.transact((scope) => {
      if (stateOf(scope.txn, id) !== from) return false;
      setState(scope.txn, id, to, scope.nowMs);
      return true;
    });
  }

  private async failInterrupted(): Promise<void> {
    for (const { id } of this.inState("inProgress", INTERRUPTED_MAX)) {
      await this.change(id, "inProgress", failedWith("Transient error while executing action"));
    }
  }

  /** Deletes expired finished jobs and recorded answers, in batches. */
  private async cleanUp(): Promise<void> {
    const nowMs = Date.now();
    const expired: [index: string, field: string, beforeMs: number][] = [
      [`${SCHEDULED_FUNCTIONS}.by_completed`, "completedTime", nowMs - FINISHED_JOBS_KEPT_MS],
      [`${SESSION_REQUESTS}.by_creation_time`, "_creationTime", nowMs - ANSWERS_KEPT_MS],
    ];
    for (const [index, field, beforeMs] of expired) {
      for (let deleted = CLEANUP_BATCH; deleted === CLEANUP_BATCH && !this.isStopped;) {
        deleted = await this.runtime.transact(({ txn }) => {
          const before = [field, beforeMs] as const;
          const rows = readIndex(txn, index, [], { limit: CLEANUP_BATCH, before });
          for (const row of rows) txn.remove(row.id);
          return rows.length;
        });
      }
    }
  }
}

/** An error may be of any length and end within a character; a document accepts neither. */
const failedWith = (error: string): JobState => ({
  kind: "failed",
  error: Buffer.from(error.slice(0, JOB_ERROR_MAX_CHARS)).toString(),
});

function stateOf(txn: Transaction, id: string): JobState["kind"] | null {
  return readJob(txn, id)?.state.kind ?? null;
}

function setState(txn: Transaction, id: string, state: JobState, nowMs: number): void {
  const isOver = state.kind !== "pending" && state.kind !== "inProgress";
  txn.patch(id, { state: { ...state }, ...(isOver && { completedTime: nowMs }) });
}
