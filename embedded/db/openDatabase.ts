/** Opens a database: in memory, or in a folder (with recovery from its log). */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { NoLog, type CommitLog } from "../storage/commitLog.ts";
import { lockFolderSoon } from "../storage/folderLock.ts";
import { Journal, type JournalOptions } from "../storage/journal.ts";
import { LmdbStore } from "../storage/lmdbStore.ts";
import { MemoryStore } from "../storage/memoryStore.ts";
import { readIfThere } from "../storage/reading.ts";
import { DamageError, UnwritableStoreError, type OrderedStore } from "../storage/orderedStore.ts";
import {
  breakSeal,
  checkStore,
  sealClosedStore,
  sealStore,
  withdrawSeal,
  type StoreReport,
} from "../storage/storeCheck.ts";
import { rebuildStore } from "../storage/storeRebuild.ts";
import { DirectApplier, type Applier } from "./applier.ts";
import { ThreadedApplier } from "./applierOnThread.ts";
import { readCatalog, restoreCatalog, secretWrite } from "./catalogStore.ts";
import { decodeCommit, type CommitRecord } from "./commitRecord.ts";
import { CursorCodec } from "./cursor.ts";
import { EmbeddedDatabase } from "./database.ts";
import { ReadOnlyError, type ApplierEndedError, type UnknownOutcomeError } from "./errors.ts";
import type { DatabaseOptions } from "./types.ts";

const SECRET_BYTES = 32;
/** Folders of the LMDB environment and of the log inside a data folder. */
export const STORE_FOLDER = "store";
export const JOURNAL_FOLDER = "journal";
/** Exists while both are being replaced; names the folder that holds the replaced data. */
export const REPLACING_FILE = "replacing";

/** Bytes of log records not yet applied before writers wait. They take two to three times as much heap. */
const MISSING_MAX_BYTES = 128 * 1024 * 1024;
/**
 * With more than this to replay, it is applied before serving: a server that is killed repeatedly must make
 * progress.
 */
const APPLIED_LATER_MAX_BYTES = 16 * 1024 * 1024;

/** A database in memory only, for tests. */
export async function openMemoryDatabase(options: DatabaseOptions = {}): Promise<EmbeddedDatabase> {
  return openOn(new MemoryStore(), new NoLog(), options);
}

export interface DurableOptions extends DatabaseOptions {
  readonly journal?: JournalOptions;
  /** How long to wait for a server that is releasing the folder, in ms (default 0). */
  readonly lockWaitMs?: number;
  /**
   * The store accepts no more writes, or the applier thread has ended. Opening the folder again, in a new
   * process, reads everything, rebuilds the store if necessary and applies the log to it. With this option, a
   * store that is unchanged since shutdown is used at once, before the log is applied to it.
   */
  readonly onUnwritable?: (error: UnwritableStoreError | ApplierEndedError) => void;
  /** The built program (applierThread.ts) of the applier thread; null applies commits in this thread. */
  readonly applierProgram?: string | null;
  /**
   * The log failed while writing commits. Only opening the folder again, in a new process, tells which are
   * durable.
   */
  readonly onUnknownOutcome?: (error: UnknownOutcomeError) => void;
}

/** What opening a folder found. */
interface OpenReport {
  readonly store: StoreReport;
  /** Commits that were in the log but not yet in the store. */
  readonly replayedCommits: number;
  /** True when the store was rebuilt because LMDB could not write to its file, or not safely. */
  readonly isRebuilt: boolean;
}

interface OpenedDatabase {
  readonly db: EmbeddedDatabase;
  readonly report: OpenReport;
}

/**
 * Opens the database of a folder, creating it if necessary: takes the lock, verifies the store, verifies and
 * replays the log. Rebuilds the store if a write could damage it or if it does not accept the replayed
 * commits.
 * @throws FolderInUseError when another server has it
 * @throws DamageError when anything is not as it was written; nothing is changed then
 */
export async function openDatabase(
  folder: string,
  options: DurableOptions = {},
): Promise<OpenedDatabase> {
  const unlock = await lockFolderSoon(folder, options.lockWaitMs ?? 0);
  return openLocked(folder, options, unlock);
}

