/**
 * An {@link OrderedStore} on LMDB. Every record carries a checksum over key and value; a batch is one
 * LMDB transaction, durable before `apply` resolves.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type * as Lmdb from "lmdb";
import { messageOf } from "./errorText.ts";
import { makeFolder } from "./newFolder.ts";
import {
  DamageError,
  UnwritableStoreError,
  checkKeyLength,
  type OrderedStore,
  type StoreCursor,
  type StoreEntry,
  type StoreSnapshot,
  type StoreWrite,
} from "./orderedStore.ts";
import { DATA_FILE } from "./storeCheck.ts";

// The CommonJS build, by path: the bundler must not include it, and the check's child process loads the same
// file.
const { open } = createRequire(import.meta.url)("lmdb") as typeof Lmdb;

const CHECKSUM_BYTES = 4;
const COPY_POLL_MS = 2;
/** Sorts before every key of the database room. */
const POSITION_KEY = "\x00";
const AFTER_POSITION_KEY = "\x00\x00";

type ReadTransaction = ReturnType<Lmdb.Database["useReadTransaction"]>;

function toStored(key: Buffer, value: Buffer): Buffer {
  const stored = Buffer.allocUnsafe(CHECKSUM_BYTES + value.length);
  const keySum = crc32(key);
  stored.writeUInt32LE(value.length === 0 ? keySum : crc32(value, keySum), 0);
  value.copy(stored, CHECKSUM_BYTES);
  return stored;
}

function fromStored(key: Buffer, stored: Buffer): Buffer {
  if (stored.length >= CHECKSUM_BYTES) {
    const value = stored.subarray(CHECKSUM_BYTES);
    if (stored.readUInt32LE(0) === crc32(value, crc32(key))) return value;
  }
  throw new DamageError("The store holds a damaged record");
}

/** LMDB's own error codes are in this range (lmdb.h, "Return Codes"); the system's are positive. */
const FIRST_LMDB_CODE = -30799;
const LAST_LMDB_CODE = -30700;
/** The map could not grow: lack of space, not an error in the file. */
const MDB_MAP_FULL = -30792;

interface LmdbError extends Error {
  readonly code?: number | string;
  readonly commitError?: Promise<unknown> | null;
}

/**
 * Rethrows the cause of a failed batch. lmdb attaches the cause to its error as a promise that rejects on its
 * own; if nobody handles it at once, it ends the process as an unhandled rejection.
 * @throws UnwritableStoreError when LMDB finds its file inconsistent
 */
async function rethrowCause(error: LmdbError): Promise<never> {
  const soon = new Promise((resolve) => setImmediate(resolve));
  const cause = await Promise.race([error.commitError, soon]).then(
    () => error,
    (reason: LmdbError) => reason,
  );
  const { code } = cause;
  const isLmdbCode = typeof code === "number" && code >= FIRST_LMDB_CODE && code <= LAST_LMDB_CODE;
  if (!isLmdbCode || code === MDB_MAP_FULL) throw cause;
  throw new UnwritableStoreError(cause.message, { cause });
}

class LmdbCursor implements StoreCursor {
  private readonly iterator: Iterator<{ key: Buffer; value: Buffer }>;
  /** The open cursors of its snapshot. */
  private readonly open: Set<LmdbCursor>;
  private isOpen = true;
  constructor(iterator: Iterator<{ key: Buffer; value: Buffer }>, open: Set<LmdbCursor>) {
    this.iterator = iterator;
    this.open = open;
    open.add(this);
  }

  next(): StoreEntry | null {
    if (!this.isOpen) return null;
    const step = this.iterator.next();
    if (step.done === true) {
      this.ended();
      return null;
    }
    const { key, value } = step.value;
    return { key: key.toString("latin1"), value: fromStored(key, value) };
  }

  close(): void {
    if (!this.isOpen) return;
    this.iterator.return?.();
    this.ended();
  }

  private ended(): void {
    this.isOpen = false;
    this.open.delete(this);
  }
}

class LmdbSnapshot implements StoreSnapshot {
  readonly position: number;
  private readonly db: Lmdb.Database<Buffer, Buffer>;
  private readonly transaction: ReadTransaction;
  private readonly openCursors = new Set<LmdbCursor>();

  constructor(db: Lmdb.Database<Buffer, Buffer>, position: number) {
    this.db = db;
    this.position = position;
    // lmdb reuses one read transaction per event loop turn; this one must see the batch just applied.
    db.resetReadTxn();
    this.transaction = db.useReadTransaction();
  }

  get(key: string): Buffer | undefined {
    const bytes = Buffer.from(key, "latin1");
    const stored = this.db.get(bytes, { transaction: this.transaction });
    return stored === undefined ? undefined : fromStored(bytes, stored);
  }

