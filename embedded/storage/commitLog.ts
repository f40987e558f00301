/** What the database asks of its log, and the log of a database that lives in memory. */

/** Where records can be read again. */
export interface RecordSource {
  /**
   * The records after one position up to and including another, oldest first. They are durable, and not all of
   * them are in the store yet.
   * @throws DamageError when one is missing or not as it was written
   */
  read(after: number, until: number): Iterable<Buffer>;
}

/** Records that survive a power cut once a sync has returned. */
export interface CommitLog extends RecordSource {
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

/** Keeps what the store does not have yet: the commits live exactly as long as the process. */
export class NoLog implements CommitLog {
  readonly isInstant: boolean = true;
  readonly isUncertain = false;
  private records: Buffer[] = [];
  /** Position of the record before the first of them. */
  private start = 0;

  append(records: readonly Buffer[], lastPosition: number): void {
    if (this.records.length === 0) this.start = lastPosition - records.length;
    this.records.push(...records);
  }
  read(after: number, until: number): readonly Buffer[] {
    return this.records.slice(after - this.start, until - this.start);
  }
  async sync(): Promise<void> {
    // Memory only.
  }
  syncNow(): void {
    // Memory only.
  }
  applied(position: number): void {
    this.records.splice(0, position - this.start);
    this.start = position;
  }
  async close(): Promise<void> {
    // Memory only.
  }
}
