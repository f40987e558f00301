/**
 * Verifies an LMDB store before it is opened. LMDB's pages have no checksums, and a damaged tree can crash
 * the process that reads it: the check runs in a child process.
 *
 * A full check reads everything. It is skipped when the file is exactly as this program left it (size,
 * times, inode, same boot), and when every byte of it is (the sum of a file that was closed in order).
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { crc32 } from "node:zlib";
import { fingerprintOf } from "./fingerprint";
import { writeHazard } from "./pageCheck";
import { DamageError } from "./orderedStore";

export const DATA_FILE = "data.mdb";
const SEAL_FILE = "seal";
/** Files up to this size are sealed whole when they are closed. */
const MAX_SEALED_BYTES = 256 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

interface Seal {
  readonly fingerprint: string;
  readonly position: number;
  /** Checksum of the whole file, when it was closed in order and is not too large. */
  readonly wholeFile: number | null;
}

/** A value so long that LMDB looks through its whole list of free pages for room. */
const PROBE_BYTES = 64 * 1024 * 1024;

/**
 * Runs in the child: reads every entry, checks order, checksums and count, and finds each by its key (walking
 * along the leaves does not show a damaged branch above them).
 *
 * With "write" it then begins a write that is given up: what is wrong outside the entries could end the
 * writing process. An error it merely answers is left to the store, which is built anew when it cannot be
 * written.
 */
const CHILD_PROGRAM = `
const { open, ABORT } = require(process.argv[1]);
const { crc32 } = require("node:zlib");
const options = { path: process.argv[2], noSubdir: false, keyEncoding: "binary", encoding: "binary" };
const db = open({ ...options, readOnly: true });
let count = 0, position = 0, previous = null, problem = null;
for (const { key, value } of db.getRange({})) {
  count++;
  if (previous !== null && Buffer.compare(previous, key) >= 0) problem = "keys out of order";
  previous = Buffer.from(key);
  if (value.length < 4 || value.readUInt32LE(0) !== crc32(value.subarray(4), crc32(key))) problem = "a damaged record";
  if (key.length === 1 && key[0] === 0 && value.length === 12) position = value.readDoubleLE(4);
  if (problem === null && !db.doesExist(key)) problem = "an entry that is not found by its key";
  if (problem !== null) break;
}
const expected = db.getStats().entryCount;
if (problem === null && count !== expected) problem = count + " entries instead of " + expected;
if (problem === null && process.argv[3] === "write") {
  db.close();
  try {
    const writable = open(options);
    writable.transactionSync(() => {
      writable.putSync(Buffer.from([255]), Buffer.alloc(${PROBE_BYTES}));
      return ABORT;
    });
  } catch {}
}
process.stdout.write(JSON.stringify({ problem, position, count }));
`;

interface CheckResult {
  readonly problem: string | null;
  readonly position: number;
  readonly count: number;
}

/** Piece by piece: a running server goes on meanwhile. */
async function checksumOf(file: string): Promise<number> {
  let sum = 0;
  for await (const piece of fs.createReadStream(file, { highWaterMark: READ_BYTES })) {
    sum = crc32(piece as Buffer, sum);
  }
  return sum;
}

function readSeal(folder: string): Seal | null {
  const file = path.join(folder, SEAL_FILE);
  if (!fs.existsSync(file)) return null;
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Seal;
  } catch {
    // Torn by a power cut: it then proves nothing, and the full check runs.
    return null;
  }
}

/** Notes how this program leaves a file that it goes on writing. */
export function sealStore(folder: string, position: number): void {
  const fingerprint = fingerprintOf(path.join(folder, DATA_FILE));
  writeSeal(folder, { fingerprint, position, wholeFile: null });
}

/** Notes how this program leaves a file that nobody writes any more: the whole of it is summed up as well. */
export async function sealClosedStore(folder: string, position: number): Promise<void> {
  const file = path.join(folder, DATA_FILE);
  const canSum = fs.statSync(file).size <= MAX_SEALED_BYTES;
  const wholeFile = canSum ? await checksumOf(file) : null;
  writeSeal(folder, { fingerprint: fingerprintOf(file), position, wholeFile });
}

