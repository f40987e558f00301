/** The interface of the commit log, and the log of a database in memory. */

/** A source of durable records. */
export interface RecordSource {
  /**
   * The records after `after`, up to and including `until`, oldest first. They are durable and not all in the
   * store yet.
   * @throws DamageError when one is missing or damaged
   */
  read(after: number, until: number): Iterable<Buffer>;
}

/** The commit log: records survive a power cut once a sync has returned. */
export interface CommitLog extends RecordSource {
  /**
   * Writes one group of records to the operating system.
   * @throws when the write fails; unless `isUncertain`, nothing of the group will ever be found in the log
   */
  append(records: readonly Buffer[], lastPosition: number): void;
  /** Makes everything appended so far durable, without blocking the event loop. */
  sync(): Promise<void>;
  /** Synchronous `sync`: faster for a single record. */
  syncNow(): void;
  /** True from the first byte of a group until it is durable: a restart may or may not find it. */
  readonly isUncertain: boolean;
  /** True when `sync` takes no time, so that waiting gains nothing. */
  readonly isInstant: boolean;
  /** The store holds everything up to `position` durably: older records may be deleted. */
  applied(position: number): void;
  close(): Promise<void>;
}

/** Keeps only records that are not applied yet. Nothing survives the process. */
export class NoLog implements CommitLog {
  readonly isInstant: boolean = true;
  readonly isUncertain = false;
  private records: Buffer[] = [];
  /** Position of the record before the first one kept. */
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
