/**
 * Which open queries a commit touches, at a cost that depends on the commit and not on how many queries
 * are open: single keys by hash, ranges in one interval tree per index.
 */
import { INDEX_PREFIX_LENGTH } from "./keyEncoding";
import { IntervalTree } from "./intervalTree";
import type { DurableCommit, IndexKey, ReadSet, Ts } from "./types";

/** Commits remembered for queries that ran on a snapshot older than the newest commit. */
const MAX_REMEMBERED_COMMITS = 4096;

export interface Subscription<T> {
  readonly owner: T;
  readonly points: readonly IndexKey[];
  readonly ranges: ReadSet["ranges"];
  /** True when it was already out of date as it was added: nothing more will be reported for it. */
  readonly isStale: boolean;
}

export class SubscriptionIndex<T> {
  private readonly byPoint = new Map<IndexKey, Set<Subscription<T>>>();
  private readonly byIndex = new Map<string, IntervalTree<Subscription<T>>>();
  private remembered: DurableCommit[] = [];
  /** Commits up to here have been forgotten. */
  private forgottenTs: Ts = -1n;

  /**
   * Registers what a query has read at `snapshotTs`. When a commit after that has already touched it, the
   * returned subscription `isStale` and is not registered: run the query again.
   */
  add(readSet: ReadSet, snapshotTs: Ts, owner: T): Subscription<T> {
    const points = readSet.points;
    const ranges = readSet.ranges;
    const isStale = this.isTouchedSince(points, ranges, snapshotTs);
    const subscription: Subscription<T> = { owner, points, ranges, isStale };
    if (isStale) return subscription;
    for (const key of points) {
      const owners = this.byPoint.get(key);
      if (owners === undefined) this.byPoint.set(key, new Set([subscription]));
      else owners.add(subscription);
    }
    for (const { low, high } of ranges) {
      const index = low.slice(0, INDEX_PREFIX_LENGTH);
      let tree = this.byIndex.get(index);
      if (tree === undefined) this.byIndex.set(index, (tree = new IntervalTree()));
      tree.add(low, high, subscription);
    }
    return subscription;
  }

  /** Forgets a subscription; harmless when it is stale or gone. */
  remove(subscription: Subscription<T>): void {
    if (subscription.isStale) return;
    for (const key of subscription.points) {
      const owners = this.byPoint.get(key);
      owners?.delete(subscription);
      if (owners?.size === 0) this.byPoint.delete(key);
    }
    for (const { low, high } of subscription.ranges) {
      const index = low.slice(0, INDEX_PREFIX_LENGTH);
      const tree = this.byIndex.get(index);
      tree?.remove(low, high, subscription);
      if (tree?.isEmpty) this.byIndex.delete(index);
    }
  }

  /** The owners whose queries these commits touch, each once. They stay registered. */
  onCommits(commits: readonly DurableCommit[]): Set<T> {
    const touched = new Set<T>();
    const report = (subscription: Subscription<T>) => void touched.add(subscription.owner);
    for (const commit of commits) {
      this.remembered.push(commit);
      for (const key of commit.writes) {
        this.byPoint.get(key)?.forEach(report);
        this.byIndex.get(key.slice(0, INDEX_PREFIX_LENGTH))?.visit(key, report);
      }
    }
    if (this.remembered.length > 2 * MAX_REMEMBERED_COMMITS) {
      this.forgottenTs = this.remembered[this.remembered.length - MAX_REMEMBERED_COMMITS - 1]!.ts;
      this.remembered = this.remembered.slice(-MAX_REMEMBERED_COMMITS);
    }
    return touched;
  }

  private isTouchedSince(
    points: readonly IndexKey[],
    ranges: ReadSet["ranges"],
    snapshotTs: Ts,
  ): boolean {
    if (snapshotTs < this.forgottenTs) return true;
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
