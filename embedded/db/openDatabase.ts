/** Opens a database: in memory, or in a folder (with recovery from its log). */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { NoLog, type CommitLog } from "../storage/commitLog";
import { lockFolderSoon } from "../storage/folderLock";
import { Journal, type JournalOptions } from "../storage/journal";
import { LmdbStore } from "../storage/lmdbStore";
import { MemoryStore } from "../storage/memoryStore";
import type { OrderedStore } from "../storage/orderedStore";
import { breakSeal, checkStore, sealStore, type StoreReport } from "../storage/storeCheck";
import { Catalog } from "./catalog";
import { readCatalog, secretWrite } from "./catalogStore";
import { decodeCommit } from "./commitRecord";
import { CursorCodec } from "./cursor";
import { EmbeddedDatabase } from "./database";
import { restoreIndexes } from "./schemaChange";
import type { DatabaseOptions } from "./types";

const SECRET_BYTES = 32;
/** The LMDB environment and the log inside a data folder. */
export const STORE_FOLDER = "store";
export const JOURNAL_FOLDER = "journal";

/** A database that is gone with the process: for tests. */
export async function openMemoryDatabase(options: DatabaseOptions = {}): Promise<EmbeddedDatabase> {
  return openOn(new MemoryStore(), new NoLog(), options, async () => undefined);
}

export interface DurableOptions extends DatabaseOptions {
  readonly journal?: JournalOptions;
  /** How long to wait for a server that is just leaving the folder, in ms (default 0). */
  readonly lockWaitMs?: number;
}

/** What opening a folder found. */
export interface OpenReport {
  readonly store: StoreReport;
  /** Commits that were in the log but not yet in the store. */
  readonly replayedCommits: number;
}

/**
 * Opens the database of a folder, creating it if need be: takes the lock, verifies the store, verifies
 * and replays the log.
 * @throws FolderInUseError when another server has it
 * @throws DamageError when anything is not as it was written; nothing is changed then
 */
export async function openDatabase(
  folder: string,
  options: DurableOptions = {},
): Promise<{ db: EmbeddedDatabase; report: OpenReport }> {
  const unlock = await lockFolderSoon(folder, options.lockWaitMs ?? 0);
  const storeFolder = path.join(folder, STORE_FOLDER);
  let store: LmdbStore | null = null;
  try {
    const checked = await checkStore(storeFolder);
    breakSeal(storeFolder);
    store = LmdbStore.open(storeFolder);
    const records: Buffer[] = [];
    const journal = Journal.open(
      path.join(folder, JOURNAL_FOLDER),
      store.position,
      (record) => records.push(record),
      options.journal,
    );
    const opened = store;
    const db = await openOn(opened, journal, options, async () => {
      sealStore(storeFolder, opened.position, true);
      unlock();
    });
    for (const record of records) db.replay(decodeCommit(record));
    db.onApplied = () => sealStore(storeFolder, opened.position, false);
    db.onApplied();
    return { db, report: { store: checked, replayedCommits: records.length } };
  } catch (error) {
    await store?.close();
    unlock();
    throw error;
  }
}

/** Puts a database on a store and its log. */
export async function openOn(
  store: OrderedStore,
  log: CommitLog,
  options: DatabaseOptions,
  onClosed: () => Promise<void>,
): Promise<EmbeddedDatabase> {
  let snapshot = store.snapshot();
  if (readCatalog(snapshot).secret === null) {
    await store.apply([secretWrite(randomBytes(SECRET_BYTES))], store.position);
    snapshot.release();
    snapshot = store.snapshot();
  }
  const stored = readCatalog(snapshot);
  snapshot.release();
  const catalog = new Catalog();
  for (const table of stored.tables) {
    const info = catalog.restoreTable(
      table.name,
      table.number,
      table.byIdIndex,
      table.byCreationIndex,
    );
    restoreIndexes(info, stored.indexes);
  }
  const { state } = stored;
  for (const index of stored.indexes) {
    catalog.nextIndexId = Math.max(catalog.nextIndexId, index.id + 1);
  }
  catalog.nextIndexId = Math.max(catalog.nextIndexId, state?.nextIndexId ?? 0);
  return new EmbeddedDatabase({
    catalog,
    store,
    log,
    cursors: new CursorCodec(stored.secret!),
    systemSchema: options.systemSchema ?? null,
    now: options.now ?? Date.now,
    seq: store.position,
    ts: BigInt(state?.ts ?? 0),
    creationTime: state?.creationTime ?? 0,
    onClosed,
  });
}
