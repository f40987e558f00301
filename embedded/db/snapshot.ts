/**
 * Consistent views of the database.
 *
 * Three layers, newest first: the active generation of commits, the one being applied to the store (if any),
 * and the store itself. Index entries live in the generations' sorted runs. Documents live in one map of
 * version chains over all layers, which also serves as the cache of the store's documents.
 *
 * Long because versions, merged cursors and views are one structure: none is of use without the others.
 */
import { DamageError, type StoreSnapshot } from "../storage/orderedStore.ts";
import { BaseCursor, physicalKey, type IndexEntry } from "./baseReader.ts";
import type { CacheTrim } from "./cacheTrim.ts";
import type { Catalog, TableInfo } from "./catalog.ts";
import { REMOVED, type EntryLog, type Layer } from "./entryLog.ts";
import { Doc, heapBytesOf } from "./document.ts";
import { decodeId } from "./ids.ts";
import { INDEX_PREFIX_LENGTH } from "./keyEncoding.ts";
import { KNOWN_ENTRIES_MAX, type RangeCache } from "./rangeCache.ts";
import type { IndexKey, Ts } from "./types.ts";

/** Commits that have not been applied to the store yet. */
export interface Generation {
  readonly entries: EntryLog;
  /** Sequence number of its last commit. */
  lastSeq: number;
  firstCommitAtMs: number;
  writtenBytes: number;
}

/** A store snapshot shared by several views; the last one releases it. */
export class SharedBase {
  readonly snapshot: StoreSnapshot;
  private holders = 1;
  constructor(snapshot: StoreSnapshot) {
    this.snapshot = snapshot;
  }
  retain(): this {
    this.holders++;
    return this;
  }
  release(): void {
    if (--this.holders === 0) this.snapshot.release();
  }
}

class Version {
  readonly seq: number;
  readonly doc: Doc | null;
  previous: Version | null;
  /** Read from the newest store snapshot: views of older snapshots find it in their own snapshot. */
  readonly isStored: boolean;
  isHot = false;
  constructor(seq: number, doc: Doc | null, previous: Version | null, isStored: boolean) {
    this.seq = seq;
    this.doc = doc;
    this.previous = previous;
    this.isStored = isStored;
  }
}

/**
 * Rounds of the clock hand in one pass. If everything was read, the first round only clears the marks and the
 * second evicts.
 */
const ROUNDS_MAX = 2;
/** Documents visited in one turn of the event loop (half a millisecond) … */
const TRIM_STEPS = 2_000;
/** … or more, so that a pass ends after this many turns: new writes must not outgrow the evictions. */
const TRIM_TURNS = 64;

/**
 * Versions of documents, newest first. For a document without an entry, the store has the newest version.
 *
 * It is also the cache of the store's documents. When it is too large, the clock algorithm evicts what was
 * not read since the hand last passed, unless it is not in the store yet.
 */
export class Versions {
  private readonly newest = new Map<string, Version>();
  private readonly maxCachedBytes: number;
  /** Heap bytes of the newest versions. */
  private cachedBytes = 0;
  /** Bytes that reads have added since the last trim began. */
  private readBytes = 0;
  private hand: Iterator<[string, Version]> | null = null;
  private wantedBytes = 0;
  private stepsLeft = 0;
  private stepsAtOnce = 0;

  constructor(maxCachedBytes: number) {
    this.maxCachedBytes = maxCachedBytes;
  }

  /** The version visible to a view at `seq`; undefined when it has to be read from the store. */
  at(id: string, seq: number): Doc | null | undefined {
    let version = this.newest.get(id) ?? null;
    while (version !== null && version.seq > seq) version = version.previous;
    if (version === null) return undefined;
    version.isHot = true;
    return version.doc;
  }

  /** True when the document is in memory: cached, or written by a commit since the newest store snapshot. */
  knows(id: string): boolean {
    return this.newest.has(id);
  }

  /** The newest version in memory; enough to find out the table. */
  anyDoc(id: string): Doc | null {
    return this.newest.get(id)?.doc ?? null;
  }

