/**
 * Finds the open queries that a commit affects. The cost depends on the commit, not on the number of open
 * queries: single keys are looked up by hash, ranges in one interval tree per index.
 */
import { INDEX_PREFIX_LENGTH } from "./keyEncoding.ts";
import { IntervalTree, type Interval } from "./intervalTree.ts";
import { Owned } from "./owned.ts";
import type { DurableCommit, IndexKey, ReadSet, Ts } from "./types.ts";

/**
 * Size of the commit history kept for queries that ran on an older snapshot: some thousand small commits. A
 * query that takes longer runs again.
 */
const REMEMBERED_MAX_BYTES = 8 * 1024 * 1024;

/** A single key and the queries that read it. */
class Point<T> extends Owned<T> {
  readonly key: IndexKey;
  constructor(key: IndexKey) {
    super();
    this.key = key;
  }
}

/** Where a query is registered. Queries of one page read much in common and share these objects. */
export type Place<T> = Point<T> | Interval<T>;

/** A copy of the string: a slice would keep the string it was cut from in memory. */
function ownKey(key: IndexKey): IndexKey {
  return Buffer.from(key, "latin1").toString("latin1");
}

/** Owners stay registered until they are removed; a commit does not remove them. */
export class SubscriptionIndex<T> {
  private readonly byPoint = new Map<IndexKey, Point<T>>();
  private readonly byIndex = new Map<string, IntervalTree<T>>();
  private remembered: DurableCommit[] = [];
  private rememberedBytes = 0;
  /** Commits up to here are no longer in the history. */
  private forgottenTs: Ts = -1n;

  /**
   * Registers what a query has read at `snapshotTs`. Returns null, with nothing registered, when a later
   * commit has already affected it (or may have): run the query again.
   */
  add(readSet: ReadSet, snapshotTs: Ts, owner: T): readonly Place<T>[] | null {
    const { points, ranges } = readSet;
    if (this.isTouchedSince(points, ranges, snapshotTs)) return null;
    const places = Array<Place<T>>(points.length + ranges.length);
    points.forEach((key, at) => (places[at] = this.addPoint(key, owner)));
    ranges.forEach(({ low, high }, at) => {
      places[points.length + at] = this.addRange(low, high, owner);
    });
    return places;
  }

  private addPoint(key: IndexKey, owner: T): Point<T> {
    let point = this.byPoint.get(key);
    if (point === undefined) {
      point = new Point(ownKey(key));
      this.byPoint.set(point.key, point);
    }
    point.addOwner(owner);
    return point;
  }

  private addRange(low: IndexKey, high: IndexKey, owner: T): Interval<T> {
    const index = low.slice(0, INDEX_PREFIX_LENGTH);
    let tree = this.byIndex.get(index);
    if (tree === undefined) {
      tree = new IntervalTree();
      this.byIndex.set(ownKey(index), tree);
    }
    const known = tree.find(low, high);
    if (known === null) return tree.add(ownKey(low), ownKey(high), owner);
    known.addOwner(owner);
    return known;
  }

  /** Removes what `add` registered for this owner. */
  remove(places: readonly Place<T>[], owner: T): void {
    for (const place of places) {
      if (place instanceof Point) {
        const isLeft = !place.removeOwner(owner);
        if (!isLeft && this.byPoint.get(place.key) === place) this.byPoint.delete(place.key);
      } else {
        const index = place.low.slice(0, INDEX_PREFIX_LENGTH);
        const tree = this.byIndex.get(index);
        tree?.remove(place.low, place.high, owner);
        if (tree?.isEmpty) this.byIndex.delete(index);
      }
    }
  }

  /** The owners whose queries these commits affect, each once. They stay registered. */
  onCommits(commits: readonly DurableCommit[]): Set<T> {
    const touched = new Set<T>();
    const report = (owner: T) => void touched.add(owner);
    for (const commit of commits) {
      this.remember(commit);
      if (this.byPoint.size === 0 && this.byIndex.size === 0) continue;
      for (const key of commit.writes) {
        this.byPoint.get(key)?.visitOwners(report);
        this.byIndex.get(key.slice(0, INDEX_PREFIX_LENGTH))?.visit(key, report);
      }
    }
    return touched;
  }

  /** Bounded by size, not by number: one commit may hold as much memory as ten thousand others. */
  private remember(commit: DurableCommit): void {
    this.remembered.push(commit);
    this.rememberedBytes += commit.heldBytes;
    if (this.rememberedBytes <= 2 * REMEMBERED_MAX_BYTES) return;
    let gone = 0;
    for (; this.rememberedBytes > REMEMBERED_MAX_BYTES; gone++) {
      const oldest = this.remembered[gone]!;
      this.rememberedBytes -= oldest.heldBytes;
      this.forgottenTs = oldest.ts;
    }
    this.remembered = this.remembered.slice(gone);
  }

  private isTouchedSince(
    points: readonly IndexKey[],
    ranges: ReadSet["ranges"],
    snapshotTs: Ts,
  ): boolean {
    if (snapshotTs < this.forgottenTs) return true;
    const newest = this.remembered.at(-1);
    if (newest === undefined || newest.ts <= snapshotTs) return false;
    const pointSet = new Set(points);
    for (let at = this.remembered.length - 1; at >= 0; at--) {
      const commit = this.remembered[at]!;
      if (commit.ts <= snapshotTs) return false;
      for (const key of commit.writes) {
        if (pointSet.has(key)) return true;
        if (ranges.some(({ low, high }) => key >= low && key < high)) return true;
      }
    }
    return false;
  }
}
