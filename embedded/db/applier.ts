/**
 * Applies commits from the log to the store: documents, and the index entries derived from them.
 *
 * The store follows the log like a replica. The commit record and the store's current version of each
 * document determine what is written, so this can run in a separate thread (applierThread.ts). The store's
 * position advances by whole commits; after a crash, reading continues from there.
 */
import type { RecordSource } from "../storage/commitLog.ts";
import type { OrderedStore, StoreSnapshot, StoreWrite } from "../storage/orderedStore.ts";
import { indexEntryWrite } from "./baseReader.ts";
import type { Catalog } from "./catalog.ts";
import { stateWrite, tableWrite, type StoredState, type StoredTable } from "./catalogStore.ts";
import { decodeCommit, type CommitRecord } from "./commitRecord.ts";
import { Doc, changedKeys } from "./document.ts";
import { REMOVED } from "./entryLog.ts";
import { ApplierEndedError } from "./errors.ts";
import { INDEX_PREFIX_LENGTH } from "./keyEncoding.ts";
import type { IndexKey } from "./types.ts";

/**
 * Documents in one batch, unless a single commit has more. Larger batches touch fewer pages of the store, but
 * are held in memory.
 */
const BATCH_DOCUMENTS = 32_000;
/** Writes in one transaction of the store. */
const CHUNK_WRITES = 2_000;

/** Pauses before an error of the system in reading the log is taken for one that stays: half a minute. */
const READ_PAUSES_MS = [100, 300, 1_000, 3_000, 10_000, 15_000];
/** Error codes of what this process may have used up: another one may get it. */
const USED_UP: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** The errors of `node:fs`, which only the log is read with. LMDB's have no system call. */
const isOfReading = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;

/** How far to apply. */
export interface ApplyOrder {
  /** Position of the last commit to apply; it is durable. */
  readonly until: number;
  /** Tables written by these commits. */
  readonly tables: readonly StoredTable[];
  /** The store's state after the last commit. */
  readonly state: StoredState;
}

export interface Applier {
  /**
   * Applies all commits up to `order.until`, durably. One call at a time. Errors of the store or the log are
   * passed on, those of reading the log when they do not pass; the store may then hold some commits partially,
   * which the next start repairs.
   * @throws ApplierEndedError when the applier thread is gone or cannot be made, or when this process has used up
   *   what the log is read with
   */
  apply(order: ApplyOrder): Promise<void>;
  /** Tables or indexes in the store were changed outside the log. */
  schemaChanged(): void;
  /** The database closes: from now on, the log is read without pauses. The next start applies what is left. */
  endPauses(): void;
  close(): Promise<void>;
}

/** The combined effect of several consecutive commits on the documents they write. */
class Batch {
  /** Records by id, oldest first; null for a deletion. */
  private readonly versions = new Map<string, (Buffer | null)[]>();
  /** Inserted documents, which the store does not have, unless a start applies these commits a second time. */
  private readonly inserted = new Set<string>();
  private readonly catalog: Catalog;

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  get isFull(): boolean {
    return this.versions.size >= BATCH_DOCUMENTS;
  }

  add(commit: CommitRecord): void {
    for (const [id, record, isNew] of commit.documents) {
      const versions = this.versions.get(id);
      if (versions !== undefined) {
        versions.push(record);
        continue;
      }
      this.versions.set(id, [record]);
      // Only the first version counts: a document that was removed and then imported again is in the store.
      if (isNew === true) this.inserted.add(id);
    }
  }

  /**
   * The writes to make, each list in key order so that neighbours share pages. Entries of intermediate
   * versions are removed and existing entries are written again: when a start applies these commits a second
   * time, the store may have entries of any of the versions.
   * @param before the store before the first of the commits
   */
  writes(before: StoreSnapshot): {
    readonly entries: StoreWrite[];
    readonly documents: StoreWrite[];
  } {
    const entries = new SortedWrites();
    const documents = new SortedWrites();
    for (const [id, versions] of this.versions) {
      const isGone = versions.every((record) => record === null);
      const table = this.catalog.tableInLog(id, isGone);
      if (table === null) continue;
      const key = table.idKey(id);
      const stored = this.inserted.has(id) ? undefined : before.get(key);
      let doc = stored === undefined ? null : Doc.ofRecord(table, id, stored);
      const touched = new Map<IndexKey, string>();
      for (const record of versions) {
        const next = record === null ? null : Doc.ofRecord(table, id, record);
        const { added, removed } = changedKeys(doc, next);
        for (const one of removed) touched.set(one, REMOVED);
        for (const one of added) touched.set(one, id);
        doc = next;
      }
      for (const [one, value] of touched) entries.add(one, indexEntryWrite(one, value));
      documents.add(key, { key, value: versions.at(-1)! });
    }
    return { entries: entries.all(), documents: documents.all() };
  }
}