/** {@link openDatabase} on a folder whose lock is taken. @param unlock called when it is closed, or cannot be opened */
export async function openLocked(
  folder: string,
  options: DurableOptions,
  unlock: () => void,
): Promise<OpenedDatabase> {
  const storeFolder = path.join(folder, STORE_FOLDER);
  try {
    checkReplaced(folder);
    const checked = await checkStore(storeFolder);
    breakSeal(storeFolder);
    const mayWait = !checked.isFullCheck && options.onUnwritable !== undefined;
    const first = checked.isUnsafeToWrite ? null : await openReplayed(folder, options, mayWait);
    if (first === null) {
      // A start before the new file is in place has to come here again.
      withdrawSeal(storeFolder);
      await rebuildStore(storeFolder);
    }
    const opened = first ?? (await openReplayed(folder, options, false));
    if (opened === null) throw new DamageError("The rebuilt store takes no writes either");
    const { db, replayedCommits } = opened;
    db.onClosed = () => sealAsLeft(db, storeFolder).finally(unlock);
    return { db, report: { store: checked, replayedCommits, isRebuilt: first === null } };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function sealAsLeft(db: EmbeddedDatabase, storeFolder: string): Promise<void> {
  if (db.isReadOnly === null) await sealClosedStore(storeFolder, db.store.position);
  // An interrupted apply may have left partial commits in the store.
  else withdrawSeal(storeFolder);
}

/** @throws DamageError when a replacement of the folder's content was interrupted and is incomplete */
export function checkReplaced(folder: string): void {
  const aside = readIfThere(path.join(folder, REPLACING_FILE));
  if (aside === null) return;
  throw new DamageError(
    `A restore or an import was broken off while it replaced what ${folder} kept. Do it again, with --replace; ` +
      `what was there lies in ${aside}`,
  );
}

interface Replayed {
  readonly db: EmbeddedDatabase;
  readonly replayedCommits: number;
}

/**
 * A verified store with its log replayed; null when it accepts no writes. That is tried at once, unless
 * `mayWait`: then a short log is applied later, like any commit. What was opened is closed again on failure.
 */
async function openReplayed(
  folder: string,
  options: DurableOptions,
  mayWait: boolean,
): Promise<Replayed | null> {
  const storeFolder = path.join(folder, STORE_FOLDER);
  const journalFolder = path.join(folder, JOURNAL_FOLDER);
  const store = LmdbStore.open(storeFolder);
  let journal: Journal | null = null;
  let db: EmbeddedDatabase | null = null;
  try {
    const log = openLog(journalFolder, store.position, {
      ...options.journal,
      alsoNotedIn: storeFolder,
    });
    journal = log.journal;
    const program = options.applierProgram ?? null;
    const folders = { storeFolder, journalFolder };
    const applier = program === null ? undefined : new ThreadedApplier(program, folders, store);
    db = await openOn(store, journal, options, applier);
    await replay(db, log.records, mayWait);
    db.onUnwritable = (error) => {
      try {
        withdrawSeal(storeFolder);
      } finally {
        options.onUnwritable?.(error);
      }
    };
    db.onUnknownOutcome = (error) => options.onUnknownOutcome?.(error);
    db.onApplied = () => sealStore(storeFolder, store.position);
    if (db.isReadOnly === null) db.onApplied();
    return { db, replayedCommits: log.records.length };
  } catch (error) {
    if (db === null) {
      try {
        await journal?.close();
      } finally {
        await store.close();
      }
    } else {
      // Closing would apply the log otherwise.
      db.isReadOnly ??= "Its log was not replayed";
      await db.close();
    }
    if (error instanceof UnwritableStoreError) return null;
    throw error;
  }
}

/**
 * A log, and its records after a position. On its own, so that the hooks of the open database do not keep the
 * records in memory.
 */
function openLog(folder: string, after: number, options: JournalOptions) {
  const records: Buffer[] = [];
  const journal = Journal.open(folder, after, (record) => void records.push(record), options);
  return { journal, records };
}

/** @throws UnwritableStoreError when the records are to be applied now and the store accepts no writes */
async function replay(
  db: EmbeddedDatabase,
  records: readonly Buffer[],
  mayWait: boolean,
): Promise<void> {
  const bytes = records.reduce((sum, record) => sum + record.length, 0);
  const isApplyingLater = mayWait && bytes <= APPLIED_LATER_MAX_BYTES;
  const failures: Error[] = [];
  db.onUnwritable = (error) => void failures.push(error);
  db.replay(decoded(records), isApplyingLater);
  // A full disk fails here as well, and the thread may end again, every time. The database is then open
  // read-only and says why.
  if (records.length > 0 && !isApplyingLater) await db.drain().catch(ignoreReadOnly);
  const refusal = failures.find((error) => error instanceof UnwritableStoreError);
  if (refusal !== undefined) throw refusal;
}

function* decoded(records: readonly Buffer[]): Generator<CommitRecord, void, undefined> {
  for (const record of records) yield decodeCommit(record);
}

function ignoreReadOnly(error: unknown): void {
  if (!(error instanceof ReadOnlyError)) throw error;
}

/**
 * Opens a database on a store and its log.
 * @param applier applies commits from the log to the store; by default in this thread
 */
export async function openOn(
  store: OrderedStore,
  log: CommitLog,
  options: DatabaseOptions,
  applier?: Applier,
): Promise<EmbeddedDatabase> {
  const stored = readCatalog(store);
  const secret = stored.secret ?? randomBytes(SECRET_BYTES);
  if (stored.secret === null) await store.apply([secretWrite(secret)], store.position);
  const catalog = restoreCatalog(stored);
  const { state } = stored;
  return new EmbeddedDatabase({
    applier: applier ?? new DirectApplier(store, log, catalog),
    catalog,
    store,
    log,
    cursors: new CursorCodec(secret),
    systemSchema: options.systemSchema ?? null,
    now: options.now ?? Date.now,
    missingMaxBytes: options.missingMaxBytes ?? MISSING_MAX_BYTES,
    seq: store.position,
    ts: BigInt(state?.ts ?? 0),
    creationTime: state?.creationTime ?? 0,
  });
}