  range(low: string, high: string, isReverse: boolean): StoreCursor {
    const first = low > POSITION_KEY ? low : AFTER_POSITION_KEY;
    const [start, end] = isReverse ? [high, first] : [first, high];
    const entries = this.db.getRange({
      start: Buffer.from(start, "latin1"),
      end: Buffer.from(end, "latin1"),
      reverse: isReverse,
      exclusiveStart: isReverse,
      inclusiveEnd: isReverse,
      transaction: this.transaction,
    });
    return new LmdbCursor(entries[Symbol.iterator](), this.openCursors);
  }

  release(): void {
    // LMDB keeps a transaction's pages while it has an open cursor, for example one whose reader threw.
    for (const cursor of this.openCursors) cursor.close();
    this.transaction.done();
  }
}

/** A copy in progress. */
interface StoreCopy {
  readonly position: number;
  /** Resolves when the copy's snapshot is taken: later batches are not in it. */
  readonly begun: Promise<void>;
  /** Rejects when it failed. */
  readonly done: Promise<void>;
}

/** Open it only while holding the folder's lock. An open snapshot keeps LMDB from reusing freed pages. */
export class LmdbStore implements OrderedStore {
  private readonly db: Lmdb.RootDatabase<Buffer, Buffer>;
  private appliedPosition: number;
  private pending: Promise<unknown> = Promise.resolve();
  private copying: Promise<void> = Promise.resolve();

  private constructor(db: Lmdb.RootDatabase<Buffer, Buffer>, position: number) {
    this.db = db;
    this.appliedPosition = position;
  }

  /** @param folder created if missing. @throws DamageError when its position record is damaged */
  static open(folder: string): LmdbStore {
    makeFolder(folder);
    const db = open<Buffer, Buffer>({
      path: folder,
      keyEncoding: "binary",
      encoding: "binary",
      // Each batch is durable when its promise resolves (embedded decision 4).
      overlappingSync: false,
      // Otherwise lmdb creates a second promise for each batch, which rejects with it and is never handled.
      eventTurnBatching: false,
      noSubdir: false,
      pageSize: 4096,
      maxReaders: 1024,
    });
    const key = Buffer.from(POSITION_KEY, "latin1");
    try {
      const stored = db.get(key);
      const position = stored === undefined ? 0 : fromStored(key, stored).readDoubleLE(0);
      return new LmdbStore(db, position);
    } catch (error) {
      // Nothing was written, so it is closed at once.
      void db.close();
      throw error;
    }
  }

  get position(): number {
    return this.appliedPosition;
  }

  /** Called after another {@link LmdbStore} of this process has applied batches to the same folder. */
  advancedTo(position: number): void {
    this.appliedPosition = position;
  }

  snapshot(): StoreSnapshot {
    return new LmdbSnapshot(this.db, this.appliedPosition);
  }

  async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    // lmdb throws in `put` for an invalid key: check all keys before anything is queued.
    const batch: [Buffer, Buffer | null][] = [];
    for (const { key, value } of writes) {
      checkKeyLength(key);
      const bytes = Buffer.from(key, "latin1");
      batch.push([bytes, value === null ? null : toStored(bytes, value)]);
    }
    const positionBytes = Buffer.alloc(8);
    positionBytes.writeDoubleLE(position, 0);
    const positionKey = Buffer.from(POSITION_KEY, "latin1");
    batch.push([positionKey, toStored(positionKey, positionBytes)]);
    const done = this.db.batch(() => {
      // The batch's promise reports the outcome of all of them.
      for (const [key, value] of batch) {
        void (value === null ? this.db.remove(key) : this.db.put(key, value));
      }
    });
    const ignore = () => undefined;
    this.pending = done.then(ignore, ignore);
    await done.catch(rethrowCause);
    this.appliedPosition = position;
  }

  /** Copies the store, compacted, into a folder. No batch may be applied until `begun`. */
  copyTo(folder: string): StoreCopy {
    let isOver = false;
    const done = this.db.backup(folder, true).catch((error: unknown) => {
      // LMDB tells the system's reason only: "Invalid argument" where a full disk took a part of a write.
      const reason = messageOf(error);
      throw new Error(
        `The store's copy in ${folder} cannot be written (${reason}): see that its disk has room and takes files of this size.`,
        { cause: error },
      );
    });
    const over = () => void (isOver = true);
    this.copying = done.then(over, over);
    const file = path.join(folder, DATA_FILE);
    const begin = async () => {
      // LMDB takes its snapshot in another thread, some time after the call and before it writes the first
      // byte.
      while (!isOver && (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) {
        await delay(COPY_POLL_MS);
      }
    };
    return { position: this.appliedPosition, begun: begin(), done };
  }

  /** Entries in the store, as LMDB counts them. */
  entryCount(): number {
    return (this.db.getStats() as { entryCount: number }).entryCount;
  }

  async close(): Promise<void> {
    // Closing with queued writes causes an uncaught exception.
    await this.pending;
    // A copy in progress still reads the file: it must not be unmapped yet.
    await this.copying;
    await this.db.close();
  }
}
