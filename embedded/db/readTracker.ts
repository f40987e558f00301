/** Collects what a transaction reads, as exact keys and ranges. */
import type { IndexKey, KeyRange, ReadSet } from "./types.ts";

/** A range that grows while a stream is read; `low` and `high` bound what was read so far. */
export class TrackedRange implements KeyRange {
  low: IndexKey;
  high: IndexKey;
  constructor(low: IndexKey, high: IndexKey) {
    this.low = low;
    this.high = high;
  }
}

/** One transaction's read set. It only grows: reads stay in it when writes are undone. */
export class ReadTracker implements ReadSet {
  private readonly pointSet = new Set<IndexKey>();
  private readonly tracked: TrackedRange[] = [];

  addPoint(key: IndexKey): void {
    this.pointSet.add(key);
  }

  /** Starts a range of which nothing has been read yet. */
  openRange(low: IndexKey, high: IndexKey, isReverse: boolean): TrackedRange {
    const range = isReverse ? new TrackedRange(high, high) : new TrackedRange(low, low);
    this.tracked.push(range);
    return range;
  }

  get points(): readonly IndexKey[] {
    return [...this.pointSet];
  }

  get ranges(): readonly KeyRange[] {
    return this.tracked.filter((range) => range.low < range.high);
  }

  /** True when one of the written keys was read. */
  isHitBy(writes: readonly IndexKey[]): boolean {
    for (const key of writes) {
      if (this.pointSet.has(key)) return true;
      for (const range of this.tracked) if (key >= range.low && key < range.high) return true;
    }
    return false;
  }
}
