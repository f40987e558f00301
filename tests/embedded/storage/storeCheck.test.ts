/** Damage that iterating over the leaves does not reveal; the fault script `damage` tests random damage. */
import childProcess from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { DamageError } from "../../../embedded/storage/orderedStore";
import {
  breakSeal,
  checkStore,
  DATA_FILE,
  sealClosedStore,
  sealStore,
  withdrawSeal,
} from "../../../embedded/storage/storeCheck";
import { rebuildStore } from "../../../embedded/storage/storeRebuild";
import { replaceIn } from "../../support/builtins";
import { temporaryDir } from "../../support/temporaryDir";

const ENTRIES = 2_000;
const PAGE_BYTES = 4096;
/** Offsets in a page of LMDB: number and transaction before the flags, node pointers after the header. */
const FLAGS_AT = 18;
/** Two bytes for each of a page's nodes. */
const ROOM_AT = 20;
const HEADER_BYTES = 24;
const NODE_HEADER_BYTES = 8;
const IS_BRANCH = 1;
const IS_LEAF = 2;
/** In `SigCgt`. Node itself handles SIGINT from its start on; the child takes SIGHUP last. */
const SIGHUP_BIT = 1n;

/** A store of several levels, as a kill leaves it: without a checksum of its file. */
async function newStore(): Promise<string> {
  const folder = temporaryDir();
  const store = LmdbStore.open(folder);
  const keyOf = (n: number): string => `entry ${String(n).padStart(6, "0")}`;
  const writes = Array.from({ length: ENTRIES }, (_, n) => ({
    key: keyOf(n),
    value: Buffer.alloc(100, n),
  }));
  await store.apply(writes, 1);
  await store.close();
  return folder;
}

/** Offset of the key of the second node in each branch page, the first key that separates anything. */
function separatorsOf(file: Buffer): number[] {
  const found: number[] = [];
  for (let page = 0; page < file.length; page += PAGE_BYTES) {
    if (file.readUInt16LE(page + FLAGS_AT) !== IS_BRANCH) continue;
    const node = page + HEADER_BYTES + file.readUInt16LE(page + HEADER_BYTES + 2);
    found.push(node + NODE_HEADER_BYTES);
  }
  return found;
}

/** Sends SIGINT to the child that reads a store, once it expects that; false when it ended before. */
async function interruptChild(running: Promise<unknown>): Promise<boolean> {
  let isRunning = true;
  const ended = (): void => void (isRunning = false);
  running.then(ended, ended);
  while (isRunning) {
    const tasks = fs.readdirSync("/proc/self/task");
    const children = tasks.flatMap((task) =>
      readIfThere(`/proc/self/task/${task}/children`).split(" "),
    );
    const child = children.find((id) => fs.existsSync(`/proc/${id}/cwd/${DATA_FILE}`));
    const handled = /SigCgt:\s*(\w+)/.exec(readIfThere(`/proc/${child ?? ""}/status`))?.[1] ?? "0";
    if ((BigInt(`0x${handled}`) & SIGHUP_BIT) !== 0n) {
      process.kill(Number(child), "SIGINT");
      return true;
    }
    await new Promise(setImmediate);
  }
  return false;
}