  /** @param oldestSeq the commit of the oldest open view */
  write(id: string, seq: number, doc: Doc | null, oldestSeq: number): void {
    const previous = this.newest.get(id) ?? null;
    if (previous !== null) {
      if (previous.seq <= oldestSeq) previous.previous = null;
      this.cachedBytes -= heapBytesOf(previous.doc);
    }
    this.newest.set(id, new Version(seq, doc, previous, false));
    this.cachedBytes += heapBytesOf(doc);
  }

  /** Caches a document that was read from the newest store snapshot. */
  keep(doc: Doc, seq: number): void {
    if (this.newest.has(doc.id)) return;
    this.newest.set(doc.id, new Version(seq, doc, null, true));
    const bytes = heapBytesOf(doc);
    this.cachedBytes += bytes;
    this.readBytes += bytes;
  }

  /** True when reads alone have added so much that trimming is worthwhile. */
  get isOverfull(): boolean {
    return this.readBytes > this.maxCachedBytes / 2 && this.cachedBytes > this.maxCachedBytes;
  }

  /**
   * Begins a trim, if the cache is above its bound, down to half of the bound.
   * @param maxBytes a bound to use instead
   */
  beginTrim(maxBytes = this.maxCachedBytes): void {
    this.readBytes = 0;
    this.wantedBytes = maxBytes / 2;
    this.stepsLeft = this.cachedBytes > maxBytes ? ROUNDS_MAX * this.newest.size : 0;
    this.stepsAtOnce = Math.max(TRIM_STEPS, Math.ceil(this.stepsLeft / TRIM_TURNS));
  }

  /**
   * Continues the trim for one slice of a turn.
   * @param appliedSeq commits up to this one are in every open store snapshot
   * @returns true when the trim is done
   */
  trimSome(appliedSeq: number): boolean {
    this.pass(this.stepsAtOnce, appliedSeq);
    return this.stepsLeft === 0;
  }

  /** Finishes the trim. */
  trimAll(appliedSeq: number): void {
    this.pass(this.stepsLeft, appliedSeq);
  }

  private pass(steps: number, appliedSeq: number): void {
    for (let left = Math.min(steps, this.stepsLeft); left > 0; left--) {
      if (this.cachedBytes <= this.wantedBytes) {
        this.stepsLeft = 0;
        return;
      }
      this.stepsLeft -= 1;
      this.passNext(appliedSeq);
    }
  }

  private passNext(appliedSeq: number): void {
    let step = this.hand?.next();
    if (step?.done !== false) {
      this.hand = this.newest.entries();
      step = this.hand.next();
      if (step.done === true) return;
    }
    const [id, version] = step.value;
    if (version.seq > appliedSeq && !version.isStored) return;
    if (version.isHot) {
      version.isHot = false;
      version.previous = null;
    } else {
      this.newest.delete(id);
      this.cachedBytes -= heapBytesOf(version.doc);
    }
  }
}

/** Entries in memory, in reading order. */
export class ListLayer implements Layer {
  key: IndexKey = "";
  value: string | undefined = undefined;
  private readonly entries: readonly IndexEntry[];
  private at = 0;
  constructor(entries: readonly IndexEntry[]) {
    this.entries = entries;
  }
  advance(): boolean {
    const entry = this.entries[this.at++];
    if (entry === undefined) return false;
    this.key = entry.key;
    this.value = entry.id;
    return true;
  }
  close(): void {
    this.at = this.entries.length;
  }
}

/** Entries of the store; `onWhole` gets a small range after it was read to its end. */
class BaseLayer implements Layer {
  key: IndexKey = "";
  value: string | undefined = undefined;
  private readonly cursor: BaseCursor;
  private readonly onWhole: (entries: IndexEntry[]) => void;
  private passed: IndexEntry[] | null = [];
  constructor(cursor: BaseCursor, onWhole: (entries: IndexEntry[]) => void) {
    this.cursor = cursor;
    this.onWhole = onWhole;
  }
  advance(): boolean {
    const entry = this.cursor.next();
    if (entry === null) {
      if (this.passed !== null) this.onWhole(this.passed);
      this.passed = null;
      return false;
    }
    if (this.passed !== null && this.passed.push(entry) > KNOWN_ENTRIES_MAX) this.passed = null;
    this.key = entry.key;
    this.value = entry.id;
    return true;
  }
  close(): void {
    this.passed = null;
    this.cursor.close();
  }
}

