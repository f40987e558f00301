/**
 * Verifies an LMDB store before it is opened. LMDB's pages have no checksums, and a damaged tree can crash
 * the process that reads it, so the check runs in a child process.
 *
 * A full check reads everything. It is skipped when the file is unchanged since this program last wrote it
 * (size, times, inode, same boot), or when the checksum of the whole file, taken when it was closed in order,
 * still matches.
 */
import { execFile, type ExecFileException } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { crc32 } from "node:zlib";
import { fingerprintOf } from "./fingerprint.ts";
import { hasNote } from "./journalNote.ts";
import { makeFolder } from "./newFolder.ts";
import { writeHazard } from "./pageCheck.ts";
import { DamageError } from "./orderedStore.ts";
import { assertOpens } from "./reading.ts";

export const DATA_FILE = "data.mdb";
const LOCK_FILE = "lock.mdb";
const SEAL_FILE = "seal";
const TRIAL_FILE = "trial";
/** Files up to this size get a checksum of the whole file when they are closed. */
const SEALED_MAX_BYTES = 256 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** The two pages that LMDB makes a file of; entries come after them. */
const EMPTY_BYTES = 8192;
/** More than these and its lock file take. */
const BEGINNING_BYTES = 128 * 1024;

interface Seal {
  readonly fingerprint: string;
  readonly position: number;
  /** Checksum of the whole file, when it was closed in order and is not too large. */
  readonly wholeFile: number | null;
}

/** A value so long that LMDB searches its whole list of free pages for space. */
const PROBE_BYTES = 64 * 1024 * 1024;
/** How often the child looks whether its parent is still there: some 20 ms. */
const ENTRIES_BETWEEN_LOOKS = 4096;

/**
 * Runs in the child: reads every entry, checks order, checksums and count, and looks up each entry by its key
 * (iterating over the leaves does not reveal a damaged branch page above them).
 *
 * With "write" it then begins a write and aborts it: damage outside the entries could crash the writing
 * process. A plain error of that write is ignored here; the store rebuilds itself when it cannot be written.
 *
 * Ctrl-C reaches the child too, where it would look like damage: only its parent's end ends it, and with that
 * the folder's lock is gone. It runs in the folder: `open` would make a copy's folder again that its parent
 * has removed meanwhile.
 */
