/**
 * Half-open string intervals with owners: add and remove in O(log n); "which contain this key" in O(log n)
 * per hit. A treap ordered by interval; each node holds the highest end in its subtree.
 */
import { Owned } from "./owned.ts";

/** One interval and its owners. */
export class Interval<T> extends Owned<T> {
  readonly low: string;
  readonly high: string;
  readonly priority: number;
  left: Interval<T> | null = null;
  right: Interval<T> | null = null;
  /** The highest end in this subtree. */
  highest: string;

  constructor(low: string, high: string, priority: number) {
    super();
    this.low = low;
    this.high = high;
    this.priority = priority;
    this.highest = high;
  }
}

function refresh<T>(node: Interval<T>): Interval<T> {
  let highest = node.high;
  if (node.left !== null && node.left.highest > highest) highest = node.left.highest;
  if (node.right !== null && node.right.highest > highest) highest = node.right.highest;
  node.highest = highest;
  return node;
}

function compare<T>(low: string, high: string, node: Interval<T>): number {
  if (low !== node.low) return low < node.low ? -1 : 1;
  if (high !== node.high) return high < node.high ? -1 : 1;
  return 0;
}

/** Joins two treaps; every interval of `left` sorts before those of `right`. */
function join<T>(left: Interval<T> | null, right: Interval<T> | null): Interval<T> | null {
  if (left === null) return right;
  if (right === null) return left;
  if (left.priority > right.priority) {
    left.right = join(left.right, right);
    return refresh(left);
  }
  right.left = join(left, right.left);
  return refresh(right);
}

/** Equal bounds share one interval with several owners. It is removed with its last owner. */
export class IntervalTree<T> {
  private root: Interval<T> | null = null;
  /** Determines the tree's shape only: a fixed linear congruential sequence, the same in every run. */
  private seed = 1;

  get isEmpty(): boolean {
    return this.root === null;
  }

  /** Returns the interval that now has this owner: one object for all owners of equal bounds. */
  add(low: string, high: string, owner: T): Interval<T> {
    const known = this.find(low, high);
    known?.addOwner(owner);
    if (known !== null) return known;
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    // 31 bits: a larger number would be allocated on the heap.
    const interval = new Interval<T>(low, high, this.seed >>> 1);
    interval.addOwner(owner);
    this.root = this.insert(this.root, interval);
    return interval;
  }

  remove(low: string, high: string, owner: T): void {
    const interval = this.find(low, high);
    if (interval?.removeOwner(owner) === true) this.root = this.erase(this.root, low, high);
  }

  /** The interval with exactly these bounds. */
  find(low: string, high: string): Interval<T> | null {
    let node = this.root;
    while (node !== null) {
      const order = compare(low, high, node);
      if (order === 0) return node;
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** Calls `visitor` for every owner of an interval with `low <= key < high`. */
  visit(key: string, visitor: (owner: T) => void): void {
    let stack: (Interval<T> | null)[] | null = null;
    let node = this.root;
    for (;;) {
      // No interval in this subtree ends after the key.
      while (node !== null && node.highest > key) {
        if (node.low <= key) {
          if (node.high > key) node.visitOwners(visitor);
          if (node.right !== null) (stack ??= []).push(node.right);
        }
        node = node.left;
      }
      if (stack === null || stack.length === 0) return;
      node = stack.pop()!;
    }
  }

  /** Inserts an interval that is not in the tree. */
  private insert(node: Interval<T> | null, added: Interval<T>): Interval<T> {
    if (node === null) return added;
    if (compare(added.low, added.high, node) < 0) {
      const left = this.insert(node.left, added);
      node.left = left;
      if (left.priority > node.priority) {
        node.left = left.right;
        left.right = refresh(node);
        return refresh(left);
      }
    } else {
      const right = this.insert(node.right, added);
      node.right = right;
      if (right.priority > node.priority) {
        node.right = right.left;
        right.left = refresh(node);
        return refresh(right);
      }
    }
    return refresh(node);
  }

  private erase(node: Interval<T> | null, low: string, high: string): Interval<T> | null {
    if (node === null) return null;
    const order = compare(low, high, node);
    if (order === 0) return join(node.left, node.right);
    if (order < 0) node.left = this.erase(node.left, low, high);
    else node.right = this.erase(node.right, low, high);
    return refresh(node);
  }
}