/** Merges layers; for each key, the first (newest) layer that has it wins. */
export class MergedCursor {
  private readonly layers: Layer[] = [];
  private readonly isReverse: boolean;
  private readonly base: ListLayer | BaseLayer;

  constructor(overlays: readonly Layer[], base: ListLayer | BaseLayer, isReverse: boolean) {
    this.isReverse = isReverse;
    this.base = base;
    for (const layer of overlays) if (layer.advance()) this.layers.push(layer);
    if (base.advance()) this.layers.push(base);
  }

  next(): IndexEntry | null {
    const layers = this.layers;
    for (;;) {
      if (layers.length === 0) return null;
      let first = layers[0]!;
      for (let at = 1; at < layers.length; at++) {
        const key = layers[at]!.key;
        if (this.isReverse ? key > first.key : key < first.key) first = layers[at]!;
      }
      const { key, value } = first;
      for (let at = layers.length - 1; at >= 0; at--) {
        if (layers[at]!.key === key && !layers[at]!.advance()) layers.splice(at, 1);
      }
      if (value !== REMOVED) return { key, id: value! };
    }
  }

  close(): void {
    this.base.close();
  }
}

/** What all views of one database share. */
export interface ViewHost {
  readonly catalog: Catalog;
  readonly versions: Versions;
  /** The newest store snapshot: only reads from it may be cached. */
  readonly newestBase: SharedBase;
  readonly ranges: RangeCache;
  readonly cacheTrim: CacheTrim;
  forget(view: View): void;
}

/** The database as of one commit. Reference-counted: it keeps a store snapshot open. */
export class View {
  readonly seq: number;
  readonly ts: Ts;
  readonly base: SharedBase;
  private readonly host: ViewHost;
  /** Newest first. */
  private readonly generations: readonly Generation[];
  private holders = 1;

  constructor(
    host: ViewHost,
    seq: number,
    ts: Ts,
    base: SharedBase,
    generations: readonly Generation[],
  ) {
    this.host = host;
    this.seq = seq;
    this.ts = ts;
    this.base = base.retain();
    this.generations = generations;
  }

  retain(): this {
    this.holders++;
    return this;
  }

  release(): void {
    if (--this.holders === 0) {
      this.base.release();
      this.host.forget(this);
    }
  }

  /** The same state, read through a newer store snapshot that holds `applied`. */
  without(applied: Generation, base: SharedBase): View {
    const left = this.generations.filter((generation) => generation !== applied);
    return new View(this.host, this.seq, this.ts, base, left);
  }

  get(id: string): Doc | null {
    const known = this.host.versions.at(id, this.seq);
    if (known !== undefined) return known;
    const decoded = decodeId(id);
    const table = decoded && this.host.catalog.tableByNumber(decoded.tableNumber);
    return table ? this.load(table, id) : null;
  }

  /** {@link get} for a caller that knows the table. */
  getFrom(table: TableInfo, id: string): Doc | null {
    const known = this.host.versions.at(id, this.seq);
    return known === undefined ? this.load(table, id) : known;
  }

  private load(table: TableInfo, id: string): Doc | null {
    const record = this.base.snapshot.get(table.idKey(id));
    if (record === undefined) return null;
    const doc = Doc.ofRecord(table, id, record);
    if (this.base === this.host.newestBase) {
      this.host.versions.keep(doc, this.base.snapshot.position);
      if (this.host.versions.isOverfull) this.host.cacheTrim.request();
    }
    return doc;
  }

  /** The document an index entry points to. @throws DamageError when it does not exist */
  resolve(id: string): Doc {
    const doc = this.get(id);
    if (doc === null) throw new DamageError(`An index entry points at the missing document ${id}`);
    return doc;
  }

