/**
 * Versioned index entries that commits added or removed. All views read the same versions and skip those
 * newer than themselves, so neither a commit nor a view copies anything.
 *
 * A commit changes some forty index entries, and few of those indexes are read before the store has them. So
 * changed documents are recorded as they are, and a table's entries are built when one of its indexes is
 * first read. From then on, and in the next generation, they are built with each commit. Entries are sorted
 * when they are needed, into runs each at most half as long as the one before (the logarithmic method of
 * Bentley and Saxe, 1980).
 */
import type { TableInfo } from "./catalog.ts";
import type { Change } from "./commitWrites.ts";
import { changedKeys } from "./document.ts";
import { INDEX_PREFIX_LENGTH } from "./keyEncoding.ts";
import type { IndexKey } from "./types.ts";

/** The most pending changes whose entries the first reader of a table's index has to wait for. */
const PENDING_MAX = 4_000;
/** Above that, each new change builds the entries of this many older ones. */
const MADE_PER_CHANGE = 2;

/** Marks a removed entry (in place of an id). */
export const REMOVED = "";

/** Sorting this many does not block the event loop noticeably. */
const UNSORTED_MAX = 512;

/** One commit's change to an index entry. */
interface Version {
  readonly key: IndexKey;
  readonly id: string;
  readonly seq: number;
}

/** Versions ordered by key, then by commit. Immutable: readers may keep a reference. */
type Run = readonly Version[];

/** Entries of one range in one direction; after a successful `advance`, `key` and `value` hold one. */
export interface Layer {
  advance(): boolean;
  readonly key: IndexKey;
  readonly value: string | undefined;
}

function byKeyAndCommit(a: Version, b: Version): number {
  if (a.key === b.key) return a.seq - b.seq;
  return a.key < b.key ? -1 : 1;
}

