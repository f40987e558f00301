/**
 * One transaction and everything that runs in it: the top-level function, the functions it calls, and what
 * was recorded on the way (identity read, clock read, pages read).
 *
 * Not here: the syscalls themselves (syscalls), commits (runtime), retries (mutations).
 */
import type { QueryStream, Transaction } from "../db/types.ts";
import type { LogSink, RequestInfo } from "./execution.ts";
import type { Identity } from "./identity.ts";
import { SCHEDULING_LIMITS, type SchedulingLimits } from "./scheduling.ts";

/** Follow-up work of a committed transaction. */
interface AfterCommit {
  /** Earliest time (ms) of a function scheduled here, to wake the scheduler. */
  earliestScheduledMs: number | null;
  /** Files whose documents were deleted; their bytes are removed after the commit. */
  readonly deletedFiles: string[];
}

export interface TransactionScope {
  readonly txn: Transaction;
  readonly identity: Identity;
  readonly request: RequestInfo;
  readonly logs: LogSink;
  readonly nowMs: number;
  readonly env: Readonly<Record<string, string>>;
  readonly after: AfterCommit;
  readonly streams: Map<number, QueryStream>;
  nextStreamId: number;
  hasReadIdentity: boolean;
  hasReadClock: boolean;
  /** True once the deployment's environment is in the read set. */
  hasReadEnvironment: boolean;
  /** End cursor of an earlier run of the same query: determines where its page ends. */
  readonly journal: string | null;
  nextJournal: string | null;
  scheduledCount: number;
  scheduledBytes: number;
  schedulingLimits: SchedulingLimits;
  /** Scope of the nested snapshot query that is running; one at a time. */
  snapshot: TransactionScope | null;
  isClosed: boolean;
}

/** A scope over a fresh transaction. `nowMs` is the frozen clock of all functions in it. */
export function newScope(
  txn: Transaction,
  options: {
    identity: Identity;
    request: RequestInfo;
    logs: LogSink;
    nowMs: number;
    env: Readonly<Record<string, string>>;
    journal?: string | null;
  },
): TransactionScope {
  return {
    txn,
    identity: options.identity,
    request: options.request,
    logs: options.logs,
    nowMs: options.nowMs,
    env: options.env,
    after: { earliestScheduledMs: null, deletedFiles: [] },
    streams: new Map(),
    nextStreamId: 0,
    hasReadIdentity: false,
    hasReadClock: false,
    hasReadEnvironment: false,
    journal: options.journal ?? null,
    nextJournal: null,
    scheduledCount: 0,
    scheduledBytes: 0,
    schedulingLimits: SCHEDULING_LIMITS,
    snapshot: null,
    isClosed: false,
  };
}

/** Ends the scope: later syscalls of unawaited promises fail instead of using a closed transaction. */
export function closeScope(scope: TransactionScope): void {
  scope.isClosed = true;
  for (const stream of scope.streams.values()) stream.close();
  scope.streams.clear();
  if (scope.snapshot !== null) closeSnapshot(scope, scope.snapshot);
}

/** Ends the scope and transaction of a nested snapshot query, if still open. */
export function closeSnapshot(parent: TransactionScope, snapshot: TransactionScope): void {
  parent.snapshot = null;
  closeScope(snapshot);
  snapshot.txn.close();
}
