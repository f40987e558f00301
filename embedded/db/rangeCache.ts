/**
 * Small index ranges of the store as they were last read to their end ("the account of this person"):
 * asking the store again costs a cursor each time, and the same questions come with every call.
 *
 * A range stays known when a generation of commits is applied, unless that generation wrote into it.
 * Not here: what commits add on top of the store (snapshot), documents (snapshot's versions).
 */
import type { IndexEntry } from "./baseReader";
import type { IndexKey } from "./types";

/** Ranges with more entries than this are read from the store each time. */
export const KNOWN_ENTRIES_MAX = 4;
/** Nor is one with a longer key remembered: who asks chooses what is in it, and may ask for ever new ones. */
const KEY_MAX_LENGTH = 512;
/** Ranges in each of the two halves of the cache. */
const RANGES_MAX = 8192;
/** Applied generations whose keys are remembered, to carry ranges over … */
const GENERATIONS_MAX = 3;
/** … unless they wrote more than this: they hold two to three times as much of the heap. */
const GENERATIONS_MAX_BYTES = 64 * 1024 * 1024;

interface KnownRange {
  readonly low: IndexKey;
  readonly entries: readonly IndexEntry[];
  /** Position of the store at which this holds. */
  position: number;
}

/** Keys that a generation of commits wrote. */
interface WrittenKeys {
  hasIn(low: IndexKey, high: IndexKey): boolean;
}

interface Applied {
  readonly from: number;
  readonly to: number;
  readonly keys: WrittenKeys;
  readonly bytes: number;
}

/** One per database. What it answers holds for exactly the position of the store that was asked about. */
export class RangeCache {
  /** By upper end, which tells nearly all ranges apart. What was not used lately is in `older`. */
  private recent = new Map<IndexKey, KnownRange>();
  private older = new Map<IndexKey, KnownRange>();
  private applied: Applied[] = [];
  private appliedBytes = 0;

  /** The entries of `[low, high)`, lowest first, in the store at `position`; null when unknown. */
  find(low: IndexKey, high: IndexKey, position: number): readonly IndexEntry[] | null {
    let known = this.recent.get(high);
    if (known === undefined) {
      known = this.older.get(high);
      if (known === undefined) return null;
      this.put(high, known);
    }
    if (known.low !== low || known.position > position) return null;
    return this.isCarriedTo(known, high, position) ? known.entries : null;
  }

  /** Remembers a range that was read to its end, unless its keys take too much. */
  keep(low: IndexKey, high: IndexKey, position: number, entries: readonly IndexEntry[]): void {
    const isLong = (key: IndexKey): boolean => key.length > KEY_MAX_LENGTH;
    if (isLong(low) || isLong(high) || entries.some(({ key }) => isLong(key))) return;
    this.put(high, { low, entries, position });
  }

  /**
   * The store went from one position to the next by writing `keys`.
   * @param bytes that the commits took in the log
   */
  changed(from: number, to: number, keys: WrittenKeys, bytes: number): void {
    this.applied.push({ from, to, keys, bytes });
    this.appliedBytes += bytes;
    while (this.applied.length > GENERATIONS_MAX || this.appliedBytes > GENERATIONS_MAX_BYTES) {
      this.appliedBytes -= this.applied.shift()!.bytes;
    }
  }

  /** The store was changed beside the commits. */
  clear(): void {
    this.recent.clear();
    this.older.clear();
    this.applied = [];
    this.appliedBytes = 0;
  }

  private put(high: IndexKey, known: KnownRange): void {
    if (this.recent.size >= RANGES_MAX) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(high, known);
  }

  private isCarriedTo(known: KnownRange, high: IndexKey, position: number): boolean {
    for (const { from, to, keys } of this.applied) {
      if (known.position === position) break;
      if (from !== known.position || keys.hasIn(known.low, high)) continue;
      known.position = to;
    }
    return known.position === position;
  }
}