/** Position of the first version whose key is at least `key`. */
function lowerBound(run: Run, key: IndexKey): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (run[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param oldestSeq the commit of the oldest open view: of a key's versions up to it, only the newest is kept */
function merged(older: Run, newer: Run, oldestSeq: number): Run {
  if (older.at(-1)!.key < newer[0]!.key) return older.concat(newer);
  const run: Version[] = [];
  let at = 0;
  for (const version of newer) {
    while (at < older.length && older[at]!.key <= version.key) run.push(older[at++]!);
    const before = run.at(-1);
    if (before?.key === version.key && version.seq <= oldestSeq) run.pop();
    run.push(version);
  }
  while (at < older.length) run.push(older[at++]!);
  return run;
}

/** What was written to one index. */
class IndexLog {
  /** Oldest first. */
  private runs: Run[] = [];
  private unsorted: Version[] = [];
  private isInOrder = true;

  add(version: Version, oldestSeq: number): void {
    const last = this.unsorted.at(-1);
    if (last !== undefined && version.key < last.key) this.isInOrder = false;
    if (this.unsorted.push(version) >= UNSORTED_MAX) this.sort(oldestSeq);
  }

  /** Sorts what was added into runs. Returns all runs, oldest first. */
  sort(oldestSeq: number): readonly Run[] {
    if (this.unsorted.length === 0) return this.runs;
    const written = this.unsorted;
    if (!this.isInOrder) written.sort(byKeyAndCommit);
    this.unsorted = [];
    this.isInOrder = true;
    let run: Run = written;
    let before = this.runs.at(-1);
    while (before !== undefined && before.length < 2 * run.length) {
      run = merged(before, run, oldestSeq);
      this.runs.pop();
      before = this.runs.at(-1);
    }
    this.runs.push(run);
    return this.runs;
  }
}

/** What was written to one table. */
class TableLog {
  readonly table: TableInfo;
  readonly indexes = new Map<string, IndexLog>();
  /** Ids of the documents written, one for each write. */
  readonly ids: string[] = [];
  /** True when entries are built with each commit. */
  isOpen: boolean;
  /** True when one of its indexes has been read. */
  isRead = false;
  /** Changes; those from `madeCount` on have no entries yet. */
  pending: Change[] = [];
  madeCount = 0;

  constructor(table: TableInfo, isOpen: boolean) {
    this.table = table;
    this.isOpen = isOpen;
    for (const { prefix } of [table.byCreationTime, ...table.indexes, ...table.searchIndexes]) {
      this.indexes.set(prefix, new IndexLog());
    }
  }
}

/** What the commits of one generation wrote. It only grows, and is released as a whole after it was applied. */
export class EntryLog {
  /** The commit of the oldest open view (see {@link merged}). */
  oldestSeq = 0;
  private readonly readBefore: ReadonlySet<TableInfo>;
  private readonly tables = new Map<TableInfo, TableLog>();
  /**
   * By index prefix. A lookup that finds nothing is the common case: most reads are of indexes without new
   * writes.
   */
  private readonly tableOfIndex = new Map<string, TableLog>();

  /** @param readBefore tables whose indexes were read in the generation before */
  constructor(readBefore: ReadonlySet<TableInfo> = new Set()) {
    this.readBefore = readBefore;
  }

  /** Tables whose indexes have been read. */
  get tablesRead(): Set<TableInfo> {
    const read = [...this.tables.values()].filter(({ isRead }) => isRead);
    return new Set(read.map(({ table }) => table));
  }

  get tablesWritten(): TableInfo[] {
    return [...this.tables.keys()];
  }

  /** Ids of the documents of a table that were written, one for each write. */
  idsOf(table: TableInfo): readonly string[] {
    return this.tables.get(table)?.ids ?? [];
  }

  /** Adds a change, of the same commit as the one before or of a later one. */
  write(change: Change): void {
    const log = this.tables.get(change.table) ?? this.addTable(change.table);
    log.ids.push(change.id);
    if (log.isOpen) this.makeEntries(log, change);
    else {
      log.pending.push(change);
      if (log.pending.length - log.madeCount > PENDING_MAX) this.makePending(log, MADE_PER_CHANGE);
    }
  }

  private addTable(table: TableInfo): TableLog {
    const log = new TableLog(table, this.readBefore.has(table));
    this.tables.set(table, log);
    for (const prefix of log.indexes.keys()) this.tableOfIndex.set(prefix, log);
    return log;
  }

  /** Builds entries of pending changes, oldest first, as runs require. */
  private makePending(log: TableLog, count: number): void {
    const end = Math.min(log.pending.length, log.madeCount + count);
    for (; log.madeCount < end; log.madeCount++) {
      this.makeEntries(log, log.pending[log.madeCount]!);
    }
  }

  private makeEntries(log: TableLog, change: Change): void {
    const { id, old, doc, seq } = change;
    const { added, removed } = changedKeys(old, doc);
    for (const key of added) this.add(log, { key, id, seq });
    for (const key of removed) this.add(log, { key, id: REMOVED, seq });
  }

  private add(log: TableLog, version: Version): void {
    const index = log.indexes.get(version.key.slice(0, INDEX_PREFIX_LENGTH));
    if (index === undefined) throw new Error(`An index of ${log.table.name} has no place`);
    index.add(version, this.oldestSeq);
  }

  /** True when any commit wrote an entry of one index with `low <= key < high`. */
  hasIn(low: IndexKey, high: IndexKey): boolean {
    for (const run of this.runsOf(low)) {
      const first = run[lowerBound(run, low)];
      if (first !== undefined && first.key < high) return true;
    }
    return false;
  }

  /** A range of one index as of commit `seq`, newest layer first; later commits do not affect it. */
  range(low: IndexKey, high: IndexKey, isReverse: boolean, seq: number): Layer[] {
    const layers: Layer[] = [];
    for (const run of this.runsOf(low)) {
      const [from, to] = [lowerBound(run, low), lowerBound(run, high)];
      if (from < to) layers.unshift(new RunLayer(run, from, to, isReverse, seq));
    }
    return layers;
  }

  private runsOf(key: IndexKey): readonly Run[] {
    const prefix = key.slice(0, INDEX_PREFIX_LENGTH);
    const log = this.tableOfIndex.get(prefix);
    if (log === undefined) return [];
    log.isRead = true;
    if (!log.isOpen) {
      log.isOpen = true;
      this.makePending(log, Infinity);
      log.pending = [];
    }
    return log.indexes.get(prefix)!.sort(this.oldestSeq);
  }
}

/** The part `[from, to)` of a run as of one commit. */
class RunLayer implements Layer {
  key: IndexKey = "";
  value: string | undefined = undefined;
  private readonly run: Run;
  private readonly from: number;
  private readonly to: number;
  private readonly step: 1 | -1;
  private readonly seq: number;
  private at: number;

  constructor(run: Run, from: number, to: number, isReverse: boolean, seq: number) {
    this.run = run;
    this.from = from;
    this.to = to;
    this.step = isReverse ? -1 : 1;
    this.seq = seq;
    this.at = isReverse ? to - 1 : from;
  }

  advance(): boolean {
    while (this.from <= this.at && this.at < this.to) {
      const seen = this.newestOfKey();
      if (seen === null) continue;
      this.key = seen.key;
      this.value = seen.id;
      return true;
    }
    return false;
  }

  /** Skips all versions of the next key. Returns the newest visible one, null when there is none. */
  private newestOfKey(): Version | null {
    const { key } = this.run[this.at]!;
    let newest: Version | null = null;
    do {
      const version = this.run[this.at]!;
      if (version.seq <= this.seq && (newest === null || this.step > 0)) newest = version;
      this.at += this.step;
    } while (this.from <= this.at && this.at < this.to && this.run[this.at]!.key === key);
    return newest;
  }
}
