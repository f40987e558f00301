/**
 * Applies commits to the store behind the log, and holds those that are not applied yet.
 *
 * Commits are collected in the active generation. When it is old or large enough it is frozen and applied
 * as a whole, while a new active generation collects. Not here: what readers see (database.ts), how commits are
 * written to the store (applier.ts).
 */
import type { CommitLog } from "../storage/commitLog.ts";
import type { OrderedStore } from "../storage/orderedStore.ts";
import type { Applier } from "./applier.ts";
import { storedTable, type StoredState } from "./catalogStore.ts";
import { EntryLog } from "./entryLog.ts";
import { ReadOnlyError } from "./errors.ts";
import type { Generation } from "./snapshot.ts";
import type { StoreLag } from "./storeLag.ts";
import type { Ts } from "./types.ts";

/** A generation is applied to the store when it is this old … */
const GENERATION_AGE_MAX_MS = 2000;
/** … or when its commits take this many bytes in the log. */
const GENERATION_MAX_BYTES = 16 * 1024 * 1024;

/** The database, as far as applying needs it. */
export interface FollowerHost {
  /** Why nothing may be applied any more, or null. */
  readonly isReadOnly: string | null;
  /** Sequence number of the newest commit, durable or not. */
  readonly latestSeq: number;
  /** Sequence number and timestamp of the newest durable commit. */
  readonly durableSeq: number;
  readonly durableTs: Ts;
  storeState(): StoredState;
  /** The store holds a generation: from now on readers find its commits there. */
  generationApplied(generation: Generation): void;
  /** Called whenever the store's file has changed. */
  onApplied(): void;
  /** Commits cannot be applied: the database becomes read-only. */
  storeFailed(error: Error): void;
}

interface FollowerOptions {
  readonly store: OrderedStore;
  readonly log: CommitLog;
  readonly applier: Applier;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  /** Bytes of unapplied commits above which mutations wait (`room`). */
  readonly missingMaxBytes: number;
}

function newGeneration(before?: Generation): Generation {
  return {
    entries: new EntryLog(before?.entries.tablesRead),
    lastSeq: 0,
    firstCommitAtMs: 0,
    writtenBytes: 0,
  };
}

/** One per database, which calls `wake` after each group of the log and `stop` before it closes. */
export class StoreFollower {
  /** Collects commits. Replaced when it is frozen. */
  active = newGeneration();

  private readonly host: FollowerHost;
  private readonly store: OrderedStore;
  private readonly log: CommitLog;
  private readonly applier: Applier;
  private readonly now: () => number;
  private readonly missingMaxBytes: number;
  /** The generation that is being applied. */
  private frozen: Generation | null = null;
  /** Monotonic time (`performance.now`). */
  private frozenAtMs = 0;
  private applying: Promise<void> | null = null;
  /** Resolves the promise of an apply that waits for its generation to be durable. */
  private durableWaiter: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Number of pending `atRest` calls. No new apply is scheduled while there are any. */
  private restsWanted = 0;
  private isStopped = false;

  constructor(host: FollowerHost, options: FollowerOptions) {
    this.host = host;
    this.store = options.store;
    this.log = options.log;
    this.applier = options.applier;
    this.now = options.now;
    this.missingMaxBytes = options.missingMaxBytes;
  }

  /** Generations that the store does not have, newest first. */
  get generations(): readonly Generation[] {
    return this.frozen === null ? [this.active] : [this.active, this.frozen];
  }

  /** Counts a commit whose changes are in the active generation. @param bytes the size of its log record */
  added(seq: number, bytes: number): void {
    const { active } = this;
    if (active.lastSeq === 0) active.firstCommitAtMs = this.now();
    active.lastSeq = seq;
    active.writtenBytes += bytes;
  }

  /** Commits became durable, or the log failed. */
  wake(): void {
    this.durableWaiter?.();
    this.schedule();
  }

  /** Applies the active generation if it is due, otherwise when it will be. */
  schedule(): void {
    if (!this.mayStart) return;
    const { active } = this;
    const ageMs = this.now() - active.firstCommitAtMs;
    if (active.writtenBytes >= GENERATION_MAX_BYTES || ageMs >= GENERATION_AGE_MAX_MS) {
      this.start();
    } else if (this.timer === null) {
      this.timer = setTimeout(() => {
        this.timer = null;
        if (this.mayStart) this.start();
      }, GENERATION_AGE_MAX_MS);
      this.timer.unref();
    }
  }

