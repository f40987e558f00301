/**
 * One process per data folder. The lock is a file that names its holder by process id and start time, so
 * a holder that was killed, or whose id now belongs to another process, holds nothing.
 *
 * Another container on the same volume counts processes in a namespace of its own, so the holder also
 * listens on a socket in the folder: whoever can connect knows that it lives (storage/lockSocket).
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isListening, listenIn } from "./lockSocket.ts";
import { makeFolder } from "./newFolder.ts";

const LOCK_POLL_MS = 25;
const LOCK_FILE = "lock";

interface Holder {
  readonly pid: number;
  /** Start time in clock ticks since boot, with the boot's id; "" where the system does not tell. */
  readonly started: string;
  /** The namespace that `pid` belongs to; absent where the system has none. */
  readonly namespace?: string;
  /** The socket in the folder that the holder listens on; null where the file system takes none. */
  readonly socket?: string | null;
}

/** Another live process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

function bootId(): string {
  return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function startOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in brackets and may hold anything: count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A killed process that nobody has waited for yet holds nothing any more.
    if (fields[0] === "Z" || fields[0] === "X") return null;
    return `${bootId()}/${fields[19]}`;
  } catch {
    return null;
  }
}

function ownNamespace(): string | undefined {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** True when the holder's process id means nothing here. Of before the last boot nobody is left. */
function isElsewhere(holder: Holder): boolean {
  const { namespace, started } = holder;
  if (namespace === undefined || namespace === ownNamespace()) return false;
  return started.startsWith(`${bootId()}/`);
}

function isAlive(folder: string, holder: Holder): boolean {
  if (isElsewhere(holder)) return !holder.socket || isListening(folder, holder.socket);
  if (fs.existsSync("/proc/self/stat")) return startOf(holder.pid) === holder.started;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function inUse(folder: string, holder: Holder): FolderInUseError {
  if (!isElsewhere(holder)) {
    return new FolderInUseError(
      `Process ${holder.pid} is using the data folder ${folder}: stop that server, or wait for that command to end.`,
    );
  }
  if (holder.socket) {
    return new FolderInUseError(
      `Another container is using the data folder ${folder}: stop that server, or wait for that command to end.`,
    );
  }
  return new FolderInUseError(
    `Another container took the data folder ${folder}, and nothing tells from here whether it still runs: ` +
      `stop all containers that have this folder, then remove ${path.join(folder, LOCK_FILE)}.`,
  );
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
}

/** Codes of a folder that takes no files from us. */
const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Takes the lock of a folder.
 * @returns the function that gives it up
 * @throws FolderInUseError when a live process (this one included) holds it; Error when the folder cannot be
 *   written, or is another user's
 */
export function lockFolder(folder: string): () => void {
  try {
    return lockWritable(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !UNWRITABLE.has(code)) throw error;
    const next = "Make it writable for whoever runs this, or name another one.";
    throw new Error(`The data folder ${folder} cannot be written (${code}). ${next}`, {
      cause: error,
    });
  }
}

function lockWritable(folder: string): () => void {
  makeFolder(folder);
  const file = path.join(folder, LOCK_FILE);
  const namespace = ownNamespace();
  const draft = `${file}.${randomUUID()}`;
  const socket = `${path.basename(draft)}.socket`;
  const stopListening = namespace === undefined ? null : listenIn(folder, socket);
  const mine: Holder = {
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    ...(namespace !== undefined && { namespace, socket: stopListening === null ? null : socket }),
  };
  let isTaken = false;
  try {
    fs.writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
    checkOwner(folder, draft);
    take(folder, file, draft);
    isTaken = true;
    return () => {
      fs.rmSync(file, { force: true });
      stopListening?.();
    };
  } finally {
    fs.rmSync(draft, { force: true });
    if (!isTaken) stopListening?.();
  }
}

/** Files of ours are for their owner only: what root left in a server's folder would shut that server out. */
function checkOwner(folder: string, ownFile: string): void {
  const [theirs, ours] = [folder, ownFile].map((file) => fs.statSync(file).uid);
  if (theirs === ours) return;
  throw new Error(
    `The data folder ${folder} belongs to the user with the id ${theirs}, who could not read what the one with the id ` +
      `${ours} writes there. Do this as that user (sudo -u), or make the folder yours (chown -R).`,
  );
}

/** Makes `draft` the lock. @throws FolderInUseError when a live process holds it */
function take(folder: string, file: string, draft: string): void {
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      // Appears whole or not at all, and never over another's.
      fs.linkSync(draft, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder !== null && isAlive(folder, holder)) throw inUse(folder, holder);
    takeAway(folder, holder);
  }
  throw new FolderInUseError(`The lock of the data folder ${folder} keeps changing hands`);
}

/** Who has a folder: a process id, and whether it is one of another container. */
export interface LockHolder {
  readonly pid: number;
  readonly isElsewhere: boolean;
}

/** The live process that has a folder's lock, or null. Takes nothing. */
export function lockHolder(folder: string): LockHolder | null {
  const holder = readHolder(path.join(folder, LOCK_FILE));
  if (holder === null || !isAlive(folder, holder)) return null;
  return { pid: holder.pid, isElsewhere: isElsewhere(holder) };
}

/**
 * Takes the lock of a folder, waiting up to `waitMs` for a holder that is about to go: a server that
 * was just killed may still be leaving when the next one starts.
 * @throws FolderInUseError when the holder stays
 */
export async function lockFolderSoon(folder: string, waitMs: number): Promise<() => void> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      const mayPass = error instanceof FolderInUseError && performance.now() < deadlineMs;
      if (!mayPass) throw error;
    }
    await delay(LOCK_POLL_MS);
  }
}

/** Removes a dead holder's lock, unless somebody else has taken it over meanwhile. */
function takeAway(folder: string, dead: Holder | null): void {
  const file = path.join(folder, LOCK_FILE);
  const aside = `${file}.dead.${randomUUID()}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (JSON.stringify(moved) !== JSON.stringify(dead) && moved !== null && isAlive(folder, moved)) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third one was quicker; the next attempt meets it.
    }
  } else if (moved?.socket) {
    fs.rmSync(path.join(folder, path.basename(moved.socket)), { force: true });
  }
  fs.rmSync(aside, { force: true });
}
