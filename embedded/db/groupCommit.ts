/**
 * Makes commits durable in groups: one sync for everything that was committed while the last sync ran.
 * A single commit is synced on the spot; larger groups while the next one executes.
 */
import type { CommitLog } from "../storage/commitLog.ts";
import { UnknownOutcomeError } from "./errors.ts";
import type { DurableCommit } from "./types.ts";

export interface PendingCommit {
  readonly seq: number;
  readonly commit: DurableCommit;
  readonly record: Buffer;
  resolve(): void;
  reject(error: Error): void;
}

export interface GroupHost {
  /** A group is about to be written: keep the state after its last commit for readers. */
  groupCut(): void;
  groupDurable(group: readonly PendingCommit[]): void;
  /**
   * Writing or syncing the log failed. Nothing more may be acknowledged; after an {@link
   * UnknownOutcomeError}, nothing may be reported as failed either.
   */
  logFailed(error: Error): void;
}

/**
 * The commit queue of one log. Commits are resolved in the order of `add`. When the log fails, the host is
 * told first; then all pending commits are rejected with the error.
 */
export class GroupCommit {
  private readonly log: CommitLog;
  private readonly host: GroupHost;
  private queue: PendingCommit[] = [];
  private isBusy = false;
  private isScheduled = false;
  private idleWaiters: (() => void)[] = [];

  constructor(log: CommitLog, host: GroupHost) {
    this.log = log;
    this.host = host;
  }

  add(commit: PendingCommit): void {
    this.queue.push(commit);
    // Flush after this turn's input has been handled: commits that arrived together share one flush.
    if (!this.isBusy && !this.isScheduled) {
      this.isScheduled = true;
      setImmediate(this.flush);
    }
  }

  /** Resolves when no commit is pending, whether the last ones became durable or failed. */
  async idle(): Promise<void> {
    if (this.queue.length === 0 && !this.isBusy) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private readonly flush = (): void => {
    this.isScheduled = false;
    if (this.isBusy) return;
    const group = this.queue;
    if (group.length === 0) return this.settleIdle();
    this.queue = [];
    const isSyncedNow = this.log.isInstant || group.length === 1;
    try {
      this.host.groupCut();
      this.log.append(
        group.map((pending) => pending.record),
        group.at(-1)!.seq,
      );
      if (isSyncedNow) this.log.syncNow();
    } catch (error) {
      return this.fail(group, error as Error);
    }
    // Outside of `try`: what it throws is no failure of the log, which holds the group.
    if (isSyncedNow) return this.finish(group);
    this.isBusy = true;
    this.log.sync().then(
      () => {
        this.isBusy = false;
        this.finish(group);
      },
      (error: Error) => {
        this.isBusy = false;
        this.fail(group, error);
      },
    );
  };

  private finish(group: readonly PendingCommit[]): void {
    this.host.groupDurable(group);
    for (const pending of group) pending.resolve();
    if (this.queue.length > 0) this.flush();
    else this.settleIdle();
  }

  private fail(group: readonly PendingCommit[], cause: Error): void {
    // An uncertain outcome applies to the queued commits, too: their clients resend them together with the
    // group, and some of them may be such resends.
    const error = this.log.isUncertain ? new UnknownOutcomeError(cause.message, { cause }) : cause;
    this.host.logFailed(error);
    for (const pending of [...group, ...this.queue]) pending.reject(error);
    this.queue = [];
    this.settleIdle();
  }

  private settleIdle(): void {
    const waiters = this.idleWaiters;
    this.idleWaiters = [];
    for (const resolve of waiters) resolve();
  }
}
