/**
 * Recurring jobs of `crons.ts`: one timer per job, the next run computed in UTC, never two runs of the same
 * job at once. The time of a job's next run is stored.
 *
 * A restart neither repeats nor skips the run of a mutation: its effects and its next time are one commit.
 * The next time of an action is stored before it starts: no run is repeated, and a run that was interrupted
 * by the end of the process is lost.
 */
import type { JSONValue } from "convex/values";
import type { Transaction } from "../db/types.ts";
import { messageOf } from "../storage/errorText.ts";
import { firstRunMs, nextRunMs } from "./cronSchedule.ts";
import { canonicalPath, type CronJson } from "./modules.ts";
import type { Runtime } from "./runtime.ts";
import { CRON_JOBS } from "./systemTables.ts";
import { parseDocument, readIndex, readTable } from "./tableReads.ts";
import { wakeUpAt } from "./wakeUp.ts";

const CRON_JOBS_MAX = 1000;

interface CronRow {
  readonly _id: string;
  readonly name: string;
  /** The schedule as declared, as JSON. When it changes, the next run is computed from the last one. */
  readonly declared: string;
  readonly nextMs: number;
  /** Due time of its last run; absent before the first one. */
  readonly lastMs?: number;
}

/**
 * A failed run is logged, and the job runs again at its next time. `stop` waits for running jobs: call it
 * before the database closes.
 */
export class Crons {
  private readonly runtime: Runtime;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly running = new Map<string, Promise<void>>();
  private isStopped = false;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Starts the jobs of the loaded functions and deletes jobs that are no longer declared. Not after `stop`. */
  async start(): Promise<void> {
    if (this.isStopped) return;
    const declared = this.runtime.deployment.modules.crons;
    const nowMs = Date.now();
    const due = await this.transact((txn) => {
      const rows = readTable(txn, CRON_JOBS, CRON_JOBS_MAX).map((row) =>
        parseDocument<CronRow>(row),
      );
      for (const row of rows) if (!Object.hasOwn(declared, row.name)) txn.remove(row._id);
      return Object.entries(declared).map(([name, cron]): [string, number] => {
        const text = JSON.stringify(cron.schedule);
        const row = rows.find((candidate) => candidate.name === name);
        if (row !== undefined && isDeclared(row, text)) {
          return [name, notLater(cron, row.nextMs, nowMs)];
        }
        const lastMs = row?.lastMs;
        // Ignores a last run in the future: the clock was set back since.
        const nextMs =
          lastMs === undefined || lastMs > nowMs
            ? firstRunMs(cron.schedule, nowMs)
            : nextRunMs(cron.schedule, lastMs, nowMs);
        const kept = { declared: text, nextMs: finite(nextMs) };
        if (row === undefined) txn.insert(CRON_JOBS, { name, ...kept });
        else txn.patch(row._id, kept);
        return [name, nextMs];
      });
    });
    for (const [name, nextMs] of due) this.arm(name, nextMs);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    await Promise.all(this.running.values());
  }

  private transact<T>(body: (txn: Transaction) => T): Promise<T> {
    return this.runtime.transact(({ txn }) => body(txn));
  }

  private arm(name: string, dueMs: number): void {
    if (this.isStopped || !Number.isFinite(dueMs)) return;
    const armedMs = Date.now();
    const timer = wakeUpAt(dueMs, () => this.ring(name, dueMs, armedMs));
    this.timers.set(name, timer);
  }

  private ring(name: string, dueMs: number, armedMs: number): void {
    const cron = this.runtime.deployment.modules.crons[name];
    if (cron === undefined || this.isStopped) return;
    const nowMs = Date.now();
    if (nowMs >= dueMs) this.fire(name, cron, { dueMs, nowMs });
    else this.arm(name, nowMs < armedMs ? notLater(cron, dueMs, nowMs) : dueMs);
  }

  private fire(name: string, cron: CronJson, at: { dueMs: number; nowMs: number }): void {
    // Of several runs missed while the server was down, only one is made up for.
    const nextMs = nextRunMs(cron.schedule, at.dueMs, at.nowMs);
    if (!this.running.has(name)) {
      const done = this.run(name, cron, { lastMs: at.dueMs, nextMs: finite(nextMs) })
        .catch((error: unknown) => this.report(name, error))
        .finally(() => void this.running.delete(name));
      this.running.set(name, done);
    }
    this.arm(name, nextMs);
  }

  private async run(
    name: string,
    cron: CronJson,
    times: Required<Pick<CronRow, "lastMs" | "nextMs">>,
  ): Promise<void> {
    const keepNext = (txn: Transaction): void => {
      const [row] = readIndex(txn, `${CRON_JOBS}.by_name`, [["name", name]], { limit: 1 });
      if (row !== undefined) txn.patch(row.id, times);
    };
    const path = canonicalPath(cron.name);
    const isMutation = this.runtime.deployment.modules.functions.get(path)?.kind === "mutation";
    if (!isMutation) await this.transact(keepNext);
    const args: JSONValue = cron.args[0] ?? {};
    const around = { mayRun: () => true, onSuccess: keepNext };
    const outcome = await this.runtime.runInternal(path, args, around);
    if (!("failure" in outcome)) return;
    this.report(name, new Error(outcome.failure.text));
    if (isMutation) await this.transact(keepNext);
  }

  private report(name: string, error: unknown): void {
    const text = messageOf(error);
    this.runtime.deployment.settings.onLogLine?.(`cron ${name} [ERROR] ${text}`);
  }
}

/** Whether a job was stored with this schedule. Earlier versions stored the whole declaration. */
function isDeclared({ declared }: CronRow, schedule: string): boolean {
  if (declared === schedule) return true;
  const before = JSON.parse(declared) as Partial<CronJson>;
  return JSON.stringify(before.schedule) === schedule;
}

/** Limits the wait to one interval of the schedule: the stored time may come from a clock that was ahead. */
function notLater(cron: CronJson, dueMs: number, nowMs: number): number {
  return Math.min(dueMs, nextRunMs(cron.schedule, nowMs, nowMs));
}

/** A time as it can be stored: a job that never runs again gets the largest integer. */
function finite(timeMs: number): number {
  return Number.isFinite(timeMs) ? timeMs : Number.MAX_SAFE_INTEGER;
}
