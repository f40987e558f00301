/** One build at a time: two commands started together must not write the same files. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;

/** Runs `work` while this process alone has the lock that `file` is; says so when it has to wait for another. */
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
        takeAway(file, holder);
        continue;
      }
      if (!isTold) {
        console.error(
          `Waiting for another build, process ${holder} (when that is none: rm ${file}).`,
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes `draft` the lock, whole: nobody ever reads one that its owner has not signed yet. */
function linkIfFree(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** Who has the lock: a process id, 0 when nobody signed it; null when it is gone. */
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

/** Removes a dead process's lock; one that another has taken meanwhile is put back. */
function takeAway(file, dead) {
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
