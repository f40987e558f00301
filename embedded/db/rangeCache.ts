/**
 * Cache of small index ranges of the store ("the account of this person"), as they were last read to their
 * end. A store cursor costs time for each read, and the same ranges are read with every call.
 *
 * A range stays valid when a generation of commits is applied, unless that generation wrote into it. Not
 * here: what commits add on top of the store (snapshot), documents (snapshot's versions).
 */
import type { IndexEntry } from "./baseReader.ts";
import type { IndexKey } from "./types.ts";

/** Ranges with more entries than this are not cached. */
export const KNOWN_ENTRIES_MAX = 4;
/** Ranges with a longer key are not cached: clients choose what is in a key and could fill the memory. */
const KEY_MAX_LENGTH = 512;
/** Ranges in each of the two halves of the cache. */
const RANGES_MAX = 8192;
/** Applied generations whose keys are kept, to revalidate ranges … */
const GENERATIONS_MAX = 3;
/** … unless they wrote more than this. They take two to three times as much heap. */
const GENERATIONS_MAX_BYTES = 64 * 1024 * 1024;

interface KnownRange {
  readonly low: IndexKey;
  readonly entries: readonly IndexEntry[];
  /** Store position at which this is valid. */
  position: number;
}

/** The keys that a generation of commits wrote. */
interface WrittenKeys {
  hasIn(low: IndexKey, high: IndexKey): boolean;
}

interface Applied {
  readonly from: number;
  readonly to: number;
  readonly keys: WrittenKeys;
  readonly bytes: number;
}

/** One per database. Results are valid for exactly the store position asked about. */
export class RangeCache {
  /** By upper bound, which identifies nearly all ranges. Ranges not used recently are in `older`. */
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
    if (known.low !== low) return null;
    return this.isCarriedTo(known, high, position) ? known.entries : null;
  }

  /** Caches a range that was read to its end, unless its keys are too long. */
  keep(low: IndexKey, high: IndexKey, position: number, entries: readonly IndexEntry[]): void {
    const isLong = (key: IndexKey): boolean => key.length > KEY_MAX_LENGTH;
    if (isLong(low) || isLong(high) || entries.some(({ key }) => isLong(key))) return;
    this.put(high, { low, entries, position });
  }

  /**
   * The store advanced from one position to the next by writing `keys`.
   * @param bytes size of the commits in the log
   */
  changed(from: number, to: number, keys: WrittenKeys, bytes: number): void {
    this.applied.push({ from, to, keys, bytes });
    this.appliedBytes += bytes;
    while (this.applied.length > GENERATIONS_MAX || this.appliedBytes > GENERATIONS_MAX_BYTES) {
      this.appliedBytes -= this.applied.shift()!.bytes;
    }
  }

  /** Drops everything: the store was changed outside of commits. */
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
