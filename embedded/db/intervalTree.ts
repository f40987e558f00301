/**
 * Half-open string intervals with owners: add, remove and "which contain this key" in O(log n + hits).
 * A treap ordered by interval, each node knowing the highest end below it.
 */

interface Node<T> {
  readonly low: string;
  readonly high: string;
  readonly owners: Set<T>;
  readonly priority: number;
  left: Node<T> | null;
  right: Node<T> | null;
  highest: string;
}

function refresh<T>(node: Node<T>): Node<T> {
  let highest = node.high;
  if (node.left !== null && node.left.highest > highest) highest = node.left.highest;
  if (node.right !== null && node.right.highest > highest) highest = node.right.highest;
  node.highest = highest;
  return node;
}

function compare<T>(low: string, high: string, node: Node<T>): number {
  if (low !== node.low) return low < node.low ? -1 : 1;
  if (high !== node.high) return high < node.high ? -1 : 1;
  return 0;
}

/** Joins two treaps, all of `left` before all of `right`. */
function join<T>(left: Node<T> | null, right: Node<T> | null): Node<T> | null {
  if (left === null) return right;
  if (right === null) return left;
  if (left.priority > right.priority) {
    left.right = join(left.right, right);
    return refresh(left);
  }
  right.left = join(left, right.left);
  return refresh(right);
}

export class IntervalTree<T> {
  private root: Node<T> | null = null;
  /** Shape only: a fixed linear congruential sequence, no secret and no chance between runs. */
  private seed = 1;

  get isEmpty(): boolean {
    return this.root === null;
  }

  add(low: string, high: string, owner: T): void {
    this.root = this.insert(this.root, low, high, owner);
  }

  remove(low: string, high: string, owner: T): void {
    this.root = this.erase(this.root, low, high, owner);
  }

  /** Calls `visitor` for every owner of an interval with `low <= key < high`. */
  visit(key: string, visitor: (owner: T) => void): void {
    let stack: (Node<T> | null)[] | null = null;
    let node = this.root;
    for (;;) {
      // Nothing below ends after the key: leave this branch.
      while (node !== null && node.highest > key) {
        if (node.low <= key) {
          if (node.high > key) node.owners.forEach(visitor);
          if (node.right !== null) (stack ??= []).push(node.right);
        }
        node = node.left;
      }
      if (stack === null || stack.length === 0) return;
      node = stack.pop()!;
    }
  }

  private insert(node: Node<T> | null, low: string, high: string, owner: T): Node<T> {
    if (node === null) {
      this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
      const owners = new Set([owner]);
      return { low, high, owners, priority: this.seed, left: null, right: null, highest: high };
    }
    const order = compare(low, high, node);
    if (order === 0) {
      node.owners.add(owner);
      return node;
    }
    if (order < 0) {
      const left = this.insert(node.left, low, high, owner);
      node.left = left;
      if (left.priority > node.priority) {
        node.left = left.right;
        left.right = refresh(node);
        return refresh(left);
      }
    } else {
      const right = this.insert(node.right, low, high, owner);
      node.right = right;
      if (right.priority > node.priority) {
        node.right = right.left;
        right.left = refresh(node);
        return refresh(right);
      }
    }
    return refresh(node);
  }

  private erase(node: Node<T> | null, low: string, high: string, owner: T): Node<T> | null {
    if (node === null) return null;
    const order = compare(low, high, node);
    if (order === 0) {
      node.owners.delete(owner);
      return node.owners.size > 0 ? node : join(node.left, node.right);
    }
    if (order < 0) node.left = this.erase(node.left, low, high, owner);
    else node.right = this.erase(node.right, low, high, owner);
    return refresh(node);
  }
}