  /** Whether an apply that nobody waits for may start, and has something to do. */
  private get mayStart(): boolean {
    if (this.applying !== null || this.restsWanted > 0 || this.isStopped) return false;
    return this.host.isReadOnly === null && this.active.lastSeq > 0;
  }

  private start(): void {
    this.applying = this.applyGeneration().then(
      () => {
        this.applying = null;
        this.schedule();
      },
      (error: Error) => {
        this.applying = null;
        this.host.storeFailed(error);
      },
    );
  }

  private async applyGeneration(): Promise<void> {
    const { host } = this;
    const generation = this.active;
    this.frozen = generation;
    this.frozenAtMs = performance.now();
    this.active = newGeneration(generation);
    // The store must never be ahead of the log.
    if (host.durableSeq < generation.lastSeq) await this.untilDurable(generation.lastSeq);
    await this.applier.apply({
      until: generation.lastSeq,
      tables: generation.entries.tablesWritten.map(storedTable),
      state: { ...host.storeState(), ts: String(host.durableTs) },
    });
    host.generationApplied(generation);
    this.frozen = null;
    this.log.applied(generation.lastSeq);
    host.onApplied();
  }

  private async untilDurable(seq: number): Promise<void> {
    const { host } = this;
    while (host.durableSeq < seq && host.isReadOnly === null) {
      await new Promise<void>((resolve) => (this.durableWaiter = resolve));
    }
    this.durableWaiter = null;
    if (host.durableSeq < seq) throw new Error("the log stopped first");
  }

  private get missingBytes(): number {
    return (this.frozen?.writtenBytes ?? 0) + this.active.writtenBytes;
  }

  get lag(): StoreLag {
    return {
      bytes: this.missingBytes,
      batchMs: this.frozen === null ? 0 : performance.now() - this.frozenAtMs,
      isFull: this.missingBytes > this.missingMaxBytes,
    };
  }

  /** See `Database.room`. */
  room(): Promise<void> | null {
    if (this.missingBytes <= this.missingMaxBytes) return null;
    // The writer gets the reason when it tries to commit.
    return this.caughtUp(this.missingMaxBytes).catch(() => undefined);
  }

  /**
   * Waits until at most `maxBytes` of commits are not yet applied. They are held in memory, so a bulk load
   * must not outrun the store. @throws ReadOnlyError when the store accepts no more
   */
  async caughtUp(maxBytes: number): Promise<void> {
    while (this.missingBytes > maxBytes) await this.applyMore();
  }

  /** Applies everything committed so far. @throws ReadOnlyError when that is impossible */
  async applyAll(): Promise<void> {
    for (;;) {
      this.checkWritable();
      if (this.applying === null && this.active.lastSeq === 0) return;
      await this.applyMore();
    }
  }

  /**
   * Calls `begin` while no apply is running and the store holds every commit made before this call. No
   * apply starts until `begun` has settled; commits continue meanwhile.
   * @returns what `begin` returned, once it has begun
   * @throws ReadOnlyError when the store accepts no more
   */
  async atRest<T extends { readonly begun: Promise<void> }>(begin: () => T): Promise<T> {
    const target = this.host.latestSeq;
    this.restsWanted += 1;
    try {
      while (this.applying !== null || this.store.position < target) await this.applyMore();
    } finally {
      this.restsWanted -= 1;
    }
    if (this.isStopped) throw new Error("The database is closed");
    const started = begin();
    const resume = () => {
      this.applying = null;
      this.schedule();
    };
    this.applying = started.begun.then(resume, resume);
    await started.begun;
    return started;
  }

  /** Waits for the apply that is running, or for a new one. @throws ReadOnlyError when none is possible */
  private async applyMore(): Promise<void> {
    this.checkWritable();
    if (this.applying === null) this.start();
    await this.applying;
  }

  private checkWritable(): void {
    if (this.host.isReadOnly !== null) throw new ReadOnlyError(this.host.isReadOnly);
  }

  /** Starts no further apply; resolves when none is running. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.applying;
  }
}
