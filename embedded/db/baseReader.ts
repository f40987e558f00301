/**
 * Reads index entries from the store, hiding its limit on key length.
 *
 * A key longer than the limit is stored as its first bytes plus a hash. Such keys are ordered by their
 * hashes, so entries with the same first bytes are read together, given their full keys (recomputed from
 * their documents) and sorted before they are returned.
 */
import { createHash } from "node:crypto";
import {
  KEY_MAX_BYTES,
  type StoreCursor,
  type StoreSnapshot,
  type StoreWrite,
} from "../storage/orderedStore.ts";
import { REMOVED } from "./entryLog.ts";
import { AFTER_PREFIX } from "./keyEncoding.ts";
import type { IndexKey } from "./types.ts";

const HASH_BYTES = 32;
const KEPT_BYTES = KEY_MAX_BYTES - HASH_BYTES;
/** Appended to a kept prefix, sorts above every stored key that starts with it. */
const AFTER_HASH = AFTER_PREFIX.repeat(HASH_BYTES + 1);

/** The key under which an entry is stored. */
export function physicalKey(key: IndexKey): string {
  if (key.length <= KEY_MAX_BYTES) return key;
  const hash = createHash("sha256").update(key, "latin1").digest().toString("latin1");
  return key.slice(0, KEPT_BYTES) + hash;
}

const NO_VALUE = Buffer.alloc(0);

/** The store write of an index entry; the id {@link REMOVED} removes it. */
export function indexEntryWrite(key: IndexKey, id: string): StoreWrite {
  const stored = physicalKey(key);
  if (id === REMOVED) return { key: stored, value: null };
  // A full key ends with the id; only a shortened key needs it as a value.
  return { key: stored, value: stored === key ? NO_VALUE : Buffer.from(id, "latin1") };
}

/** The id at the end of a full key: `\x10`, the id's letters and digits, `\x00`. */
function idOfIndexKey(key: IndexKey): string {
  return key.slice(key.lastIndexOf("\x10") + 1, -1);
}

/** Finds the full key of a stored entry from the id it points to; null when the entry is obsolete. */
type KeyOfEntry = (id: string, storedKey: string) => IndexKey | null;

/** An index entry: its key and the document it points to. */
export interface IndexEntry {
  readonly key: IndexKey;
  readonly id: string;
}

/** Walks the entries of `[low, high)` of one index (not `by_id`). */
export class BaseCursor {
  private readonly cursor: StoreCursor;
  private readonly snapshot: StoreSnapshot;
  private readonly low: IndexKey;
  private readonly high: IndexKey;
  private readonly isReverse: boolean;
  private readonly keyOfEntry: KeyOfEntry;
  private group: IndexEntry[] = [];
  private lastGroup: string | null = null;

  constructor(
    snapshot: StoreSnapshot,
    low: IndexKey,
    high: IndexKey,
    isReverse: boolean,
    keyOfEntry: KeyOfEntry,
  ) {
    this.snapshot = snapshot;
    this.low = low;
    this.high = high;
    this.isReverse = isReverse;
    this.keyOfEntry = keyOfEntry;
    const storeLow = low.length < KEPT_BYTES ? low : low.slice(0, KEPT_BYTES);
    const storeHigh = high.length < KEPT_BYTES ? high : high.slice(0, KEPT_BYTES) + AFTER_HASH;
    this.cursor = snapshot.range(storeLow, storeHigh, isReverse);
  }

  next(): IndexEntry | null {
    for (;;) {
      const grouped = this.group.pop();
      if (grouped !== undefined) return grouped;
      const entry = this.cursor.next();
      if (entry === null) return null;
      if (entry.key.length < KEPT_BYTES) {
        return { key: entry.key, id: idOfIndexKey(entry.key) };
      }
      this.readGroup(entry.key.slice(0, KEPT_BYTES));
    }
  }

  /** Fills `group` with the entries that share `prefix`; `next` takes them from the end. */
  private readGroup(prefix: string): void {
    if (prefix === this.lastGroup) return;
    this.lastGroup = prefix;
    const cursor = this.snapshot.range(prefix, prefix + AFTER_HASH, false);
    const group: IndexEntry[] = [];
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      const isWhole = entry.value.length === 0;
      const id = isWhole ? idOfIndexKey(entry.key) : entry.value.toString("latin1");
      const key = isWhole ? entry.key : this.keyOfEntry(id, entry.key);
      if (key !== null && key >= this.low && key < this.high) group.push({ key, id });
    }
    cursor.close();
    group.sort((a, b) => (a.key < b.key ? 1 : -1));
    this.group = this.isReverse ? group.reverse() : group;
  }

  close(): void {
    this.cursor.close();
  }
}
