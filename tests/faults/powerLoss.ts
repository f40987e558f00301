/**
 * Simulates power cuts at random moments. Records every write, sync and rename of a committing process (log,
 * store, notes) with strace, builds disk images with only part of the unsynced data (each 512-byte sector of
 * each unsynced write is present or not, unsynced names are old or new), and opens each image: nothing
 * acknowledged may be missing. If syncs are ignored, the same check must fail.
 *
 * Needs strace (Linux). `node scripts/run.mjs tests/faults/powerLoss.ts [images=200]`
 */
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { accountIds, createAccounts, openBank, transfer, transferKeys } from "./bank";
import { imageAt, writeImage } from "./diskImages";
import { parseTrace } from "./straceLog";

const TRANSFERS = 260;
const IN_FLIGHT = 8;
const CONTROL_IMAGES = 30;
const ACKNOWLEDGED = "acknowledged:";
const TRACED = "openat,write,pwrite64,writev,pwritev,lseek,fsync,fdatasync,rename,unlink,ftruncate";

/** The traced process: commits in groups, applies to the store in between, and prints what is durable. */
async function work(folder: string): Promise<void> {
  let db = await openBank(folder, 16_384);
  await createAccounts(db);
  const ids = accountIds(db);
  let next = 0;
  for (const until of [40, 41, 120, TRANSFERS]) {
    const lanes = Array.from({ length: IN_FLIGHT }, async () => {
      while (next < until) {
        const key = `transfer ${next++}`;
        await transfer(db, ids, key);
        fs.writeSync(1, `${ACKNOWLEDGED}${key}\n`);
      }
    });
    await Promise.all([...lanes, until === 120 ? db.drain() : undefined]);
    await db.drain();
    if (until !== 41) continue;
    await db.close();
    db = await openBank(folder, 16_384);
  }
  await db.close();
}

async function record(folder: string, traceFile: string): Promise<void> {
  const command = ["scripts/run.mjs", "tests/faults/powerLoss.ts", "--work", folder];
  const child = spawn(
    "strace",
    ["-f", "--seccomp-bpf", "-y", "-xx", "-s", "2000000", "-e", `trace=${TRACED}`]
      .concat(["-o", traceFile, process.execPath])
      .concat(command),
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  if (code !== 0) throw new Error(`the traced process ended with ${String(code)}`);
}

/** @returns what is wrong with an image, or null */
async function problemOf(folder: string, acknowledged: ReadonlySet<string>) {
  let db;
  try {
    db = await openBank(folder, 16_384);
  } catch (error) {
    return String(error);
  }
  try {
    if (acknowledged.size === 0) return null;
    const kept = transferKeys(db);
    for (const key of acknowledged) if (!kept.has(key)) return `${key} was lost`;
    await transfer(db, accountIds(db), "after the cut 1");
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await db.close();
  }
}

async function run(images: number): Promise<boolean> {
  execFileSync("strace", ["-V"], { stdio: "ignore" });
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "power-"));
  try {
    const folder = path.join(root, "live");
    const traceFile = path.join(root, "trace");
    await record(folder, traceFile);
    const events = parseTrace(traceFile, folder, ACKNOWLEDGED);
    const counted = (kind: string) => events.filter((event) => event.kind === kind).length;
    console.log(
      `recorded ${counted("write")} writes, ${counted("sync")} syncs, ` +
        `${counted("rename")} renames, ${counted("said")} acknowledgements`,
    );
    // From the first acknowledgement on; before it nothing could be lost.
    const first = events.findIndex((event) => event.kind === "said");
    if (first < 0) throw new Error("nothing was acknowledged");
    const failuresOf = async (count: number, ignoreFrom: number) => {
      const failures: string[] = [];
      for (let number = 0; number < count; number++) {
        const at = randomInt(first, events.length + 1);
        const target = path.join(root, `image-${number}`);
        writeImage(imageAt(events, at, ignoreFrom), target);
        const acknowledged = new Set(
          events.slice(0, at).flatMap((event) => (event.kind === "said" ? [event.text] : [])),
        );
        const problem = await problemOf(target, acknowledged);
        if (problem !== null) failures.push(`image ${number} (event ${at}): ${problem}`);
        fs.rmSync(target, { recursive: true, force: true });
      }
      return failures;
    };
    const failures = await failuresOf(images, Infinity);
    for (const failure of failures) console.log(failure);
    const control = await failuresOf(CONTROL_IMAGES, first);
    console.log(
      `${images} power cuts: ${failures.length} lost or refused something; ` +
        `control without syncs: ${control.length} of ${CONTROL_IMAGES} did`,
    );
    return failures.length === 0 && control.length > 0;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

const [first, folder] = process.argv.slice(2);
if (first === "--work") await work(folder!);
else process.exit((await run(Number(first ?? 200))) ? 0 : 1);
