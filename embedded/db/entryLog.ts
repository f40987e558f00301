/**
 * Index entries that commits put or removed, in versions: every view reads the same tree and passes over
 * what came after it, so that neither a commit nor a view copies anything.
 */
import { BTree, type BTreeCursor } from "../storage/btree";
import { AFTER_PREFIX, INDEX_PREFIX_LENGTH } from "./keyEncoding";
import type { IndexKey } from "./types";

/** Instead of an id: the entry is gone. */
export const REMOVED = "";

/** What one commit made of an entry. */
class Version {
  readonly id: string;
  readonly seq: number;
  older: Version | null = null;
  constructor(id: string, seq: number) {
    this.id = id;
    this.seq = seq;
  }
}

/** Entries of one range in one direction; after a successful `advance`, `key` and `value` hold one. */
export interface Layer {
  advance(): boolean;
  readonly key: IndexKey;
  readonly value: string | undefined;
}

export class EntryLog {
  /** Versions up to this commit are seen by every view that is still open, or by none. */
  oldestSeq = 0;
  /** One tree per index: most ranges that are read lie in an index nobody writes to. */
  private readonly trees = new Map<string, BTree<Version>>();

  /** @param id the document, or {@link REMOVED}; `seq` is at least that of the write before */
  set(key: IndexKey, id: string, seq: number): void {
    const index = key.slice(0, INDEX_PREFIX_LENGTH);
    let tree = this.trees.get(index);
    if (tree === undefined) this.trees.set(index, (tree = new BTree<Version>(this.onTop)));
    tree.set(key, new Version(id, seq));
  }

  private readonly onTop = (older: Version, version: Version): Version => {
    if (older.seq <= this.oldestSeq) older.older = null;
    version.older = older;
    return version;
  };

  /** True when any commit wrote an entry of one index with `low <= key < high`. */
  hasIn(low: IndexKey, high: IndexKey): boolean {
    return this.trees.get(low.slice(0, INDEX_PREFIX_LENGTH))?.hasIn(low, high) ?? false;
  }

  /** A range of one index as of commit `seq`, or null; commits may go on meanwhile. */
  range(low: IndexKey, high: IndexKey, isReverse: boolean, seq: number): Layer | null {
    const tree = this.trees.get(low.slice(0, INDEX_PREFIX_LENGTH));
    return tree === undefined ? null : new LogLayer(tree, low, high, isReverse, seq);
  }

  /** All entries as of commit `seq`, index by index, in order. */
  *layers(seq: number): Generator<Layer, void, undefined> {
    for (const index of [...this.trees.keys()].sort()) {
      const layer = this.range(index, index + AFTER_PREFIX, false, seq);
      if (layer !== null) yield layer;
    }
  }
}

class LogLayer implements Layer {
  key: IndexKey = "";
  value: string | undefined = undefined;
  private readonly tree: BTree<Version>;
  private readonly isReverse: boolean;
  private readonly seq: number;
  private low: IndexKey;
  private high: IndexKey;
  private cursor: BTreeCursor<Version>;
  private changeCount: number;

  constructor(
    tree: BTree<Version>,
    low: IndexKey,
    high: IndexKey,
    isReverse: boolean,
    seq: number,
  ) {
    this.tree = tree;
    this.low = low;
    this.high = high;
    this.isReverse = isReverse;
    this.seq = seq;
    this.changeCount = tree.changeCount;
    this.cursor = tree.peek().range(low, high, isReverse);
  }

  advance(): boolean {
    const { tree } = this;
    if (this.changeCount !== tree.changeCount) {
      this.changeCount = tree.changeCount;
      this.cursor = tree.peek().range(this.low, this.high, this.isReverse);
    }
    while (this.cursor.advance()) {
      const { key } = this.cursor;
      // Where to go on when the tree has changed.
      if (this.isReverse) this.high = key;
      else this.low = key + "\x00";
      let version: Version | null = this.cursor.value ?? null;
      while (version !== null && version.seq > this.seq) version = version.older;
      if (version === null) continue;
      this.key = key;
      this.value = version.id;
      return true;
    }
    return false;
  }
}
