/**
 * A sorted map from strings to values with O(log n) changes and O(1) snapshots: a B+-tree whose nodes are
 * copied on the first change after a snapshot (copy on write) and changed in place otherwise.
 *
 * Deletion does not rebalance: a node is removed when it is empty. Trees here grow, are read and are dropped
 * as a whole.
 */

const ITEMS_MAX = 32;

interface Leaf<V> {
  readonly isLeaf: true;
  owner: object;
  keys: string[];
  values: V[];
}
interface Branch<V> {
  readonly isLeaf: false;
  owner: object;
  /** `keys[i]` is at most the smallest key in `children[i]`; `keys[0]` is not used. */
  keys: string[];
  children: Node<V>[];
}
type Node<V> = Leaf<V> | Branch<V>;

/** Position of the first key that is at least `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `splice(at, 0, item)` without allocating a result array. */
function insertAt<T>(items: T[], at: number, item: T): void {
  items.push(item);
  for (let from = items.length - 1; from > at; from--) items[from] = items[from - 1]!;
  items[at] = item;
}

/** Position of the child whose range includes `key`. */
function childIndex(keys: readonly string[], key: string): number {
  let low = 1;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function valueIn<V>(root: Node<V>, key: string): V | undefined {
  let node = root;
  while (!node.isLeaf) node = node.children[childIndex(node.keys, key)]!;
  const at = lowerBound(node.keys, key);
  return node.keys[at] === key ? node.values[at] : undefined;
}

/** A frozen state of a {@link BTree}. */
export class BTreeSnapshot<V> {
  private readonly root: Node<V>;
  constructor(root: Node<V>) {
    this.root = root;
  }

  get(key: string): V | undefined {
    return valueIn(this.root, key);
  }

  get isEmpty(): boolean {
    return this.root.isLeaf && this.root.keys.length === 0;
  }

  /** Entries with `low <= key < high`, in the given direction. */
  range(low: string, high: string, isReverse: boolean): BTreeCursor<V> {
    return new BTreeCursor(this.root, low, high, isReverse);
  }
}

/** Walks a range; after a successful `advance`, `key` and `value` hold the entry. */
export class BTreeCursor<V> {
  key = "";
  value: V | undefined = undefined;
  private readonly branches: Branch<V>[] = [];
  private readonly positions: number[] = [];
  private leaf: Leaf<V>;
  private at: number;
  private readonly bound: string;
  private readonly isReverse: boolean;

  constructor(root: Node<V>, low: string, high: string, isReverse: boolean) {
    this.isReverse = isReverse;
    this.bound = isReverse ? low : high;
    const target = isReverse ? high : low;
    let node = root;
    while (!node.isLeaf) {
      const index = childIndex(node.keys, target);
      this.branches.push(node);
      this.positions.push(index);
      node = node.children[index]!;
    }
    this.leaf = node;
    const first = lowerBound(node.keys, target);
    this.at = isReverse ? first - 1 : first;
  }

  /** Moves to the next entry; false at the end. */
  advance(): boolean {
    while (this.at < 0 || this.at >= this.leaf.keys.length) {
      if (!this.moveLeaf()) return false;
    }
    const key = this.leaf.keys[this.at]!;
    if (this.isReverse ? key < this.bound : key >= this.bound) return false;
    this.key = key;
    this.value = this.leaf.values[this.at];
    this.at += this.isReverse ? -1 : 1;
    return true;
  }

  private moveLeaf(): boolean {
    const step = this.isReverse ? -1 : 1;
    let depth = this.branches.length - 1;
    while (depth >= 0) {
      const next = this.positions[depth]! + step;
      if (next >= 0 && next < this.branches[depth]!.children.length) {
        this.positions[depth] = next;
        break;
      }
      depth--;
    }
    if (depth < 0) return false;
    let node = this.branches[depth]!.children[this.positions[depth]!]!;
    for (let level = depth + 1; !node.isLeaf; level++) {
      const index = this.isReverse ? node.children.length - 1 : 0;
      this.branches[level] = node;
      this.positions[level] = index;
      node = node.children[index]!;
    }
    this.leaf = node;
    this.at = this.isReverse ? node.keys.length - 1 : 0;
    return true;
  }
}

/** `undefined` cannot be a value: `get` returns it for a missing key. */
export class BTree<V> {
  private owner: object = {};
  private root: Node<V> = { isLeaf: true, owner: this.owner, keys: [], values: [] };

  /** Freezes the current state. Costs nothing until the next change. */
  snapshot(): BTreeSnapshot<V> {
    this.owner = {};
    return new BTreeSnapshot(this.root);
  }

  /** The current state without freezing it: valid until the next change. */
  peek(): BTreeSnapshot<V> {
    return new BTreeSnapshot(this.root);
  }

  get(key: string): V | undefined {
    return valueIn(this.root, key);
  }

  set(key: string, value: V): void {
    this.root = this.owned(this.root);
    const sibling = this.insert(this.root, key, value);
    if (sibling !== null) {
      this.root = {
        isLeaf: false,
        owner: this.owner,
        keys: ["", sibling.key],
        children: [this.root, sibling.node],
      };
    }
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return;
    this.root = this.owned(this.root);
    this.remove(this.root, key);
    while (!this.root.isLeaf && this.root.children.length === 1) this.root = this.root.children[0]!;
  }

  private owned(node: Node<V>): Node<V> {
    if (node.owner === this.owner) return node;
    return node.isLeaf
      ? { isLeaf: true, owner: this.owner, keys: node.keys.slice(), values: node.values.slice() }
      : {
          isLeaf: false,
          owner: this.owner,
          keys: node.keys.slice(),
          children: node.children.slice(),
        };
  }

  private insert(node: Node<V>, key: string, value: V): { key: string; node: Node<V> } | null {
    if (node.isLeaf) {
      const at = lowerBound(node.keys, key);
      if (node.keys[at] === key) {
        node.values[at] = value;
        return null;
      }
      insertAt(node.keys, at, key);
      insertAt(node.values, at, value);
      return node.keys.length > ITEMS_MAX ? this.splitLeaf(node, at) : null;
    }
    const at = childIndex(node.keys, key);
    const child = this.owned(node.children[at]!);
    node.children[at] = child;
    const sibling = this.insert(child, key, value);
    if (sibling === null) return null;
    insertAt(node.keys, at + 1, sibling.key);
    insertAt(node.children, at + 1, sibling.node);
    if (node.children.length <= ITEMS_MAX) return null;
    const half = node.children.length >>> 1;
    const right: Branch<V> = {
      isLeaf: false,
      owner: this.owner,
      keys: node.keys.splice(half),
      children: node.children.splice(half),
    };
    return { key: right.keys[0]!, node: right };
  }

  private splitLeaf(leaf: Leaf<V>, insertedAt: number): { key: string; node: Leaf<V> } {
    // Appends (the common case: creation times) leave full nodes behind, not half-empty ones.
    const half = insertedAt === leaf.keys.length - 1 ? insertedAt : leaf.keys.length >>> 1;
    const right: Leaf<V> = {
      isLeaf: true,
      owner: this.owner,
      keys: leaf.keys.splice(half),
      values: leaf.values.splice(half),
    };
    return { key: right.keys[0]!, node: right };
  }

  private remove(node: Node<V>, key: string): void {
    if (node.isLeaf) {
      const at = lowerBound(node.keys, key);
      node.keys.splice(at, 1);
      node.values.splice(at, 1);
      return;
    }
    const at = childIndex(node.keys, key);
    const child = this.owned(node.children[at]!);
    node.children[at] = child;
    this.remove(child, key);
    const isEmpty = child.isLeaf ? child.keys.length === 0 : child.children.length === 0;
    if (isEmpty && node.children.length > 1) {
      node.keys.splice(at, 1);
      node.children.splice(at, 1);
    }
  }
}
