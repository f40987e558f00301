/**
 * The layout of a data folder, and how to reach the server that uses it.
 *
 * Not here: the content of the database's folder (db/openDatabase).
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { lockHolder } from "../storage/folderLock.ts";

export const DB_FOLDER = "db";
export const FILES_FOLDER = "files";
export const KEYS_FILE = "keys.json";
/** Backups and exports by a running server are only ever written inside its own folder. */
export const BACKUPS_FOLDER = "backups";
export const EXPORTS_FOLDER = "exports";
const RUNNING_FILE = "running.json";

/** How the owner of the data folder reaches the running server. */
interface RunningNote {
  readonly pid: number;
  readonly url: string;
  /** An admin key for this process only. */
  readonly operatorKey: string;
}

/** A key of 256 random bits for one process. It is stored only in the process's note, if there is one. */
export const newOperatorKey = (): string => `operator|${randomBytes(32).toString("hex")}`;

/** Writes the note for operators; only the folder's owner may read it. */
export function noteRunning(dataDir: string, note: RunningNote): void {
  const file = path.join(dataDir, RUNNING_FILE);
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
}

/** Removes this process's note; another process's stays. */
export function forgetRunning(dataDir: string): void {
  if (readRunning(dataDir)?.pid === process.pid) rmSync(path.join(dataDir, RUNNING_FILE));
}

/**
 * The note of the server that holds the folder; null without one. The note of a dead server does not count:
 * another program may listen on its port by now.
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
    // A server is writing it, or died while writing.
    return null;
  }
}

/** A time-based name for a new folder or file; names sort by age. */
export const timeName = (nowMs: number): string =>
  new Date(nowMs).toISOString().replace(/[:.]/g, "-");

/** The default folder for a backup made now. */
export const newBackupFolder = (dataDir: string): string =>
  path.join(dataDir, BACKUPS_FOLDER, timeName(Date.now()));
