/**
 * What lies where in a data folder, and how to reach the server that has it.
 *
 * Not here: what is inside of the database's folder (db/openDatabase).
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { lockHolder } from "../storage/folderLock.ts";

export const DB_FOLDER = "db";
export const FILES_FOLDER = "files";
export const KEYS_FILE = "keys.json";
/** Backups and exports a running server makes: only ever inside of its own folder. */
export const BACKUPS_FOLDER = "backups";
export const EXPORTS_FOLDER = "exports";
const RUNNING_FILE = "running.json";

/** How the owner of the data folder reaches the server that runs on it. */
export interface RunningNote {
  readonly pid: number;
  readonly url: string;
  /** An administrator's key for this process only. */
  readonly operatorKey: string;
}

/** Holds 256 random bits. For one process: it is kept nowhere but in its note, if it leaves one. */
export const newOperatorKey = (): string => `operator|${randomBytes(32).toString("hex")}`;

/** Leaves the note for operators; only the folder's owner may read it. */
export function noteRunning(dataDir: string, note: RunningNote): void {
  const file = path.join(dataDir, RUNNING_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
}

/** Removes the own note; another process's stays. */
export function forgetRunning(dataDir: string): void {
  if (readRunning(dataDir)?.pid === process.pid) rmSync(path.join(dataDir, RUNNING_FILE));
}

/**
 * The note of the server that has the folder; null without one. One that died leaves its note: by now anybody may
 * listen where it did.
 */
export function readRunning(dataDir: string): RunningNote | null {
  const holder = lockHolder(path.join(dataDir, DB_FOLDER));
  const note = readNote(path.join(dataDir, RUNNING_FILE));
  return holder !== null && note?.pid === holder.pid ? note : null;
}

function readNote(file: string): RunningNote | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunningNote | null;
  } catch {
    // A server is about to write it, or died while it did.
    return null;
  }
}

/** A name for a new folder or file, by time: sorts by age. */
export const timeName = (nowMs: number): string =>
  new Date(nowMs).toISOString().replace(/[:.]/g, "-");

/** Where a backup made now lies in a data folder, unless somebody says otherwise. */
export const newBackupFolder = (dataDir: string): string =>
  path.join(dataDir, BACKUPS_FOLDER, timeName(Date.now()));
