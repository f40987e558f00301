/**
 * The interface of a store of ordered bytes. Two implementations, one contract test: memoryStore.ts and
 * lmdbStore.ts. Nothing here knows about documents.
 *
 * Keys are binary strings (one character per byte), at most {@link KEY_MAX_BYTES}; values are bytes.
 */

/** Below LMDB's limit for 4 KiB pages. */
export const KEY_MAX_BYTES = 1900;

/** One change: a value to put, or null to delete. */
export interface StoreWrite {
  readonly key: string;
  readonly value: Buffer | null;
}

export interface StoreEntry {
  readonly key: string;
  readonly value: Buffer;
}

/** Iterates over a range; `next` returns null at the end. */
export interface StoreCursor {
  next(): StoreEntry | null;
  close(): void;
}

/** The store after one batch, independent of later batches. */
export interface StoreSnapshot {
  /** Position of the last batch in it. */
  readonly position: number;
  /** @throws DamageError when the bytes are not those that were written */
  get(key: string): Buffer | undefined;
  /** Keys of `[low, high)`, ascending or (`isReverse`) descending. @throws DamageError as `get` */
  range(low: string, high: string, isReverse: boolean): StoreCursor;
  /** Closes it and its open cursors. */
  release(): void;
}

export interface OrderedStore {
  /** Position of the newest applied batch; 0 for an empty store. */
  readonly position: number;
  /** A snapshot that includes every batch whose `apply` has resolved. */
  snapshot(): StoreSnapshot;
  /**
   * Applies a batch atomically and durably, and records its position. One batch at a time.
   * @throws RangeError for a key that is too long, before anything is changed
   */
  apply(writes: Iterable<StoreWrite>, position: number): Promise<void>;
  close(): Promise<void>;
}

/** Stored bytes are not the bytes that were written. Damage is never repaired silently and never served. */
export class DamageError extends Error {
  override readonly name = "DamageError";
}

/**
 * The store can be read but not written, because its list of free pages is inconsistent. Rebuilding it
 * (storeRebuild.ts) loses nothing.
 */
export class UnwritableStoreError extends Error {
  override readonly name = "UnwritableStoreError";
}

/** @throws RangeError for a key of more than {@link KEY_MAX_BYTES} bytes */
export function checkKeyLength(key: string): void {
  if (key.length > KEY_MAX_BYTES) {
    throw new RangeError(`Key of ${key.length} bytes exceeds the limit of ${KEY_MAX_BYTES} bytes`);
  }
}
