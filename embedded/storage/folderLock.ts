/**
 * One process per data folder. The lock is a file that names its holder by process id and start time, so
 * a holder that was killed, or whose id now belongs to another process, holds nothing.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const LOCK_POLL_MS = 25;
const LOCK_FILE = "lock";

interface Holder {
  readonly pid: number;
  /** Start time in clock ticks since boot, with the boot's id; "" where the system does not tell. */
  readonly started: string;
}

/** Another live process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

function startOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in brackets and may hold anything: count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A killed process that nobody has waited for yet holds nothing any more.
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  if (fs.existsSync("/proc/self/stat")) return startOf(holder.pid) === holder.started;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
}

/**
 * Takes the lock of a folder.
 * @returns the function that gives it up
 * @throws FolderInUseError when a live process (this one included) holds it
 */
export function lockFolder(folder: string): () => void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, LOCK_FILE);
  const mine: Holder = { pid: process.pid, started: startOf(process.pid) ?? "" };
  const draft = `${file}.${process.pid}.${process.hrtime.bigint()}`;
  fs.writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        // Appears whole or not at all, and never over another's.
        fs.linkSync(draft, file);
        return () => fs.rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const holder = readHolder(file);
      if (holder !== null && isAlive(holder)) {
        throw new FolderInUseError(
          `Process ${holder.pid} is using the data folder ${folder}: stop that server, or wait for that command to end.`,
        );
      }
      takeAway(file, holder);
    }
    throw new FolderInUseError(`The lock of the data folder ${folder} keeps changing hands`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** The live process that has a folder's lock, or null. Takes nothing. */
export function lockHolder(folder: string): number | null {
  const holder = readHolder(path.join(folder, LOCK_FILE));
  return holder !== null && isAlive(holder) ? holder.pid : null;
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
function takeAway(file: string, dead: Holder | null): void {
  const aside = `${file}.dead.${process.pid}.${process.hrtime.bigint()}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (JSON.stringify(moved) !== JSON.stringify(dead) && moved !== null && isAlive(moved)) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third one was quicker; the next attempt meets it.
    }
  }
  fs.rmSync(aside, { force: true });
}
