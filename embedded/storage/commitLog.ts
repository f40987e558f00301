/** What the database asks of its log, and the log of a database that lives in memory. */

/** Records that survive a power cut once a sync has returned. */
export interface CommitLog {
  /**
   * Hands one group of records to the operating system.
   * @throws when the disk refuses; unless `isUncertain`, nothing of the group will ever be found in the log
   */
  append(records: readonly Buffer[], lastPosition: number): void;
  /** Makes everything appended so far durable, without holding up the event loop. */
  sync(): Promise<void>;
  /** The same, at once: quicker for a single record. */
  syncNow(): void;
  /** True from the first byte of a group until it is durable: a start might find it, or not. */
  readonly isUncertain: boolean;
  /** True when `sync` is instantaneous, so that nothing is gained by not waiting. */
  readonly isInstant: boolean;
  /** Everything up to `position` is safe in the store: older records may be dropped. */
  applied(position: number): void;
  close(): Promise<void>;
}

/** Keeps nothing: the commits live exactly as long as the process. */
export class NoLog implements CommitLog {
  readonly isInstant = true;
  readonly isUncertain = false;
  append(): void {
    // Memory only.
  }
  async sync(): Promise<void> {
    // Memory only.
  }
  syncNow(): void {
    // Memory only.
  }
  applied(): void {
    // Memory only.
  }
  async close(): Promise<void> {
    // Memory only.
  }
}