function readIfThere(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** As if it had been written. */
const touch = (folder: string) => fs.utimesSync(path.join(folder, DATA_FILE), 0, 0);

test("a whole store passes", async () => {
  const report = await checkStore(await newStore());
  expect(report.isFullCheck).toBe(true);
  expect(report.entries).toBe(ENTRIES + 1);
});

test("a branch that leads past its entries is damage, though all of them can be read in order", async () => {
  const folder = await newStore();
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  const separators = separatorsOf(bytes);
  expect(separators.length).toBeGreaterThan(0);
  for (const at of separators) bytes[at] = bytes[at]! ^ 0x80;
  fs.writeFileSync(file, bytes);
  await expect(checkStore(folder)).rejects.toThrow(DamageError);
});

test("a store that has lost entries is damage, also to its rebuilding, though what is left is whole", async () => {
  const folder = await newStore();
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  for (let page = 0; page < bytes.length; page += PAGE_BYTES) {
    const room = bytes.readUInt16LE(page + ROOM_AT);
    const isLeaf = bytes.readUInt16LE(page + FLAGS_AT) === IS_LEAF;
    // Each leaf loses its last entry.
    if (isLeaf && room > 4) bytes.writeUInt16LE(room - 2, page + ROOM_AT);
  }
  fs.writeFileSync(file, bytes);
  await expect(checkStore(folder)).rejects.toThrow(/\d+ entries instead of 2001/);
  await expect(rebuildStore(folder)).rejects.toThrow("holds 2001 entries, of which");
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
});

test("a store that ends before what was recorded of it is damage: an older copy lies in its place", async () => {
  const folder = await newStore();
  sealStore(folder, 1);
  touch(folder);
  expect((await checkStore(folder)).isFullCheck).toBe(true);
  sealStore(folder, 2);
  fs.utimesSync(path.join(folder, DATA_FILE), 1, 1);
  await expect(checkStore(folder)).rejects.toThrow("ends at position 1, but it had reached 2");
});

test("a store that nobody touched is not read again, unless that is forced", async () => {
  const folder = await newStore();
  sealStore(folder, 1);
  expect(await checkStore(folder)).toMatchObject({ isFullCheck: false, entries: null });
  expect(await checkStore(folder, true)).toMatchObject({ entries: ENTRIES + 1, position: 1 });
  withdrawSeal(folder);
  expect(await checkStore(folder)).toMatchObject({ isFullCheck: true, entries: ENTRIES + 1 });
});

test("the checksum of a closed store stands for its entries, until it may change", async () => {
  const folder = await newStore();
  await sealClosedStore(folder, 1);
  touch(folder);
  expect(await checkStore(folder)).toMatchObject({ isFullCheck: true, entries: null });
  expect(await checkStore(folder, true)).toMatchObject({ entries: ENTRIES + 1 });
  fs.appendFileSync(path.join(folder, DATA_FILE), "x");
  await expect(checkStore(folder)).rejects.toThrow("changed while no server was running");
  breakSeal(folder);
  expect(await checkStore(folder)).toMatchObject({ entries: ENTRIES + 1 });
});

test("a seal that was torn is as none; a store that had one and is gone is damage", async () => {
  const folder = await newStore();
  sealStore(folder, 1);
  const seal = fs.readFileSync(path.join(folder, "seal"), "utf8");
  fs.writeFileSync(path.join(folder, "seal"), seal.slice(0, 9));
  expect(await checkStore(folder)).toMatchObject({ isFullCheck: true, entries: ENTRIES + 1 });
  fs.rmSync(path.join(folder, DATA_FILE));
  expect(await checkStore(folder)).toMatchObject({ isFullCheck: true, entries: 0 });
  fs.writeFileSync(path.join(folder, "seal"), seal);
  await expect(checkStore(folder)).rejects.toThrow("is gone");
});

test.each<[problem: string, damage: (file: Buffer, leaf: number) => void]>([
  ["a damaged record", (file, leaf) => void (file[leaf + PAGE_BYTES - 1]! ^= 1)],
  [
    "keys out of order",
    (file, leaf) => {
      // Where a search begins, which therefore still finds the one that comes too soon.
      const middle = (file.readUInt16LE(leaf + ROOM_AT) / 2 - 1) >> 1;
      const at = leaf + HEADER_BYTES + 2 * middle;
      const [one, next] = [file.readUInt16LE(at), file.readUInt16LE(at + 2)];
      file.writeUInt16LE(next, at);
      file.writeUInt16LE(one, at + 2);
    },
  ],
])("a leaf with %s is damage", async (problem, damage) => {
  const folder = await newStore();
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  for (let page = 0; page < bytes.length; page += PAGE_BYTES) {
    const isLeaf = bytes.readUInt16LE(page + FLAGS_AT) === IS_LEAF;
    if (isLeaf && bytes.readUInt16LE(page + ROOM_AT) > 4) damage(bytes, page);
  }
  fs.writeFileSync(file, bytes);
  await expect(checkStore(folder)).rejects.toThrow(problem);
});

test("Ctrl-C, which reaches the child that reads as well, does not look like damage", async () => {
  const folder = await newStore();
  let isInterrupted = false;
  // The child may have ended before it was seen.
  for (let tries = 0; tries < 10 && !isInterrupted; tries++) {
    const checking = checkStore(folder, true);
    isInterrupted = await interruptChild(checking);
    expect((await checking).entries).toBe(ENTRIES + 1);
  }
  expect(isInterrupted).toBe(true);
});

test.each([
  [DATA_FILE, "EACCES", "cannot be opened (EACCES). Do this as the user to whom it belongs"],
  ["lock.mdb", "EACCES", "cannot be opened (EACCES). Do this as the user to whom it belongs"],
  ["lock.mdb", "EIO", "cannot be opened (EIO)."],
])("%s that LMDB may not open (%s) is named, and no damage", async (name, code, said) => {
  const folder = await newStore();
  const file = path.join(folder, name);
  const { openSync } = fs;
  const open = vi.spyOn(fs, "openSync").mockImplementation((opened, ...how) => {
    if (opened === file) throw Object.assign(new Error(code), { code });
    return openSync(opened, ...how);
  });
  onTestFinished(() => open.mockRestore());
  const refusal = await checkStore(folder).then(String, (error: unknown) => error);
  expect(refusal).not.toBeInstanceOf(DamageError);
  expect(String(refusal)).toContain(`${file} ${said}`);
});

const { execFile } = childProcess;
type Run = (program: string, ...rest: unknown[]) => ReturnType<typeof execFile>;
const run = execFile as unknown as Run;

const ENDS: readonly [how: string, run: Run, said: string][] = [
  ["the system makes none", (_, ...rest) => run("/none", ...rest), "cannot be made (spawn /none"],
  [
    "the system kills it",
    (...args) => {
      const child = run(...args);
      child.kill("SIGKILL");
      return child;
    },
    "was killed. If the machine lacks memory",
  ],
];

test.each(ENDS)(
  "a store is not damaged because of its reader: %s",
  async (_how, replaced, said) => {
    const folder = await newStore();
    replaceIn(childProcess, { execFile: replaced as unknown as typeof execFile });
    const refusal = await checkStore(folder).then(String, (error: unknown) => error);
    expect(refusal).not.toBeInstanceOf(DamageError);
    expect(String(refusal)).toContain(`The process that checks the store ${folder} ${said}`);
  },
);
