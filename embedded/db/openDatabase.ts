/** Opens a database: in memory, or in a folder (with recovery from its log). */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { NoLog, type CommitLog } from "../storage/commitLog";
import { lockFolderSoon } from "../storage/folderLock";
import { Journal, type JournalOptions } from "../storage/journal";
import { LmdbStore } from "../storage/lmdbStore";
import { MemoryStore } from "../storage/memoryStore";
import { readIfThere } from "../storage/reading";
import { DamageError, UnwritableStoreError, type OrderedStore } from "../storage/orderedStore";
import {
  breakSeal,
  checkStore,
  sealClosedStore,
  sealStore,
  withdrawSeal,
  type StoreReport,
} from "../storage/storeCheck";
import { rebuildStore } from "../storage/storeRebuild";
import { DirectApplier, type Applier } from "./applier";
import { ThreadedApplier } from "./applierOnThread";
import { readCatalog, restoreCatalog, secretWrite } from "./catalogStore";
import { decodeCommit, type CommitRecord } from "./commitRecord";
import { CursorCodec } from "./cursor";
import { EmbeddedDatabase } from "./database";
import { ReadOnlyError, type ApplierEndedError, type UnknownOutcomeError } from "./errors";
import type { DatabaseOptions } from "./types";

const SECRET_BYTES = 32;
/** The LMDB environment and the log inside a data folder. */
export const STORE_FOLDER = "store";
export const JOURNAL_FOLDER = "journal";
/** There while both are being replaced: names the folder where what they were lies. */
export const REPLACING_FILE = "replacing";

/** They take two to three times as much on the heap. */
const MISSING_MAX_BYTES = 128 * 1024 * 1024;
/** More of the log is put into the store first: a server that is killed again and again must get ahead. */
const APPLIED_LATER_MAX_BYTES = 16 * 1024 * 1024;

/** A database that is gone with the process: for tests. */
export async function openMemoryDatabase(options: DatabaseOptions = {}): Promise<EmbeddedDatabase> {
  return openOn(new MemoryStore(), new NoLog(), options, async () => undefined);
}

export interface DurableOptions extends DatabaseOptions {
  readonly journal?: JournalOptions;
  /** How long to wait for a server that is just leaving the folder, in ms (default 0). */
  readonly lockWaitMs?: number;
  /**
   * The store takes no more writes, or what writes it has ended: opening the folder again, in a new process,
   * reads everything, rebuilds the store if need be and puts the log into it. Whoever gives this has a store
   * that is as it was left at once, before the log is in it.
   */
  readonly onUnwritable?: (error: UnwritableStoreError | ApplierEndedError) => void;
  /** The program (applierThread.ts, built) that puts commits into the store beside this thread; null: this one does. */
  readonly applierProgram?: string | null;
  /** The log failed in the middle of commits: only opening the folder again, in a new process, tells which are in it. */
  readonly onUnknownOutcome?: (error: UnknownOutcomeError) => void;
}

/** What opening a folder found. */
export interface OpenReport {
  readonly store: StoreReport;
  /** Commits that were in the log but not yet in the store. */
  readonly replayedCommits: number;
  /** True when LMDB refused to write into the file as it was, and a fresh one took its place. */
  readonly isRebuilt: boolean;
}

/**
 * Opens the database of a folder, creating it if need be: takes the lock, verifies the store, verifies
 * and replays the log, and rebuilds the store if a write could harm it or it does not take what was replayed.
 * @throws FolderInUseError when another server has it
 * @throws DamageError when anything is not as it was written; nothing is changed then
 */
