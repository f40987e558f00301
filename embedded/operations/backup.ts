/**
 * Backup and restore of everything a data folder keeps: database, stored files, keys.
 *
 * A backup is a folder that says in `backup.json`, written last, what belongs to it. Not here: the
 * database's part (db/backup).
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { copyFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { backupDatabase, moveAside, restoreDatabase } from "../db/backup.ts";
import type { EmbeddedDatabase } from "../db/database.ts";
import { JOURNAL_FOLDER, STORE_FOLDER } from "../db/openDatabase.ts";
import type { BlobStore } from "../runtime/blobs.ts";
import { checkStore } from "../storage/storeCheck.ts";
import { lockFolder } from "../storage/folderLock.ts";
import { makeFolder } from "../storage/newFolder.ts";
import { readIfThere } from "../storage/reading.ts";
import { syncPath, syncTree } from "../storage/syncTree.ts";
import { DamageError } from "../storage/orderedStore.ts";
import type { OnProgress } from "./archive.ts";
import { DB_FOLDER, FILES_FOLDER, KEYS_FILE, timeName } from "./dataFolder.ts";
import { newStaging } from "./staging.ts";
import { storedFiles, type StoredFileInfo } from "./storedFiles.ts";

const MANIFEST = "backup.json";
const FORMAT = 1;

interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** Newest commit in it. */
  readonly position: number;
  readonly entries: number;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  /** Base64 sha256 of the keys, null when the folder had none. */
  readonly keys: string | null;
}