const byKey = (a: StoreWrite, b: StoreWrite): number => (a.key < b.key ? -1 : 1);

/**
 * Writes grouped by index: sorting many short lists, some already in order, is faster than sorting one long
 * list.
 */
class SortedWrites {
  private readonly byIndex = new Map<string, StoreWrite[]>();

  add(key: IndexKey, write: StoreWrite): void {
    const index = key.slice(0, INDEX_PREFIX_LENGTH);
    const writes = this.byIndex.get(index);
    if (writes === undefined) this.byIndex.set(index, [write]);
    else writes.push(write);
  }

  all(): StoreWrite[] {
    const sorted = [...this.byIndex].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.flatMap(([, writes]) => writes.sort(byKey));
  }
}

/** Applies in the calling thread. */
export class DirectApplier implements Applier {
  private readonly store: OrderedStore;
  private readonly log: RecordSource;
  /** Contains the tables, and their indexes, of every commit that is to be applied. */
  catalog: Catalog;
  private isEnding = false;
  private endPause = (): void => undefined;

  constructor(store: OrderedStore, log: RecordSource, catalog: Catalog) {
    this.store = store;
    this.log = log;
    this.catalog = catalog;
  }

  async apply(order: ApplyOrder): Promise<void> {
    for (const pauseMs of READ_PAUSES_MS) {
      if (this.isEnding) break;
      try {
        return await this.applyNow(order);
      } catch (error) {
        if (!isOfReading(error)) throw error;
      }
      await this.pause(pauseMs);
    }
    await this.applyNow(order).catch((error: unknown) => {
      if (!isOfReading(error) || !USED_UP.has(error.code)) throw error;
      throw new ApplierEndedError(`The log cannot be read: ${error.message}`);
    });
  }

  private async pause(pauseMs: number): Promise<void> {
    if (this.isEnding) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, pauseMs);
      this.endPause = resolve;
    });
    clearTimeout(timer);
  }

  /** Continues at the store's position, so that it can be called again after it failed to read the log. */
  private async applyNow(order: ApplyOrder): Promise<void> {
    let batch = new Batch(this.catalog);
    let { position } = this.store;
    for (const record of this.log.read(position, order.until)) {
      if (batch.isFull) {
        await this.put(batch, position, []);
        batch = new Batch(this.catalog);
      }
      batch.add(decodeCommit(record));
      position += 1;
    }
    await this.put(batch, position, [...order.tables.map(tableWrite), stateWrite(order.state)]);
  }

  /**
   * Writes index entries first, then documents, the position last. After a crash in between, a start applies
   * from the old position, and beyond this batch. It finds each document in its old version, or in a later
   * one together with that version's entries.
   */
  private async put(batch: Batch, position: number, last: StoreWrite[]): Promise<void> {
    const { store } = this;
    const { entries, documents } = this.writesOf(batch);
    for (const writes of [entries, documents]) {
      for (let at = 0; at < writes.length; at += CHUNK_WRITES) {
        await store.apply(writes.slice(at, at + CHUNK_WRITES), store.position);
      }
    }
    await store.apply(last, position);
  }

  private writesOf(batch: Batch) {
    const before = this.store.snapshot();
    try {
      return batch.writes(before);
    } finally {
      before.release();
    }
  }

  schemaChanged(): void {
    // Nothing to do: the catalog is the database's own object.
  }

  endPauses(): void {
    this.isEnding = true;
    this.endPause();
  }

  async close(): Promise<void> {
    // Nothing to close: store and log belong to the database.
  }
}