export async function openDatabase(
  folder: string,
  options: DurableOptions = {},
): Promise<{ db: EmbeddedDatabase; report: OpenReport }> {
  const unlock = await lockFolderSoon(folder, options.lockWaitMs ?? 0);
  const storeFolder = path.join(folder, STORE_FOLDER);
  try {
    checkReplaced(folder);
    const checked = await checkStore(storeFolder);
    breakSeal(storeFolder);
    const replay = (mayWait: boolean) => openReplayed(folder, options, unlock, mayWait);
    const mayWait = !checked.isFullCheck && options.onUnwritable !== undefined;
    const first = checked.isUnsafeToWrite ? null : await replay(mayWait);
    if (first !== null) return { db: first.db, report: reportOf(checked, first, false) };
    await rebuildStore(storeFolder);
    const second = await replay(false);
    if (second === null) throw new DamageError("The rebuilt store takes no writes either");
    return { db: second.db, report: reportOf(checked, second, true) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** @throws DamageError when what the folder kept was about to be replaced, and is there by half */
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

function reportOf(store: StoreReport, opened: Replayed, isRebuilt: boolean): OpenReport {
  return { store, replayedCommits: opened.replayedCommits, isRebuilt };
}

/**
 * A verified store with its log replayed; null, closed again, when it takes no writes. That is tried at
 * once, unless it may wait: then a little of it is put into the store later, like any commit.
 */
async function openReplayed(
  folder: string,
  options: DurableOptions,
  unlock: () => void,
  mayWait: boolean,
): Promise<Replayed | null> {
  const storeFolder = path.join(folder, STORE_FOLDER);
  const store = LmdbStore.open(storeFolder);
  let isUnwritable = false;
  let isHandedOver = false;
  let db: EmbeddedDatabase;
  let replayedBytes = 0;
  const records: Buffer[] = [];
  try {
    const journal = Journal.open(
      path.join(folder, JOURNAL_FOLDER),
      store.position,
      (record) => {
        records.push(record);
        replayedBytes += record.length;
      },
      options.journal,
    );
    const onClosed = async () => {
      // What was broken off may be in it by half.
      if (db.isReadOnly === null) await sealClosedStore(storeFolder, store.position);
      else withdrawSeal(storeFolder);
      // Else the folder is opened again under the same lock.
      if (isHandedOver) unlock();
    };
    const program = options.applierProgram ?? null;
    const folders = { storeFolder, journalFolder: path.join(folder, JOURNAL_FOLDER) };
    const applier = program === null ? undefined : new ThreadedApplier(program, folders, store);
    db = await openOn(store, journal, options, onClosed, applier);
  } catch (error) {
    await store.close();
    if (error instanceof UnwritableStoreError) return null;
    throw error;
  }
  db.onUnwritable = (error) => (isUnwritable = error instanceof UnwritableStoreError);
  const isApplyingLater = mayWait && replayedBytes <= APPLIED_LATER_MAX_BYTES;
  db.replay(decoded(records), isApplyingLater);
  // A full disk refuses as well, and the thread may end again, as it would for ever: the database is then open
  // for reading, and says why.
  if (records.length > 0 && !isApplyingLater) await db.drain().catch(ignoreReadOnly);
  if (isUnwritable) {
    await db.close();
    return null;
  }
  isHandedOver = true;
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
  return { db, replayedCommits: records.length };
}

function* decoded(records: readonly Buffer[]): Generator<CommitRecord, void, undefined> {
  for (const record of records) yield decodeCommit(record);
}

function ignoreReadOnly(error: unknown): void {
  if (!(error instanceof ReadOnlyError)) throw error;
}

/**
 * Puts a database on a store and its log.
 * @param applier brings commits from one to the other; by default this thread does
 */
export async function openOn(
  store: OrderedStore,
  log: CommitLog,
  options: DatabaseOptions,
  onClosed: () => Promise<void>,
  applier?: Applier,
): Promise<EmbeddedDatabase> {
  let snapshot = store.snapshot();
  if (readCatalog(snapshot).secret === null) {
    await store.apply([secretWrite(randomBytes(SECRET_BYTES))], store.position);
    snapshot.release();
    snapshot = store.snapshot();
  }
  const stored = readCatalog(snapshot);
  snapshot.release();
  const catalog = restoreCatalog(stored);
  const { state } = stored;
  return new EmbeddedDatabase({
    applier: applier ?? new DirectApplier(store, log, catalog),
    catalog,
    store,
    log,
    cursors: new CursorCodec(stored.secret!),
    systemSchema: options.systemSchema ?? null,
    now: options.now ?? Date.now,
    missingMaxBytes: options.missingMaxBytes ?? MISSING_MAX_BYTES,
    seq: store.position,
    ts: BigInt(state?.ts ?? 0),
    creationTime: state?.creationTime ?? 0,
    onClosed,
  });
}
