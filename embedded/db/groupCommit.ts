/**
 * Makes commits durable in groups: one sync for everything that was committed while the last sync ran.
 * A single commit is synced on the spot; larger groups while the next one executes.
 */
import type { CommitLog } from "../storage/commitLog";
import { UnknownOutcomeError } from "./errors";
import type { DurableCommit } from "./types";

export interface PendingCommit {
  readonly seq: number;
  readonly commit: DurableCommit;
  readonly record: Buffer;
  resolve(): void;
  reject(error: Error): void;
}

export interface GroupHost {
  /** A group is about to be written: the state after its last commit must be kept for readers. */
  groupCut(): void;
  groupDurable(group: readonly PendingCommit[]): void;
  /**
   * The disk refused. Nothing more may be acknowledged, and after an {@link UnknownOutcomeError} nothing be
   * refused either.
   */
  logFailed(error: Error): void;
}

/**
 * The queue of one log. Commits are resolved in the order of `add`; when the disk refuses, all that wait are
 * rejected with its error, after the host was told.
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
    // After this turn's input has been handled: what arrived together is flushed together.
    if (!this.isBusy && !this.isScheduled) {
      this.isScheduled = true;
      setImmediate(this.flush);
    }
  }

  /** Resolves when nothing is waiting any more, whether it became durable or failed. */
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
    try {
      this.host.groupCut();
      this.log.append(
        group.map((pending) => pending.record),
        group.at(-1)!.seq,
      );
      if (this.log.isInstant || group.length === 1) {
        this.log.syncNow();
        this.finish(group);
        return;
      }
    } catch (error) {
      this.fail(group, error as Error);
      return;
    }
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
    // What waits behind the group is asked for again together with it, or may be what asks for it again.
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
