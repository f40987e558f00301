/**
 * Writing and cancelling scheduled functions inside a transaction.
 *
 * Not here: running them (scheduler).
 */
import { getConvexSize, jsonToConvex, type JSONValue } from "convex/values";
import { DOCUMENT_MAX_BYTES } from "../db/limits.ts";
import type { Transaction } from "../db/types.ts";
import { addressedPath, filePath, findFunction, type Deployment } from "./deployment.ts";
import { BackendError } from "./errors.ts";
import type { TransactionScope } from "./scope.ts";
import { SCHEDULED_FUNCTIONS } from "./systemTables.ts";
import { parseDocument } from "./tableReads.ts";
import { assertArgs } from "./validation.ts";

/** What one mutation may schedule. */
export interface SchedulingLimits {
  readonly functionsScheduled: number;
  readonly scheduledFunctionArgsBytes: number;
}
export const SCHEDULING_LIMITS: SchedulingLimits = {
  functionsScheduled: 1000,
  scheduledFunctionArgsBytes: 16 * 1024 * 1024,
};
/** Of the text that a job failed with, so much is kept. */
export const JOB_ERROR_MAX_CHARS = 4_096;
/** The rest of its document takes the job's name and how it ended. */
const SCHEDULED_ARGS_MAX_BYTES = DOCUMENT_MAX_BYTES - 4 * JOB_ERROR_MAX_CHARS;
const SCHEDULED_DELAY_MAX_MS = 5 * 366 * 24 * 3600 * 1000;

export type JobState =
  | { readonly kind: "pending" | "inProgress" | "success" | "canceled" }
  | { readonly kind: "failed"; readonly error: string };

/** A document of `_scheduled_functions`, decoded. */
export interface ScheduledJob {
  readonly _id: string;
  /** `dir/mod.js:fn`; without `.js` in a job of an earlier version. */
  readonly name: string;
  readonly args: readonly [JSONValue];
  /** When it is due, ms since epoch. */
  readonly scheduledTime: number;
  readonly completedTime?: number;
  readonly state: JobState;
}

/** A job; null when there is none (any more). */
export function readJob(txn: Transaction, id: string): ScheduledJob | null {
  const document = txn.get(id);
  return document === null ? null : parseDocument<ScheduledJob>(document);
}

/**
 * Writes a pending function, to run after the commit at its time. Returns its id.
 *
 * `args.ts` is in seconds since epoch.
 * @throws BackendError for a time that is too far away, unknown functions, queries, wrong arguments and the limits of
 *   scheduling, in this order
 */
export function scheduleFunction(
  caller: { readonly deployment: Deployment; readonly scope: TransactionScope },
  args: Readonly<Record<string, unknown>>,
): string {
  const { deployment, scope } = caller;
  const path = addressedPath(args);
  const scheduledTime = scheduledTimeOf(args.ts, scope.nowMs);
  assertExported(deployment, path);
  const spec = findFunction(deployment, path, ["mutation", "action"]);
  const functionArgs = args.args as JSONValue;
  const value = jsonToConvex(functionArgs);
  assertArgs(spec, value, (id) => scope.txn.tableOf(id));
  countScheduled(scope, getConvexSize(value));
  // Functions scheduled by a cancelled action must not run.
  const parentId = scope.request.scheduledFunctionId;
  const parent = parentId === null ? null : readJob(scope.txn, parentId);
  const kind = parent?.state.kind === "canceled" ? "canceled" : "pending";
  if (kind === "pending") {
    const earliest = scope.after.earliestScheduledMs ?? scheduledTime;
    scope.after.earliestScheduledMs = Math.min(earliest, scheduledTime);
  }
  return scope.txn.insert(SCHEDULED_FUNCTIONS, {
    name: filePath(path),
    args: [functionArgs],
    scheduledTime,
    state: { kind },
    ...(kind === "canceled" && { completedTime: scope.nowMs }),
  });
}

/** @throws BackendError for a function that no module has */
function assertExported({ modules: { functions } }: Deployment, path: string): void {
  if (functions.has(path)) return;
  const [file = "", name = ""] = filePath(path).split(":");
  const isFile = [...functions.keys()].some((known) => filePath(known).startsWith(`${file}:`));
  throw new BackendError(
    isFile
      ? `Attempted to schedule function, but no exported function ${name} found in the file: ${file}. Did you forget to export it?`
      : `Attempted to schedule function at nonexistent path: ${file}`,
  );
}

/** The time in ms. @throws BackendError when it is no time, or too far away */
function scheduledTimeOf(ts: unknown, nowMs: number): number {
  if (typeof ts !== "number" || !Number.isFinite(ts)) {
    throw new BackendError("Invalid argument `ts`: expected seconds since epoch");
  }
  const scheduledTime = ts * 1000;
  const delayMs = scheduledTime - nowMs;
  if (Math.abs(delayMs) <= SCHEDULED_DELAY_MAX_MS) return scheduledTime;
  const side = delayMs > 0 ? "future" : "past";
  throw new BackendError(`${ts} s since epoch is more than 5 years in the ${side}`);
}

/** Counts one more function with arguments of this size. @throws BackendError, and counts nothing, beyond the limits */
function countScheduled(scope: TransactionScope, sizeBytes: number): void {
  if (sizeBytes > SCHEDULED_ARGS_MAX_BYTES) {
    throw new BackendError(
      `Too large arguments of a scheduled function (${sizeBytes} bytes, limit: ${SCHEDULED_ARGS_MAX_BYTES} bytes)`,
    );
  }
  const { functionsScheduled, scheduledFunctionArgsBytes } = scope.schedulingLimits;
  if (scope.scheduledCount >= functionsScheduled) {
    throw new BackendError(
      `Too many functions scheduled by this mutation (limit: ${functionsScheduled})`,
    );
  }
  if (scope.scheduledBytes + sizeBytes > scheduledFunctionArgsBytes) {
    throw new BackendError(
      "Too large total size of the arguments of scheduled functions from this mutation " +
        `(limit: ${scheduledFunctionArgsBytes} bytes)`,
    );
  }
  scope.scheduledCount += 1;
  scope.scheduledBytes += sizeBytes;
}

/**
 * Cancels a scheduled function. A running action runs to its end; a finished function stays as it is.
 *
 * @throws Error for ids of other tables
 */
export function cancelScheduled(scope: TransactionScope, id: string): void {
  if (scope.txn.normalizeId(SCHEDULED_FUNCTIONS, id) === null) {
    throw new Error(
      "Invalid scheduled function ID. The ID must be an ID on the '_scheduled_functions' table.",
    );
  }
  const job = readJob(scope.txn, id);
  // The job finished long ago and was deleted.
  if (job === null) return;
  if (job.state.kind !== "pending" && job.state.kind !== "inProgress") return;
  scope.txn.patch(id, { state: { kind: "canceled" }, completedTime: scope.nowMs });
}
