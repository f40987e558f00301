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
import {
  DamageError,
  UnwritableStoreError,
  checkKeyLength,
  type OrderedStore,
  type StoreCursor,
  type StoreEntry,
  type StoreSnapshot,
  type StoreWrite,
} from "./orderedStore";
import { DATA_FILE } from "./storeCheck";

// The CommonJS build, by path: bundling must not touch it, the check's child process loads the same.
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

/** LMDB's own results lie in this range (lmdb.h, "Return Codes"); the system's are positive. */
const FIRST_LMDB_CODE = -30799;
const LAST_LMDB_CODE = -30700;
/** The map could not grow: a matter of space, not of the file. */
const MDB_MAP_FULL = -30792;

interface LmdbError extends Error {
  readonly code?: number | string;
  readonly commitError?: Promise<unknown> | null;
}

/**
 * Why a batch failed. lmdb hangs the reason on its error as a promise that rejects on its own: unless
 * somebody takes it at once, it ends the process as an unhandled rejection.
 * @throws UnwritableStoreError when LMDB objects to what is in its file
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
    // lmdb keeps one read transaction per event turn; this one must see the batch just applied.
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
    // LMDB keeps the pages of a transaction for as long as it has a cursor: one whose reader threw.
    for (const cursor of this.openCursors) cursor.close();
    this.transaction.done();
  }
}

/** A copy that is being made. */
interface StoreCopy {
  readonly position: number;
  /** From then on it shows nothing new. */
  readonly begun: Promise<void>;
  /** Rejects when it failed. */
  readonly done: Promise<void>;
}

/** Whoever opens it has the lock of its folder. An open snapshot keeps LMDB from using freed pages again. */
export class LmdbStore implements OrderedStore {
  private readonly db: Lmdb.RootDatabase<Buffer, Buffer>;
  private appliedPosition: number;
  private pending: Promise<unknown> = Promise.resolve();
  private copying: Promise<void> = Promise.resolve();

  private constructor(db: Lmdb.RootDatabase<Buffer, Buffer>, position: number) {
    this.db = db;
    this.appliedPosition = position;
  }

  /** @param folder is created if missing. @throws DamageError when its position record is damaged */
  static open(folder: string): LmdbStore {
    const db = open<Buffer, Buffer>({
      path: folder,
      keyEncoding: "binary",
      encoding: "binary",
      // Each batch is durable when its promise resolves (embedded decision 4).
      overlappingSync: false,
      // Else each batch has a second promise inside lmdb, which rejects with it and which nobody takes.
      eventTurnBatching: false,
      noSubdir: false,
      pageSize: 4096,
      maxReaders: 1024,
    });
    const key = Buffer.from(POSITION_KEY, "latin1");
    const stored = db.get(key);
    const position = stored === undefined ? 0 : fromStored(key, stored).readDoubleLE(0);
    return new LmdbStore(db, position);
  }

  get position(): number {
    return this.appliedPosition;
  }

  /** Another {@link LmdbStore} of this process has applied batches to the same folder. */
  advancedTo(position: number): void {
    this.appliedPosition = position;
  }

  snapshot(): StoreSnapshot {
    return new LmdbSnapshot(this.db, this.appliedPosition);
  }

  async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    // lmdb throws at `put` for a key it cannot take: nothing may be queued before all are checked.
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
      // One promise answers for all of them: the batch's.
      for (const [key, value] of batch) {
        void (value === null ? this.db.remove(key) : this.db.put(key, value));
      }
    });
    const ignore = () => undefined;
    this.pending = done.then(ignore, ignore);
    await done.catch(rethrowCause);
    this.appliedPosition = position;
  }

  /** A compacted copy into a folder. No batch may be applied before it has begun. */
  copyTo(folder: string): StoreCopy {
    let isOver = false;
    const done = this.db.backup(folder, true);
    const over = () => void (isOver = true);
    this.copying = done.then(over, over);
    const file = path.join(folder, DATA_FILE);
    const begin = async () => {
      // LMDB takes its snapshot on another thread, some time after the call and before it writes a byte.
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
    // Closing with writes queued throws out of nowhere.
    await this.pending;
    // LMDB reads on for a copy: the file must not be unmapped below it.
    await this.copying;
    await this.db.close();
  }
}
