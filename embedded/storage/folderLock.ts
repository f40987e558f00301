/**
 * One process per data folder. The lock is a file that names its holder by process id and start time, so a
 * holder that was killed, or whose id now belongs to another process, no longer holds it.
 *
 * Another container on the same volume has its own process id namespace, so the holder also listens on a
 * socket in the folder: a successful connection proves that it is alive (storage/lockSocket).
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bootId } from "./fingerprint.ts";
import { isListening, listenIn } from "./lockSocket.ts";
import { makeFolder } from "./newFolder.ts";

const LOCK_POLL_MS = 25;
const LOCK_FILE = "lock";

interface Holder {
  readonly pid: number;
  /** Start time in clock ticks since boot, with the boot's id; "" where the system does not provide it. */
  readonly started: string;
  /** The process id namespace of `pid`; absent where the system has none. */
  readonly namespace?: string;
  /** The socket in the folder that the holder listens on; null where the file system does not support sockets. */
  readonly socket?: string | null;
}

/** Another live process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

function startOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses and may contain anything, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie process holds nothing any more.
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

/**
 * True when the holder's process id belongs to another namespace. Processes from before the last boot are
 * dead.
 */
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

/** Error codes of a folder this process may not write to. */
const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Takes the lock of a folder.
 * @returns the function that releases it
 * @throws FolderInUseError when a live process (this one included) holds it; Error when the folder cannot be
 *   written, or belongs to another user
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
      // Somebody may have removed this lock, and another process taken the folder.
      if (isSame(readHolder(file), mine)) fs.rmSync(file, { force: true });
      stopListening?.();
    };
  } finally {
    fs.rmSync(draft, { force: true });
    if (!isTaken) stopListening?.();
  }
}

/**
 * Our files are readable by their owner only: files that root creates in a server's folder would lock that
 * server out.
 */
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
      // Atomic, and never replaces an existing lock.
      fs.linkSync(draft, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder !== null && isAlive(folder, holder)) throw inUse(folder, holder);
    removeDeadLock(folder, holder);
  }
  throw new FolderInUseError(`The lock of the data folder ${folder} keeps changing hands`);
}

/** The holder of a folder: its process id, and whether that belongs to another container. */
interface LockHolder {
  readonly pid: number;
  readonly isElsewhere: boolean;
}

/** The live process that holds a folder's lock, or null. Does not take the lock. */
export function lockHolder(folder: string): LockHolder | null {
  const holder = readHolder(path.join(folder, LOCK_FILE));
  if (holder === null || !isAlive(folder, holder)) return null;
  return { pid: holder.pid, isElsewhere: isElsewhere(holder) };
}

/**
 * Takes the lock of a folder, waiting up to `waitMs` for a holder that is exiting: a server that was just
 * killed may not be gone when the next one starts.
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

const isSame = (one: Holder | null, other: Holder | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Removes a dead holder's lock, unless another process has taken it over meanwhile. */
function removeDeadLock(folder: string, dead: Holder | null): void {
  const file = path.join(folder, LOCK_FILE);
  const aside = `${file}.dead.${randomUUID()}`;
  // Asking after a holder in another container takes a while.
  if (!isSame(readHolder(file), dead)) return;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== null && !isSame(moved, dead)) {
    // Given back without asking after that one, too: meanwhile a third process would take the folder.
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third process was faster; the next attempt finds its lock.
    }
  } else if (moved?.socket) {
    fs.rmSync(path.join(folder, path.basename(moved.socket)), { force: true });
  }
  fs.rmSync(aside, { force: true });
}