const CHILD_PROGRAM = `
const { open, ABORT } = require(process.argv[1]);
const { crc32 } = require("node:zlib");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
const endWithoutParent = () => process.ppid === Number(process.argv[3]) || process.exit(1);
const options = { path: ".", noSubdir: false, keyEncoding: "binary", encoding: "binary" };
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
  if (count % ${ENTRIES_BETWEEN_LOOKS} === 0) endWithoutParent();
}
const expected = db.getStats().entryCount;
if (problem === null && count !== expected) problem = count + " entries instead of " + expected;
if (problem === null && process.argv[2] === "write") {
  db.close();
  endWithoutParent();
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

/** Streams the file, so that a running server keeps serving. */
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
    // Torn by a power cut: then the full check runs.
    return null;
  }
}

/** Records the fingerprint of a file that is still being written to. */
export function sealStore(folder: string, position: number): void {
  const fingerprint = fingerprintOf(path.join(folder, DATA_FILE));
  writeSeal(folder, { fingerprint, position, wholeFile: null });
}

/** Records the fingerprint of a file that is closed, and the checksum of its content. */
export async function sealClosedStore(folder: string, position: number): Promise<void> {
  const file = path.join(folder, DATA_FILE);
  const canSum = fs.statSync(file).size <= SEALED_MAX_BYTES;
  const wholeFile = canSum ? await checksumOf(file) : null;
  writeSeal(folder, { fingerprint: fingerprintOf(file), position, wholeFile });
}

function writeSeal(folder: string, seal: Seal): void {
  const sealFile = path.join(folder, SEAL_FILE);
  try {
    fs.writeFileSync(sealFile, JSON.stringify(seal), { mode: 0o600 });
  } catch {
    // The disk is full. Without a seal the next start reads everything: slower, but as safe.
    fs.rmSync(sealFile, { force: true });
  }
}

/** Makes the next check read everything. The store's position stays recorded, if the disk permits. */
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
 * Removes the checksum of the whole file, durably, before the file may change. Otherwise a power cut could
 * leave an old checksum next to a newer file, which would look like damage.
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

/** The result of a check: whether it had to read everything, and how many entries there were. */
export interface StoreReport {
  readonly isFullCheck: boolean;
  readonly entries: number | null;
  /** Position of its newest commit; null when it was not read. */
  readonly position: number | null;
  /** True when its entries are valid but a write could damage it: rebuild it first. */
  readonly isUnsafeToWrite: boolean;
}

const UNREAD: StoreReport = {
  isFullCheck: false,
  entries: null,
  position: null,
  isUnsafeToWrite: false,
};

/**
 * Checks a store before it is opened for writing. Call it only while holding the folder's lock, because it
 * also tries a write.
 *
 * @param isForced reads everything even if the file is unchanged, and never writes: also for a backup, or for
 *   the folder of a running server
 * @throws DamageError when any entry, the order, the count, the position or (after an orderly close) any byte
 *   of the file is not as it was written; Error when that cannot be found out
 */
export async function checkStore(folder: string, isForced = false): Promise<StoreReport> {
  const file = path.join(folder, DATA_FILE);
  const seal = readSeal(folder);
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0 && seal !== null) {
    throw new DamageError(`The store's file ${file} is gone, or what was in it`);
  }
  // LMDB makes the file first and writes it afterwards: a first start may have been broken off in between.
  const isBegun = bytes > EMPTY_BYTES || seal !== null || hasNote(folder);
  if (bytes === 0 || !isBegun) {
    if (!isForced) assertBegins(folder);
    return { ...UNREAD, isFullCheck: true, entries: 0, position: 0 };
  }
  // LMDB crashes when it cannot open one of them, which would look like damage.
  assertOpens(file, isForced ? "r" : "r+");
  assertOpens(path.join(folder, LOCK_FILE), "r+");
  const isUntouched = seal?.fingerprint === fingerprintOf(file);
  if (isUntouched && !isForced) return UNREAD;
  if (!isUntouched && seal !== null && seal.wholeFile !== null) {
    if ((await checksumOf(file)) !== seal.wholeFile) {
      throw new DamageError(`The store's file ${file} changed while no server was running`);
    }
    if (!isForced) return { ...UNREAD, isFullCheck: true };
  }
  const reading = runChild(folder, isForced ? "read" : "write");
  // Runs while the child reads the entries. Not for a file that is being written.
  const isUnsafeToWrite = !isForced && writeHazard(file) !== null;
  const result = await reading.catch((error: unknown) => {
    if (!isUnsafeToWrite) throw error;
    // The attempted write may have crashed the child.
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

/**
 * Makes a store's folder, without a file. LMDB crashes when it opens half of its pages, and where it cannot write them.
 * @throws Error with the system's reason for the latter
 */
function assertBegins(folder: string): void {
  makeFolder(folder);
  // Of a name of its own: left by a process that is killed here, it must not look like a damaged store.
  const trial = path.join(folder, TRIAL_FILE);
  try {
    fs.writeFileSync(trial, Buffer.alloc(BEGINNING_BYTES));
  } finally {
    fs.rmSync(trial, { force: true });
  }
  fs.rmSync(path.join(folder, DATA_FILE), { force: true });
}

function runChild(folder: string, how: "read" | "write"): Promise<CheckResult> {
  const lmdbPath = createRequire(import.meta.url).resolve("lmdb");
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["-e", CHILD_PROGRAM, lmdbPath, how, String(process.pid)],
      { cwd: folder, maxBuffer: 1024 * 1024 },
      (error, stdout) => {
        if (error === null) {
          resolve(JSON.parse(stdout) as CheckResult);
          return;
        }
        reject(unread(folder, error));
      },
    );
  });
}

/** What to tell of a child that ended without a result: damage, unless it says nothing about the store. */
function unread(folder: string, { message, signal, syscall }: ExecFileException): Error {
  if (syscall?.startsWith("spawn")) {
    return new Error(`The process that checks the store ${folder} cannot be made (${message})`);
  }
  if (signal === "SIGKILL") {
    return new Error(
      `The process that checks the store ${folder} was killed. If the machine lacks memory, make some free; then do this again.`,
    );
  }
  const why = signal ?? message.split("\n").at(-2) ?? "unknown";
  return new DamageError(`The store ${folder} cannot be read (${why})`);
}
