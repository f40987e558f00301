/**
 * Read-only checks of a data folder and its machine: the backend's part of `doctor`.
 *
 * Not here: checks of the application's own data (scripts/doctor).
 */
import { existsSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { checkReplaced, JOURNAL_FOLDER, STORE_FOLDER } from "../db/openDatabase.ts";
import type { EmbeddedDatabase } from "../db/database.ts";
import { messageOf } from "../storage/errorText.ts";
import { lockHolder } from "../storage/folderLock.ts";
import { readLog } from "../storage/journalRead.ts";
import { DamageError } from "../storage/orderedStore.ts";
import { isThere } from "../storage/reading.ts";
import { DATA_FILE, checkStore } from "../storage/storeCheck.ts";
import { unfinishedBackups } from "./backup.ts";
import { DB_FOLDER, FILES_FOLDER, KEYS_FILE } from "./dataFolder.ts";
import { freeSpace, MIB } from "./diskRoom.ts";
import { unfinishedContent } from "./staging.ts";
import { newestStoredFiles, sha256Of } from "./storedFiles.ts";

/** The result of one check. `next` says what to do about a problem. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "problem";
  readonly text: string;
  readonly next?: string;
}

/** Mode bits of a file for its group and for all other users. */
const OTHERS = 0o077;

/** A path as one word of a shell's command line. */
const shellWord = (file: string): string => `'${file.replaceAll("'", "'\\''")}'`;

/** Checks that the folder exists and only its owner can read it. */
export function inspectFolder(dataDir: string): Finding[] {
  const check = "data folder";
  try {
    if (!isThere(path.join(dataDir, DB_FOLDER))) {
      const text = `${dataDir} is no data folder`;
      return [{ check, status: "problem", text, next: "Set DATA_DIR, or start the server once." }];
    }
  } catch (error) {
    const next = "Everything in it is for its owner alone.";
    return [{ check, status: "problem", text: messageOf(error), next }];
  }
  const exposed = [".", KEYS_FILE]
    .map((name) => path.join(dataDir, name))
    .filter((file) => existsSync(file) && (statSync(file).mode & OTHERS) !== 0);
  if (exposed.length === 0) return [{ check, status: "ok", text: `${dataDir}, its owner's alone` }];
  return exposed.map((file) => ({
    check,
    status: "warning",
    text: `Other users of this machine can read ${file}`,
    next: `chmod go-rwx ${shellWord(file)}`,
  }));
}

/** Processes that have a file open, from /proc; processes of other users are not visible. */
function processesWith(file: string): number[] {
  if (!existsSync("/proc/self/fd") || !existsSync(file)) return [];
  const wanted = realpathSync(file);
  const hasOpen = (pid: string): boolean => {
    try {
      const folder = `/proc/${pid}/fd`;
      return readdirSync(folder).some((fd) => {
        try {
          return readlinkSync(path.join(folder, fd)) === wanted;
        } catch {
          return false;
        }
      });
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && hasOpen(name))
    .map(Number);
}

/** Checks that at most one server uses the folder. */
export function inspectServers(dataDir: string): Finding[] {
  const check = "servers";
  const folder = path.join(dataDir, DB_FOLDER);
  const holder = lockHolder(folder);
  const opened = processesWith(path.join(folder, STORE_FOLDER, DATA_FILE));
  // A holder in another container has a different process id here, if it is visible at all.
  const isHolder = (pid: number): boolean =>
    holder?.isElsewhere === true ? opened.length === 1 : pid === holder?.pid;
  const others = opened.filter((pid) => !isHolder(pid) && pid !== process.pid);
  if (others.length > 0) {
    const all = holder === null || holder.isElsewhere ? others : [holder.pid, ...others];
    const text =
      all.length > 1
        ? `More than one server writes this folder: processes ${all.join(", ")}`
        : `Process ${all.join()} has the store open without the folder's lock`;
    const next = "Stop all of them, run doctor again, and start one. Never delete the lock file.";
    return [{ check, status: "problem", text, next }];
  }
  if (holder === null) return [{ check, status: "ok", text: "no server is running" }];
  const who = holder.isElsewhere ? "another container" : `process ${holder.pid}`;
  return [{ check, status: "ok", text: `${who} has this folder; a second is refused` }];
}

/**
 * Leftovers of killed commands, which take space. Nothing is reported while a process holds the folder: they may
 * be in use.
 */
export function inspectLeftovers(dataDir: string): Finding[] {
  if (lockHolder(path.join(dataDir, DB_FOLDER)) !== null) return [];
  return [...unfinishedContent(dataDir), ...unfinishedBackups(dataDir)].map((folder) => ({
    check: "leftovers",
    status: "warning",
    text: `${folder} was not finished, and is of no use`,
    next: "Remove it.",
  }));
}

/**
 * Verifies every entry of the store, in a child process, and, when no server is running, every byte of the
 * log.
 */
export async function inspectStore(dataDir: string): Promise<Finding[]> {
  const folder = path.join(dataDir, DB_FOLDER);
  const findings: Finding[] = [];
  const next = "Restore the newest backup: npm run restore -- --help. Keep this folder.";
  try {
    checkReplaced(folder);
  } catch (error) {
    // Recovering would not help; the finding says what to do.
    return [{ check: "store", status: "problem", text: messageOf(error) }];
  }
  let position: number;
  try {
    const { entries, position: reached } = await checkStore(path.join(folder, STORE_FOLDER), true);
    position = reached ?? 0;
    findings.push({ check: "store", status: "ok", text: `${entries ?? 0} entries, all sound` });
  } catch (error) {
    findings.push({
      check: "store",
      status: "problem",
      text: messageOf(error),
      ...(error instanceof DamageError && {
        next: `Stop the server and try npm run recover: it loses nothing. If it refuses: ${next}`,
      }),
    });
    return findings;
  }
  // A running server is writing the log, and verified it when it started.
  if (lockHolder(folder) !== null) return findings;
  const logFolder = path.join(folder, JOURNAL_FOLDER);
  try {
    const noteFolders = [logFolder, path.join(folder, STORE_FOLDER)];
    const options = { isWhole: true, noteFolders };
    const end = readLog(logFolder, position, () => undefined, options);
    findings.push(
      end === null
        ? {
            check: "log",
            status: "warning",
            text: "there is none: right between a restore and the first start, and at no other time",
            next: "If nobody restored this data, look for what is newer than the store in the newest backup.",
          }
        : { check: "log", status: "ok", text: `sound up to position ${end.lastPosition}` },
    );
  } catch (error) {
    findings.push({
      check: "log",
      status: "problem",
      text: messageOf(error),
      ...(error instanceof DamageError && { next: `Stop the server. ${next}` }),
    });
  }
  return findings;
}

/** Checks that every stored file exists and has its checksum. Reads all bytes. */
export async function inspectFiles(db: EmbeddedDatabase, dataDir: string): Promise<Finding> {
  const check = "files";
  const files = await newestStoredFiles(db);
  const bad: string[] = [];
  for (const { uuid, sha256 } of files) {
    const found = await sha256Of(path.join(dataDir, FILES_FOLDER, uuid)).catch(() => null);
    if (found !== sha256) bad.push(uuid);
  }
  if (bad.length === 0) return { check, status: "ok", text: `${files.length}, all sound` };
  const shown = bad.slice(0, 5).join(", ");
  const text = `${bad.length} of ${files.length} are missing or damaged: ${shown}`;
  return { check, status: "problem", text, next: "Copy them from a backup's folder files/." };
}

/** Synchronized clocks differ by less. */
const CLOCK_TOLERANCE_MS = 10_000;
const NS_PER_MS = 1_000_000n;

/** Checks that the clock was not set back before the newest commit. */
export function inspectClock(latestTs: bigint, nowMs: number): Finding {
  const check = "clock";
  const behindMs = Number(latestTs / NS_PER_MS) - nowMs;
  if (behindMs <= CLOCK_TOLERANCE_MS) {
    return { check, status: "ok", text: new Date(nowMs).toISOString() };
  }
  const seconds = Math.round(behindMs / 1000);
  return {
    check,
    status: "problem",
    text: `The clock is ${seconds} s behind the newest commit: it was set back`,
    next: "Set the clock (timedatectl). Nothing is lost; new dates follow the newest commit.",
  };
}

/** Checks that there is space for the log, a batch of the store, and a backup. */
export function inspectDisk(dataDir: string, minFreeBytes: number): Finding {
  const check = "disk";
  const { bytes: free, share } = freeSpace(dataDir);
  const percent = (share * 100).toFixed(0);
  const text = `${Math.floor(free / MIB)} MiB free (${percent} %)`;
  if (free >= minFreeBytes) return { check, status: "ok", text };
  return {
    check,
    status: "problem",
    text: `Nearly full: ${text}, wanted are ${Math.ceil(minFreeBytes / MIB)} MiB`,
    next: "Make room: old backups, exports/ and replaced-* folders. A full disk makes the server read-only.",
  };
}
