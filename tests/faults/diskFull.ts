/**
 * Lets the disk run full while a database commits: after the first refusal nothing is acknowledged, reads
 * continue, there are no unhandled errors, and after a restart with free space everything is there.
 *
 * Mounts a small tmpfs, which needs root on Linux. `node scripts/run.mjs tests/faults/diskFull.ts [rounds=6]`
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { accountIds, allAnswers, createAccounts, openBank, transfer, transferKeys } from "./bank";

const TRANSFERS_MAX = 40_000;
const IN_FLIGHT = 16;
/** With small segments the log hits the full disk first, with a large one the store. */
const SEGMENT_BYTES = [65_536, 5 * 1024 * 1024];
/** Often enough for the store to grow before the log's first segment is full. */
const TRANSFERS_PER_DRAIN = 500;
/** Event loop turns to wait for unhandled errors; one would be enough. */
const TURNS = 20;

const rounds = Number(process.argv[2] ?? 6);
const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));

async function runRound(folder: string, round: number): Promise<string> {
  const segmentBytes = SEGMENT_BYTES[round % SEGMENT_BYTES.length]!;
  let db = await openBank(folder, segmentBytes);
  await createAccounts(db);
  const ids = accountIds(db);
  const acknowledged = new Set<string>();
  let started = 0;
  let acknowledgedAfterRefusal = 0;
  let firstRefusal: string | null = null;
  const lane = async () => {
    while (firstRefusal === null && started < TRANSFERS_MAX) {
      const key = `transfer ${started++}`;
      try {
        await transfer(db, ids, key);
        acknowledged.add(key);
        if (started % TRANSFERS_PER_DRAIN === 0) await db.drain();
        if (firstRefusal !== null) acknowledgedAfterRefusal++;
      } catch (error) {
        firstRefusal ??= String(error);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  if (firstRefusal === null) throw new Error("the disk never ran full");
  // Commits that were in flight at the refusal may still be acknowledged, but no later ones.
  if (acknowledgedAfterRefusal > IN_FLIGHT) throw new Error("acknowledged after the refusal");
  let isRefused = false;
  await transfer(db, ids, "too late 1").catch(() => (isRefused = true));
  if (!isRefused || db.isReadOnly === null) throw new Error("a transfer was taken on a full disk");
  const said = db.isReadOnly;
  const readable = transferKeys(db);
  for (const key of acknowledged) if (!readable.has(key)) throw new Error(`${key} is not readable`);
  const answers = allAnswers(db);
  if (answers !== allAnswers(db)) throw new Error("reading is not steady");
  // Closing would handle pending errors; unhandled ones must be found first.
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  await db.close();

  execFileSync("mount", ["-o", "remount,size=128m", folder]);
  db = await openBank(folder, segmentBytes);
  const kept = transferKeys(db);
  for (const key of acknowledged) if (!kept.has(key)) throw new Error(`${key} was lost`);
  if (kept.has("too late 1")) throw new Error("a refused transfer came back");
  await transfer(db, ids, "again 1");
  await db.close();
  return `${acknowledged.size} acknowledged, ${kept.size} kept; "${said}"`;
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), "full-"));
try {
  for (let round = 0; round < rounds; round++) {
    const folder = path.join(root, `round-${round}`);
    fs.mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder]);
    try {
      console.log(`round ${round + 1}: ${await runRound(folder, round)}`);
    } finally {
      execFileSync("umount", ["-l", folder]);
    }
  }
  if (strays.length > 0) {
    console.log(`FAILED, thrown out of nowhere: ${strays.map(String).join("; ")}`);
    process.exit(1);
  }
  console.log(
    `${rounds} full disks: nothing lost, reading went on, a restart with space recovered`,
  );
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
