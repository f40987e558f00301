/**
 * Puts commits out of the log into the store: documents, and the index entries that follow from them.
 *
 * The store follows the log as a replica would: what a commit's record says and what the store holds of a
 * document decide what is written, so that this can be done beside the process's event loop (applierThread.ts).
 * Its position moves when whole commits are in it: after a crash the rest is read from there.
 */
import type { RecordSource } from "../storage/commitLog";
import type { OrderedStore, StoreSnapshot, StoreWrite } from "../storage/orderedStore";
import { indexEntryWrite } from "./baseReader";
import type { Catalog } from "./catalog";
import { stateWrite, tableWrite, type StoredState, type StoredTable } from "./catalogStore";
import { decodeCommit, type CommitRecord } from "./commitRecord";
import { Doc, changedKeys } from "./document";
import { REMOVED } from "./entryLog";
import { tableNumberOf } from "./ids";
import { INDEX_PREFIX_LENGTH } from "./keyEncoding";
import type { IndexKey } from "./types";

/**
 * Documents that are put together, unless one commit alone has more: the more, the more of them share the store's
 * pages. They are held in memory meanwhile.
 */
const BATCH_DOCUMENTS = 32_000;
/** Writes that go into the store at once. */
const CHUNK_WRITES = 2_000;

/** How far the store is to go. */
export interface ApplyOrder {
  /** Position of the last commit, which is durable. */
  readonly until: number;
  /** Tables that these commits wrote to. */
  readonly tables: readonly StoredTable[];
  /** Where the store stands then. */
  readonly state: StoredState;
}

export interface Applier {
  /**
   * Puts all commits up to `order.until` into the store, durably. One call at a time. What the store or the log
   * throws is passed on: then the store may have some of them by half, which the next start makes good.
   * @throws ApplierEndedError when what does the work is gone
   */
  apply(order: ApplyOrder): Promise<void>;
  /** Tables and indexes in the store were changed beside the log. */
  schemaChanged(): void;
  close(): Promise<void>;
}

/** What some commits, one after the other, make of the documents they write. */
class Batch {
  /** Records by id, oldest first; null for a deletion. */
  private readonly versions = new Map<string, (Buffer | null)[]>();
  /** What the store does not have, unless a start goes over these commits again. */
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
      // Only its first version says so: one that was removed before, and imported again, the store has.
      if (isNew === true) this.inserted.add(id);
    }
  }

  /**
   * The writes that lead there, each list in the store's order: neighbours share its pages. Entries of versions in
   * between are removed, and those that were there before put again: when a start goes over these commits a second
   * time, the store may have entries of any of them.
   * @param before the store as it was before the first of the commits
   */
  writes(before: StoreSnapshot): {
    readonly entries: StoreWrite[];
    readonly documents: StoreWrite[];
  } {
    const entries = new SortedWrites();
    const documents = new SortedWrites();
    for (const [id, versions] of this.versions) {
      const table = this.catalog.tableByNumber(tableNumberOf(id));
      if (table === null) {
        checkUnwritten(id, versions);
        continue;
      }
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

/** What came and went within one commit may have been all there ever was of its table. */
function checkUnwritten(id: string, versions: readonly (Buffer | null)[]): void {
  if (versions.every((record) => record === null)) return;
  throw new Error(`The log writes ${id}, whose table is unknown`);
}

const byKey = (a: StoreWrite, b: StoreWrite): number => (a.key < b.key ? -1 : 1);

/** By index: sorting many short lists, some of which are in order already, takes less than one long one. */
class SortedWrites {
  private readonly byIndex = new Map<string, StoreWrite[]>();

  add(key: IndexKey, write: StoreWrite): void {
    const index = key.slice(0, INDEX_PREFIX_LENGTH);
    const writes = this.byIndex.get(index);
    if (writes === undefined) this.byIndex.set(index, [write]);
    else writes.push(write);
  }

  all(): StoreWrite[] {
    const indexes = [...this.byIndex.keys()].sort();
    return indexes.flatMap((index) => this.byIndex.get(index)!.sort(byKey));
  }
}

/** Applies in this thread; the store's own work may be done elsewhere. */
export class DirectApplier implements Applier {
  private readonly store: OrderedStore;
  private readonly log: RecordSource;
  private readonly catalog: Catalog;

  /** @param catalog knows the tables of every commit that is to be applied, and their indexes */
  constructor(store: OrderedStore, log: RecordSource, catalog: Catalog) {
    this.store = store;
    this.log = log;
    this.catalog = catalog;
  }

  async apply(order: ApplyOrder): Promise<void> {
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
   * Index entries first, documents after them, the position last. After a crash in between, a start reads the log
   * from the old position, and further than this batch: it finds each document in its old version, or in any later
   * one with its entries as they belong to it.
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
    // The catalog is the database's own.
  }

  async close(): Promise<void> {
    // Store and log belong to the database.
  }
}
