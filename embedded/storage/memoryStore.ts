/** An {@link OrderedStore} in memory: for tests and for `embedded/testing.ts`. */
import { BTree, type BTreeCursor, type BTreeSnapshot } from "./btree.ts";
import {
  checkKeyLength,
  type OrderedStore,
  type StoreCursor,
  type StoreEntry,
  type StoreSnapshot,
  type StoreWrite,
} from "./orderedStore.ts";

class MemoryCursor implements StoreCursor {
  private readonly cursor: BTreeCursor<Buffer>;
  constructor(cursor: BTreeCursor<Buffer>) {
    this.cursor = cursor;
  }
  next(): StoreEntry | null {
    return this.cursor.advance() ? { key: this.cursor.key, value: this.cursor.value! } : null;
  }
  close(): void {
    // Nothing to release.
  }
}

class MemorySnapshot implements StoreSnapshot {
  readonly position: number;
  private readonly tree: BTreeSnapshot<Buffer>;
  constructor(tree: BTreeSnapshot<Buffer>, position: number) {
    this.tree = tree;
    this.position = position;
  }
  get(key: string): Buffer | undefined {
    return this.tree.get(key);
  }
  range(low: string, high: string, isReverse: boolean): StoreCursor {
    return new MemoryCursor(this.tree.range(low, high, isReverse));
  }
  release(): void {
    // Nothing to release.
  }
}

/** Stores the given values themselves, not copies. */
export class MemoryStore implements OrderedStore {
  private readonly tree = new BTree<Buffer>();
  private appliedPosition = 0;

  get position(): number {
    return this.appliedPosition;
  }

  snapshot(): StoreSnapshot {
    return new MemorySnapshot(this.tree.snapshot(), this.appliedPosition);
  }

  async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    const batch = [...writes];
    for (const { key } of batch) checkKeyLength(key);
    for (const { key, value } of batch) {
      if (value === null) this.tree.delete(key);
      else this.tree.set(key, value);
    }
    this.appliedPosition = position;
  }

  async close(): Promise<void> {
    // Nothing to release.
  }
}