export interface BackupSummary {
  readonly folder: string;
  readonly position: number;
  readonly entries: number;
  readonly files: number;
  readonly bytes: number;
  /** Stored files that are gone or damaged in the data folder itself. */
  readonly damagedFiles: readonly string[];
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("base64");
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** The stored files a database tells of now. */
async function filesOf(db: EmbeddedDatabase): Promise<StoredFileInfo[]> {
  const tx = db.beginQuery();
  try {
    return await storedFiles(tx);
  } finally {
    tx.close();
  }
}

/** Copies stored files; answers those that verify and those that do not. */
async function copyFiles(
  files: readonly StoredFileInfo[],
  dataDir: string,
  target: string,
  onProgress: OnProgress,
) {
  const copied: { name: string; sha256: string }[] = [];
  const damaged: string[] = [];
  if (files.length > 0) mkdirSync(path.join(target, FILES_FOLDER), { mode: 0o700 });
  for (const [index, { uuid, sha256, id }] of files.entries()) {
    const from = path.join(dataDir, FILES_FOLDER, uuid);
    const to = path.join(target, FILES_FOLDER, uuid);
    if (existsSync(from)) await copyFile(from, to);
    if (existsSync(to) && (await sha256Of(to)) === sha256) copied.push({ name: uuid, sha256 });
    else damaged.push(id);
    onProgress(`files: ${index + 1} of ${files.length}`);
  }
  return { copied, damaged };
}

/**
 * Copies a running or stopped deployment into a new folder and verifies the copy.
 * @throws Error when the folder exists, DamageError when the copy does not verify
 */
export async function backupDeployment(
  from: { readonly db: EmbeddedDatabase; readonly blobs: BlobStore; readonly dataDir: string },
  target: string,
  onProgress: OnProgress = () => undefined,
): Promise<BackupSummary> {
  const { db, dataDir } = from;
  if (existsSync(target)) throw new Error(`${target} exists already: name a new folder`);
  makeFolder(target);
  const release = from.blobs.hold();
  try {
    onProgress("database");
    // Asked before and after: the copy still tells of a file that is deleted meanwhile, and of a new one.
    const earlier = await filesOf(db);
    const { position, entries } = await backupDatabase(db, path.join(target, DB_FOLDER));
    const files = new Map([...earlier, ...(await filesOf(db))].map((file) => [file.uuid, file]));
    const { copied, damaged } = await copyFiles([...files.values()], dataDir, target, onProgress);
    const keysFile = path.join(dataDir, KEYS_FILE);
    const hasKeys = existsSync(keysFile);
    if (hasKeys) await copyFile(keysFile, path.join(target, KEYS_FILE));
    // What the manifest vouches for is on the disk before it.
    onProgress("to the disk");
    await syncTree(target);
    const manifest: Manifest = {
      format: FORMAT,
      createdAt: new Date().toISOString(),
      position,
      entries,
      files: copied,
      keys: hasKeys ? await sha256Of(path.join(target, KEYS_FILE)) : null,
    };
    await writeFile(path.join(target, MANIFEST), JSON.stringify(manifest, null, 2), {
      mode: 0o600,
      flush: true,
    });
    await syncPath(target);
    await syncPath(path.dirname(target));
    const bytes = await sizeOf(target);
    return {
      folder: target,
      position,
      entries,
      files: copied.length,
      bytes,
      damagedFiles: damaged,
    };
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

/** @throws Error when the folder is no backup, an unfinished one or unreadable; DamageError when nobody can tell */
function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST);
  const text = readIfThere(file);
  if (text === null) {
    throw new Error(
      `${folder} is no backup, or one that was not finished (no ${MANIFEST}): name another folder.`,
    );
  }
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch {
    throw new DamageError(`${file} is damaged`);
  }
  if (manifest.format !== FORMAT) {
    throw new Error(`${folder} has the format ${manifest.format}, this version reads ${FORMAT}`);
  }
  return manifest;
}

/**
 * Reads all of a backup.
 * @throws Error when it is none or unfinished; DamageError when anything in it changed
 */
export async function verifyBackup(
  folder: string,
  onProgress: OnProgress = () => undefined,
): Promise<Manifest> {
  const manifest = readManifest(folder);
  onProgress("database");
  const { entries } = await checkStore(path.join(folder, DB_FOLDER, STORE_FOLDER), true);
  if (entries !== manifest.entries) {
    throw new DamageError(
      `The backup's store holds ${entries} entries instead of ${manifest.entries}`,
    );
  }
  const named = manifest.files.map(({ name, sha256 }) => [path.join(FILES_FOLDER, name), sha256]);
  const expected = manifest.keys === null ? named : [...named, [KEYS_FILE, manifest.keys]];
  for (const [index, [name = "", sha256 = ""]] of expected.entries()) {
    const at = path.join(folder, name);
    if (!existsSync(at)) throw new DamageError(`The backup's ${name} is gone`);
    if ((await sha256Of(at)) !== sha256) throw new DamageError(`The backup's ${name} is damaged`);
    onProgress(`files: ${index + 1} of ${expected.length}`);
  }
  return manifest;
}

/** Parts of a data folder that a restore or an import replaces, outside of the database's folder. */
const REPLACED = [FILES_FOLDER, KEYS_FILE];

/** True when a data folder has a database. */
export function holdsDatabase(dataDir: string): boolean {
  const parts = [STORE_FOLDER, JOURNAL_FOLDER];
  return parts.some((name) => existsSync(path.join(dataDir, DB_FOLDER, name)));
}

/** True when a data folder keeps something besides its keys. */
export function holdsContent(dataDir: string): boolean {
  return holdsDatabase(dataDir) || existsSync(path.join(dataDir, FILES_FOLDER));
}

/** True when a data folder keeps something already. */
function holdsData(dataDir: string): boolean {
  return holdsContent(dataDir) || existsSync(path.join(dataDir, KEYS_FILE));
}

/**
 * Puts a backup in place of what a data folder keeps, after verifying it in full. What was there is moved
 * to `replaced-<time>` inside of the folder.
 * @returns where the replaced data went, or null when there was none
 * @throws Error when there is no backup, or there is data and `mayReplace` is false; DamageError, with nothing
 *   changed, when the backup does not verify; FolderInUseError while a server runs
 */
export async function restoreDeployment(
  backup: string,
  dataDir: string,
  options: { mayReplace: boolean; onProgress?: OnProgress },
): Promise<string | null> {
  // Before what takes minutes, and before anybody is told to replace what there is.
  readManifest(backup);
  if (holdsData(dataDir) && !options.mayReplace) {
    throw new Error(`${dataDir} holds data already`);
  }
  const manifest = await verifyBackup(backup, options.onProgress);
  const aside = path.join(dataDir, `replaced-${timeName(Date.now())}`);
  makeFolder(dataDir);
  const { folder: staged, remove } = newStaging(dataDir, "restoring");
  try {
    mkdirSync(path.join(staged, FILES_FOLDER), { mode: 0o700 });
    for (const { name } of manifest.files) {
      await copyFile(path.join(backup, FILES_FOLDER, name), path.join(staged, FILES_FOLDER, name));
    }
    if (manifest.keys !== null) {
      await copyFile(path.join(backup, KEYS_FILE), path.join(staged, KEYS_FILE));
    }
    // What takes time comes before: between the places of the database and of the files is no more than renaming.
    await syncTree(staged);
    const hadDatabase = await restoreDatabase(
      path.join(backup, DB_FOLDER),
      path.join(dataDir, DB_FOLDER),
      path.join(aside, DB_FOLDER),
    );
    const hasReplaced = replaceFiles(staged, dataDir, aside);
    await syncPath(dataDir);
    return hasReplaced || hadDatabase ? aside : null;
  } finally {
    remove();
  }
}

/** Puts the files and keys of `staged` into a data folder. Keys that `staged` lacks stay. */
function replaceFiles(staged: string, dataDir: string, aside: string): boolean {
  const names = REPLACED.filter((name) => existsSync(path.join(staged, name)));
  const hasMoved = moveAside(dataDir, names, aside);
  for (const name of names) renameSync(path.join(staged, name), path.join(dataDir, name));
  return hasMoved;
}

/**
 * Puts a complete, closed data folder in place of what another one keeps; keys stay unless it has some.
 * @returns where the replaced data went, or null when there was none
 * @throws FolderInUseError while a server runs
 */
export function replaceDeployment(staged: string, dataDir: string): string | null {
  const aside = path.join(dataDir, `replaced-${timeName(Date.now())}`);
  const folder = path.join(dataDir, DB_FOLDER);
  const unlock = lockFolder(folder);
  try {
    const parts = [STORE_FOLDER, JOURNAL_FOLDER];
    const hadDatabase = moveAside(folder, parts, path.join(aside, DB_FOLDER));
    moveAside(path.join(staged, DB_FOLDER), parts, folder);
    return replaceFiles(staged, dataDir, aside) || hadDatabase ? aside : null;
  } finally {
    unlock();
  }
}
