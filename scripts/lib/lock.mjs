/** A lock for installing and building: two commands started together must not write the same files. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { shellWord } from "./args.mjs";

const POLL_MS = 50;

/** Runs `work` while holding the lock `file`; prints a line when it has to wait for another process. */
export async function withLock(file, work) {
  await take(file);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

async function take(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    for (let isTold = false; ; isTold = true) {
      if (linkIfFree(draft, file)) return;
      const holder = holderOf(file);
      if (holder === null) continue;
      if (!isAlive(holder)) {
        removeDeadLock(file, holder);
        continue;
      }
      if (!isTold) {
        console.error(
          `Waiting for process ${holder}, which installs or builds (when it does not: rm ${shellWord(file)}).`,
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Links `draft` as the lock atomically, so that no process reads an incomplete one. */
function linkIfFree(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** The holder's process id; 0 when it is unreadable, null when there is no lock. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return null;
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Removes a dead process's lock; puts it back when another process has taken it meanwhile. */
function removeDeadLock(file, dead) {
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return;
  }
  if (holderOf(aside) !== dead && !existsSync(file)) renameSync(aside, file);
  rmSync(aside, { force: true });
}