function writeSeal(folder: string, seal: Seal): void {
  const sealFile = path.join(folder, SEAL_FILE);
  try {
    fs.writeFileSync(sealFile, JSON.stringify(seal), { mode: 0o600 });
  } catch {
    // A full disk. Without a seal the next start reads everything: slower, no less safe.
    fs.rmSync(sealFile, { force: true });
  }
}

/** The next check reads everything. How far the store had come stays noted, if the disk lets it. */
export function withdrawSeal(folder: string): void {
  const seal = readSeal(folder);
  if (seal === null) return;
  const file = path.join(folder, SEAL_FILE);
  try {
    fs.writeFileSync(file, JSON.stringify({ ...seal, fingerprint: "", wholeFile: null }));
  } catch {
    fs.rmSync(file, { force: true });
  }
}

/**
 * Withdraws the sum over the whole file, durably, before the file may change: a power cut could otherwise
 * keep an old sum beside a newer file, which would look like damage.
 */
export function breakSeal(folder: string): void {
  const seal = readSeal(folder);
  if (seal === null || seal.wholeFile === null) return;
  const handle = fs.openSync(path.join(folder, SEAL_FILE), "w", 0o600);
  try {
    fs.writeSync(handle, JSON.stringify({ ...seal, wholeFile: null }));
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** What the check found: whether it had to read everything, and how much there was. */
export interface StoreReport {
  readonly isFullCheck: boolean;
  readonly entries: number | null;
  /** The newest commit in it; null when it was not read. */
  readonly position: number | null;
  /** Its entries are whole, but a write could harm it: it is to be rebuilt first. */
  readonly isUnsafeToWrite: boolean;
}

const UNREAD: StoreReport = {
  isFullCheck: false,
  entries: null,
  position: null,
  isUnsafeToWrite: false,
};

/**
 * What is to be opened for writing: only the holder of the folder's lock may ask, for it also tries a write.
 *
 * @param isForced reads everything even if the file is as it was left, and only reads: also a backup, or the
 *   folder of a running server
 * @throws DamageError when any entry, the order, the count, the position or (after an orderly close) any
 *   byte of the file is not as it was written
 */
export async function checkStore(folder: string, isForced = false): Promise<StoreReport> {
  const file = path.join(folder, DATA_FILE);
  const seal = readSeal(folder);
  if (!fs.existsSync(file)) {
    if (seal === null) return { ...UNREAD, isFullCheck: true, entries: 0, position: 0 };
    throw new DamageError(`The store's file ${file} is gone`);
  }
  const isUntouched = seal?.fingerprint === fingerprintOf(file);
  if (isUntouched && !isForced) return UNREAD;
  if (!isUntouched && seal !== null && seal.wholeFile !== null) {
    if ((await checksumOf(file)) !== seal.wholeFile) {
      throw new DamageError(`The store's file ${file} changed while no server was running`);
    }
    if (!isForced) return { ...UNREAD, isFullCheck: true };
  }
  const reading = runChild(folder, isForced ? "read" : "write");
  // While the child reads the entries. A file that somebody writes does not hold still.
  const isUnsafeToWrite = !isForced && writeHazard(file) !== null;
  const result = await reading.catch((error: unknown) => {
    if (!isUnsafeToWrite) throw error;
    // It may have been the write that was tried.
    return runChild(folder, "read");
  });
  if (result.problem !== null) throw new DamageError(`The store ${folder} has ${result.problem}`);
  if (seal !== null && result.position < seal.position) {
    throw new DamageError(
      `The store ${folder} ends at position ${result.position}, but it had reached ${seal.position}`,
    );
  }
  const { count: entries, position } = result;
  return { isFullCheck: true, entries, position, isUnsafeToWrite };
}

function runChild(folder: string, how: "read" | "write"): Promise<CheckResult> {
  const lmdbPath = createRequire(import.meta.url).resolve("lmdb");
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["-e", CHILD_PROGRAM, lmdbPath, folder, how],
      { maxBuffer: 1024 * 1024 },
      (error, stdout) => {
        if (error === null) {
          resolve(JSON.parse(stdout) as CheckResult);
          return;
        }
        const why = error.signal ?? error.message.split("\n").at(-2) ?? "unknown";
        reject(new DamageError(`The store ${folder} cannot be read (${String(why)})`));
      },
    );
  });
}
