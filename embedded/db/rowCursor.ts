/** Rows of one index range as a transaction sees them: its own writes on top of its view. */
import type { StoreCursor } from "../storage/orderedStore.ts";
import type { IndexEntry } from "./baseReader.ts";
import type { IndexInfo, TableInfo } from "./catalog.ts";
import type { Doc } from "./document.ts";
import { keyAfter } from "./keyEncoding.ts";
import type { TrackedRange } from "./readTracker.ts";
import type { Layer } from "./entryLog.ts";
import type { View } from "./snapshot.ts";
import type { IndexKey } from "./types.ts";

/** What a row cursor needs from its transaction. */
export interface RowHost {
  readonly view: View;
  /** Changes with every write of the transaction. */
  readonly writeVersion: number;
  /** Index entries of `table` in a range that the transaction added or removed; null for none. */
  ownEntries(table: TableInfo, low: IndexKey, high: IndexKey, isReverse: boolean): Layer | null;
  ownIds(table: TableInfo): Iterable<string>;
  /** The own version, otherwise the view's; not added to the read set. */
  peek(id: string): Doc | null;
}

export interface Row {
  readonly key: IndexKey;
  readonly doc: Doc;
}

interface EntryCursor {
  next(): IndexEntry | null;
  close(): void;
}

/** Entries of `by_id`, whose records are the documents themselves. */
class IdCursor implements EntryCursor {
  private readonly host: RowHost;
  private readonly table: TableInfo;
  private readonly stored: StoreCursor;
  private readonly isReverse: boolean;
  /** Keys written since the store snapshot; the next one is at the end. */
  private readonly written: IndexKey[];
  private nextStored: IndexKey | null;

  constructor(host: RowHost, table: TableInfo, low: IndexKey, high: IndexKey, isReverse: boolean) {
    this.host = host;
    this.table = table;
    this.isReverse = isReverse;
    const keys = new Set<IndexKey>();
    for (const ids of [host.view.dirtyIds(table), host.ownIds(table)]) {
      for (const id of ids) {
        const key = table.idKey(id);
        if (key >= low && key < high) keys.add(key);
      }
    }
    this.written = [...keys].sort();
    if (!isReverse) this.written.reverse();
    this.stored = host.view.storedIdKeys(low, high, isReverse);
    this.nextStored = this.stored.next()?.key ?? null;
  }

  next(): IndexEntry | null {
    for (;;) {
      const written = this.written.at(-1) ?? null;
      const stored = this.nextStored;
      if (written === null && stored === null) return null;
      const isStoredFirst =
        written === null ||
        (stored !== null && (this.isReverse ? stored > written : stored < written));
      const key = isStoredFirst ? stored! : written;
      if (key === stored) this.nextStored = this.stored.next()?.key ?? null;
      if (!isStoredFirst) this.written.pop();
      const id = this.table.idOfKey(key);
      if (this.host.peek(id) !== null) return { key, id };
    }
  }

  close(): void {
    this.stored.close();
  }
}

/**
 * Sees what its transaction writes meanwhile. When read to its end, the whole range counts as read; before
 * that, the part that was passed. Close it unless it was read to its end.
 */
export class RowCursor {
  private readonly host: RowHost;
  private readonly table: TableInfo;
  private readonly index: IndexInfo;
  private readonly isReverse: boolean;
  private readonly tracked: TrackedRange;
  /** The part of the range that was not passed yet: after a write of the transaction it is read anew. */
  private low: IndexKey;
  private high: IndexKey;
  private entries: EntryCursor | null = null;
  private writeVersion = -1;
  private isDone = false;

  constructor(
    host: RowHost,
    table: TableInfo,
    index: IndexInfo,
    range: { low: IndexKey; high: IndexKey },
    isReverse: boolean,
    tracked: TrackedRange,
  ) {
    this.host = host;
    this.table = table;
    this.index = index;
    this.low = range.low;
    this.high = range.high;
    this.isReverse = isReverse;
    this.tracked = tracked;
  }

  /** The next row, or null at the end. The part passed is added to the read set. */
  next(): Row | null {
    if (this.isDone) return null;
    const { entries } = this;
    const isCurrent = entries !== null && this.writeVersion === this.host.writeVersion;
    const entry = (isCurrent ? entries : this.open()).next();
    if (entry === null) {
      if (this.isReverse) this.tracked.low = this.low;
      else this.tracked.high = this.high;
      this.close();
      return null;
    }
    const { key } = entry;
    if (this.isReverse) this.tracked.low = this.high = key;
    else this.tracked.high = this.low = keyAfter(key);
    const doc = this.host.peek(entry.id) ?? this.host.view.resolve(entry.id);
    return { key, doc };
  }

  private open(): EntryCursor {
    this.entries?.close();
    const { low, high } = this;
    this.writeVersion = this.host.writeVersion;
    this.entries =
      this.index === this.table.byId
        ? new IdCursor(this.host, this.table, low, high, this.isReverse)
        : this.host.view.scan(
            low,
            high,
            this.isReverse,
            this.host.ownEntries(this.table, low, high, this.isReverse),
          );
    return this.entries;
  }

  close(): void {
    this.isDone = true;
    this.entries?.close();
    this.entries = null;
  }
}
