/**
 * Backup and restore of the content of a data folder: database, stored files, keys.
 *
 * A backup is a folder; `backup.json`, written last, lists its content. Not here: the database's part
 * (db/backup).
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { backupDatabase, unpackDatabase } from "../db/backup.ts";
import type { EmbeddedDatabase } from "../db/database.ts";
import { STORE_FOLDER } from "../db/openDatabase.ts";
import type { BlobStore } from "../runtime/blobs.ts";
import { checkStore } from "../storage/storeCheck.ts";
import { makeFolder } from "../storage/newFolder.ts";
import { readIfThere } from "../storage/reading.ts";
import { syncPath, syncTree } from "../storage/syncTree.ts";
import { DamageError } from "../storage/orderedStore.ts";
import type { OnProgress } from "./archive.ts";
import { BACKUPS_FOLDER, DB_FOLDER, FILES_FOLDER, KEYS_FILE } from "./dataFolder.ts";
import { sizeOf } from "./diskRoom.ts";
import { holdsData, replaceContent, type OnStaging } from "./staging.ts";
import { newestStoredFiles, sha256Of, type StoredFileInfo } from "./storedFiles.ts";

const MANIFEST = "backup.json";
const FORMAT = 1;

interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** Position of its newest commit. */
  readonly position: number;
  readonly entries: number;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  /** Base64 sha256 of the keys file; null when the folder had none. */
  readonly keys: string | null;
}

export interface BackupSummary {
  readonly folder: string;
  readonly position: number;
  readonly entries: number;
  readonly files: number;
  readonly bytes: number;
  /** Stored files that are missing or damaged in the data folder itself. */
  readonly damagedFiles: readonly string[];
}

/** Copies stored files. Returns those that verify and those that do not. */
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
    if (await isCopied(from, to, sha256)) copied.push({ name: uuid, sha256 });
    else damaged.push(id);
    onProgress(`files: ${index + 1} of ${files.length}`);
  }
  return { copied, damaged };
}

/**
 * Returns false for a file that is missing, changed or unreadable: one bad file must not prevent the copy of
 * all others.
 */
async function isCopied(from: string, to: string, sha256: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return (await sha256Of(to)) === sha256;
  } catch (error) {
    if (isOfTarget(error)) throw error;
    return false;
  }
}

/** True for an error of the target: no space, or not writable. */
const isOfTarget = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ENOSPC", "EDQUOT", "EROFS"].includes(String(error.code));

/**
 * Copies a running or stopped deployment into a new folder and verifies the copy. What `onProgress` throws ends it and
 * leaves nothing behind.
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
    // Listed before and after: the database's copy may refer to a file deleted meanwhile, or to a new one.
    const earlier = await newestStoredFiles(db);
    const { position, entries } = await backupDatabase(db, path.join(target, DB_FOLDER));
    const later = await newestStoredFiles(db);
    const files = new Map([...earlier, ...later].map((file) => [file.uuid, file]));
    const { copied, damaged } = await copyFiles([...files.values()], dataDir, target, onProgress);
    const keysFile = path.join(dataDir, KEYS_FILE);
    const hasKeys = existsSync(keysFile);
    if (hasKeys) await copyFile(keysFile, path.join(target, KEYS_FILE));
    // Everything the manifest lists is durable before the manifest is written.
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

/** Backups inside a data folder that are not finished, or were interrupted. */
export function unfinishedBackups(dataDir: string): string[] {
  const folder = path.join(dataDir, BACKUPS_FOLDER);
  if (!existsSync(folder)) return [];
  // Anything else in the folder was put there by somebody.
  const has = (backup: string, part: string) => existsSync(path.join(backup, part));
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((backup) => has(backup, DB_FOLDER) && !has(backup, MANIFEST));
}

/** Name of a stored file: it cannot lead to another folder. */
const FILE_NAME = /^[\da-f-]+$/;

const isManifest = (given: Partial<Manifest> | null): given is Manifest =>
  given?.format === FORMAT &&
  typeof given.entries === "number" &&
  (given.keys === null || typeof given.keys === "string") &&
  Array.isArray(given.files) &&
  given.files.every((file: Partial<Manifest["files"][number]> | null) =>
    FILE_NAME.test(file?.name ?? ""),
  );

/**
 * @throws Error when the folder is not a backup, is unfinished or unreadable; DamageError when the manifest
 *   is damaged
 */
function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST);
  const text = readIfThere(file);
  if (text === null) {
    throw new Error(
      `${folder} is no backup, or one that was not finished (no ${MANIFEST}): name another folder.`,
    );
  }
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null;
  } catch {
    manifest = null;
  }
  const { format = FORMAT } = manifest ?? {};
  if (format !== FORMAT) {
    throw new Error(
      `${folder} has the format ${format}, and this version reads ${FORMAT}: restore it with the version that made it.`,
    );
  }
  if (!isManifest(manifest)) throw new DamageError(`${file} is damaged`);
  return manifest;
}

/**
 * Reads and verifies all of a backup.
 * @throws Error when it is not a backup or unfinished; DamageError when anything in it changed
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

/**
 * Replaces the content of a data folder by a backup, after verifying it in full. The old content is moved to
 * `replaced-<time>` inside the folder.
 * @returns where the old content is, or null when there was none
 * @throws Error when there is no backup, or there is data and `mayReplace` is false; DamageError, with
 *   nothing changed, when the backup does not verify; FolderInUseError while a server runs
 */
export async function restoreDeployment(
  backup: string,
  dataDir: string,
  options: { mayReplace: boolean; onProgress?: OnProgress; onStaging?: OnStaging },
): Promise<string | null> {
  // First, because the rest takes minutes, and before the caller is told to use --replace.
  readManifest(backup);
  if (holdsData(dataDir) && !options.mayReplace) {
    throw new Error(`${dataDir} holds data already`);
  }
  const { files, keys } = await verifyBackup(backup, options.onProgress);
  const fill = async (staged: string): Promise<void> => {
    const copied = files.map(({ name }) => path.join(FILES_FOLDER, name));
    for (const part of keys === null ? copied : [...copied, KEYS_FILE]) {
      await copyFile(path.join(backup, part), path.join(staged, part));
    }
    await unpackDatabase(path.join(backup, DB_FOLDER), path.join(staged, DB_FOLDER));
  };
  const { replaced } = await replaceContent(dataDir, "restoring", fill, options.onStaging);
  return replaced;
}
