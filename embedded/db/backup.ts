/** Online backup, verified restore, and rebuilding a store from the log. */
import fs from "node:fs";
import path from "node:path";
import { lockFolder } from "../storage/folderLock.ts";
import { readLog } from "../storage/journalRead.ts";
import { LmdbStore } from "../storage/lmdbStore.ts";
import { DamageError } from "../storage/orderedStore.ts";
import { DATA_FILE, checkStore, sealClosedStore } from "../storage/storeCheck.ts";
import type { EmbeddedDatabase } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";
import { JOURNAL_FOLDER, STORE_FOLDER, checkReplaced, openLocked } from "./openDatabase.ts";

/** What a backup holds. */
interface BackupReport {
  readonly folder: string;
  /** Position of its newest commit. */
  readonly position: number;
  readonly entries: number;
}

/**
 * Copies a running database, compacted, into a new folder and verifies the copy in full. The copy holds every
 * commit acknowledged before the call.
 * @throws Error for a database in memory, then when the folder exists; ReadOnlyError when commits cannot be
 *   applied to the store; DamageError when the copy does not verify
 */
export async function backupDatabase(db: EmbeddedDatabase, folder: string): Promise<BackupReport> {
  const { store } = db;
  if (!(store instanceof LmdbStore)) throw new Error("A database in memory has no backup");
  if (fs.existsSync(folder)) throw new Error(`${folder} exists already`);
  const copy = path.join(folder, STORE_FOLDER);
  fs.mkdirSync(copy, { recursive: true, mode: 0o700 });
  try {
    const { position, done } = await db.follower.atRest(() => store.copyTo(copy));
    await done;
    await sealClosedStore(copy, position);
    const checked = await checkStore(copy, true);
    return { folder, position, entries: checked.entries ?? 0 };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Restores a backup: copies its store into a folder that has none, and verifies the copy in full.
 * @throws DamageError when it does not verify
 */
export async function unpackDatabase(backup: string, folder: string): Promise<void> {
  const copy = path.join(folder, STORE_FOLDER);
  fs.mkdirSync(copy, { recursive: true, mode: 0o700 });
  // The content, never a link to it, and writable even when the backup is write-protected.
  const file = path.join(copy, DATA_FILE);
  fs.copyFileSync(path.join(backup, STORE_FOLDER, DATA_FILE), file);
  fs.chmodSync(file, 0o600);
  const store = LmdbStore.open(copy);
  const { position } = store;
  await store.close();
  await sealClosedStore(copy, position);
  await checkStore(copy, true);
}

export interface RebuildReport {
  /** Number of commits applied from the log. */
  readonly commits: number;
  /** Where the damaged store was moved; null when it was sound and only lacked these commits. */
  readonly aside: string | null;
}

/**
 * Rebuilds a damaged store from the log: every commit that was ever acknowledged, when the log goes back to
 * the beginning. The damaged store is kept next to it. Indexes are built when the schema is applied next. A
 * sound store that lacks commits of the log gets them, without a thread: the server's applier thread may have
 * failed on them.
 * @throws FolderInUseError while a server runs; DamageError when an interrupted command left half of the data
 *   replaced; when the store is sound, DamageError if the log is damaged,
 *   Error if the store has all of it; DamageError when the log is damaged too, is missing or begins later;
 *   ReadOnlyError when the store does not accept the commits. Nothing is changed then
 */
export async function rebuildFromLog(folder: string): Promise<RebuildReport> {
  // Until the end: a server that is started meanwhile must not find a store that may be taken away again.
  const unlock = lockFolder(folder);
  try {
    checkReplaced(folder);
    const store = path.join(folder, STORE_FOLDER);
    const log = path.join(folder, JOURNAL_FOLDER);
    const position = await positionIfSound(store);
    if (position === null) return await replaceDamaged(folder, store, moveDamaged(store, log));
    checkAhead(log, store, position);
    return { commits: await replayInto(folder), aside: null };
  } finally {
    unlock();
  }
}

async function replaceDamaged(
  folder: string,
  store: string,
  aside: string,
): Promise<RebuildReport> {
  try {
    return { commits: await replayInto(folder), aside };
  } catch (error) {
    // A partly rebuilt store must not be mistaken for a complete one.
    fs.rmSync(store, { recursive: true, force: true });
    fs.renameSync(aside, store);
    throw error;
  }
}

/** Moves a damaged store aside. @returns its new place */
function moveDamaged(store: string, log: string): string {
  if (readLog(log, 0, () => undefined, { noteFolders: [log, store] }) === null) {
    throw new DamageError("There is no log to make the store from");
  }
  let number = 1;
  while (fs.existsSync(`${store}.damaged-${number}`)) number += 1;
  const aside = `${store}.damaged-${number}`;
  fs.renameSync(store, aside);
  return aside;
}

/** Checks that a sound store lacks commits of a sound log. The log may be what keeps the server from starting. */
function checkAhead(log: string, store: string, position: number): void {
  let missing = 0;
  try {
    readLog(log, position, () => (missing += 1), { isWhole: true, noteFolders: [log, store] });
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    throw new DamageError(`The store is sound, but the log is not: ${error.message}`);
  }
  if (missing === 0) throw new Error("The store is sound and has all of the log: nothing to do.");
}

/** @returns the number of commits replayed. @throws ReadOnlyError when the store does not accept all of them */
async function replayInto(folder: string): Promise<number> {
  const { db, report } = await openLocked(folder, {}, () => undefined);
  const { isReadOnly } = db;
  await db.close();
  if (isReadOnly !== null) throw new ReadOnlyError(isReadOnly);
  return report.replayedCommits;
}

/** The position of the store when it is sound; null when it is damaged. */
async function positionIfSound(store: string): Promise<number | null> {
  try {
    return (await checkStore(store, true)).position ?? 0;
  } catch (error) {
    if (error instanceof DamageError) return null;
    throw error;
  }
}