  /** Entries of one index in `[low, high)`, with `own` (a transaction's changes) on top. */
  scan(low: IndexKey, high: IndexKey, isReverse: boolean, own: Layer | null): MergedCursor {
    const layers: Layer[] = own === null ? [] : [own];
    for (const { entries } of this.generations) {
      layers.push(...entries.range(low, high, isReverse, this.seq));
    }
    return new MergedCursor(layers, this.storedEntries(low, high, isReverse), isReverse);
  }

  /**
   * The first entries of a range in reading order, if no commit since the store snapshot touched the range:
   * all of them, or more than `count`. Null when it was touched, or when `count` is too large to be
   * worthwhile.
   */
  untouchedEntries(
    low: IndexKey,
    high: IndexKey,
    isReverse: boolean,
    count: number,
  ): readonly IndexEntry[] | null {
    for (const { entries } of this.generations) if (entries.hasIn(low, high)) return null;
    const known = this.knownEntries(low, high, isReverse);
    if (known !== null || count > KNOWN_ENTRIES_MAX) return known;
    const cursor = this.storeCursor(low, high, isReverse);
    const found: IndexEntry[] = [];
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      found.push(entry);
      if (found.length <= count) continue;
      cursor.close();
      return found;
    }
    this.keepEntries(low, high, isReverse, found);
    return found;
  }

  private storedEntries(low: IndexKey, high: IndexKey, isReverse: boolean): ListLayer | BaseLayer {
    const known = this.knownEntries(low, high, isReverse);
    if (known !== null) return new ListLayer(known);
    return new BaseLayer(this.storeCursor(low, high, isReverse), (entries) =>
      this.keepEntries(low, high, isReverse, entries),
    );
  }

  private knownEntries(low: IndexKey, high: IndexKey, isReverse: boolean) {
    const known = this.host.ranges.find(low, high, this.base.snapshot.position);
    return known !== null && isReverse && known.length > 1 ? known.toReversed() : known;
  }

  private keepEntries(low: IndexKey, high: IndexKey, isReverse: boolean, entries: IndexEntry[]) {
    // An older view must not overwrite what newer views have cached.
    if (this.base !== this.host.newestBase) return;
    const ascending = isReverse ? entries.toReversed() : entries;
    this.host.ranges.keep(low, high, this.base.snapshot.position, ascending);
  }

  private storeCursor(low: IndexKey, high: IndexKey, isReverse: boolean): BaseCursor {
    const keyOfEntry = this.keyOfStoredEntry(low.slice(0, INDEX_PREFIX_LENGTH));
    return new BaseCursor(this.base.snapshot, low, high, isReverse, keyOfEntry);
  }

  /**
   * Finds the full key of an entry whose key was too long to store. Null when the entry is obsolete: it was
   * replaced, or a crash interrupted an apply after the entry was written, and replay has the document and
   * its entry in memory.
   */
  private keyOfStoredEntry(prefix: string): (id: string, stored: string) => IndexKey | null {
    return (id, stored) => {
      const decoded = decodeId(id);
      const table = decoded && this.host.catalog.tableByNumber(decoded.tableNumber);
      const record = table && this.base.snapshot.get(table.idKey(id));
      if (record === undefined && this.host.versions.knows(id)) return null;
      if (!table || !record) throw new DamageError(`An index entry points at a missing document`);
      for (const key of Doc.ofRecord(table, id, record).indexKeys()) {
        if (key.startsWith(prefix) && physicalKey(key) === stored) return key;
      }
      return null;
    };
  }

  /**
   * Ids of a table's documents written since the store snapshot, visible to this view or not, one for each
   * write.
   */
  *dirtyIds(table: TableInfo): Iterable<string> {
    for (const generation of this.generations) yield* generation.entries.idsOf(table);
  }

  /** Keys of `by_id` in the store, in order. */
  storedIdKeys(low: IndexKey, high: IndexKey, isReverse: boolean) {
    return this.base.snapshot.range(low, high, isReverse);
  }
}
