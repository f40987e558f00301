/**
 * The parts of an LMDB file that writes depend on: valid whatever history a store has, and invalid after any
 * changed bit.
 */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openDatabase, STORE_FOLDER } from "../../../embedded/db/openDatabase";
import { writeHazard } from "../../../embedded/storage/pageCheck";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { DATA_FILE } from "../../../embedded/storage/storeCheck";
import { collect, mutate, read, scan, schema, table } from "../db/support";
import { Dice, seedOfRun } from "../../support/chance";
import { temporaryDir } from "../../support/temporaryDir";

const PAGE_BYTES = 4096;
/** Offsets in a page of LMDB: the bytes of its number, and those of its kind and layout. */
const NUMBER_BYTES = [0, 8] as const;
const LAYOUT_BYTES = [18, 24] as const;
const KIND_AT = 18;
const ROOM_AT = 20;
const ROOM_END_AT = 22;
/** Highest byte of the transaction that wrote it; also the offset within a reference to a big value. */
const WRITER_END_AT = 15;
/** Offsets in a meta page: the roots of the two trees, and the transaction. */
const FREE_ROOT_AT = 88;
const ENTRIES_ROOT_AT = 136;
const TRANSACTION_AT = 152;
/** Offsets in a leaf: its nodes, counted from the end of its header; in a node: its header and its key. */
const HEADER_BYTES = 24;
const NODE_FLAGS_AT = 4;
const KEY_LENGTH_AT = 6;
const NODE_HEADER_BYTES = 8;
const NODE_BYTES_BEFORE_LIST = 16;

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

/** The newer of the two meta pages. */
function metaOf(bytes: Buffer): Buffer {
  const [first, second] = [bytes.subarray(0), bytes.subarray(PAGE_BYTES)];
  const isFirst = first.readBigInt64LE(TRANSACTION_AT) > second.readBigInt64LE(TRANSACTION_AT);
  return isFirst ? first : second;
}

/** Offsets of the page numbers in the first list of free pages of a file. */
function listedNumbers(bytes: Buffer): number[] {
  const page = Number(metaOf(bytes).readBigInt64LE(FREE_ROOT_AT)) * PAGE_BYTES;
  const node = page + HEADER_BYTES + bytes.readUInt16LE(page + HEADER_BYTES);
  const list = node + NODE_BYTES_BEFORE_LIST;
  const count = Number(bytes.readBigInt64LE(list));
  return Array.from({ length: count }, (_, n) => list + 8 * (n + 1));
}

/** Writes a store for a while, small and big values, with readers that hold old pages. */
async function writeForAWhile(dice: Dice, rounds = 40): Promise<void> {
  const store = LmdbStore.open(folder);
  const snapshots = [];
  for (let round = 1; round <= rounds; round++) {
    const writes = Array.from({ length: dice.below(60, 1) }, () => ({
      key: `key ${dice.below(500)}`,
      value: dice.isHit(0.3) ? null : Buffer.alloc(dice.isHit(0.1) ? dice.below(40_000) : 100, 1),
    }));
    const distinct = new Map(writes.map((write) => [write.key, write]));
    await store.apply(distinct.values(), round);
    if (dice.isHit(0.3)) snapshots.push(store.snapshot());
    if (dice.isHit(0.3)) snapshots.shift()?.release();
  }
  for (const snapshot of snapshots) snapshot.release();
  await store.close();
}

/** Flips every single bit of some bytes, and returns those with which `file` would still be written. */
function overlookedBits(file: string, [from, to]: readonly [number, number]): string[] {
  const overlooked: string[] = [];
  const handle = fs.openSync(file, "r+");
  const byte = Buffer.alloc(1);
  for (let at = from; at < to; at++) {
    fs.readSync(handle, byte, 0, 1, at);
    const before = byte[0]!;
    for (let bit = 0; bit < 8; bit++) {
      byte[0] = before ^ (1 << bit);
      fs.writeSync(handle, byte, 0, 1, at);
      if (writeHazard(file) === null) overlooked.push(`bit ${bit} of byte ${at}`);
    }
    byte[0] = before;
    fs.writeSync(handle, byte, 0, 1, at);
  }
  fs.closeSync(handle);
  return overlooked;
}

test("the list of a store that was written by chance and opened again and again is sound", async () => {
  const seed = seedOfRun();
  const dice = new Dice(seed);
  for (let life = 0; life < 8; life++) {
    await writeForAWhile(dice);
    expect(writeHazard(path.join(folder, DATA_FILE)), `TEST_SEED=${seed}`).toBeNull();
  }
});

test("a changed bit in the list is found, unless a number only vanishes", async () => {
  await writeForAWhile(new Dice(7), 5);
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  const places = listedNumbers(bytes).filter((at) => bytes.readBigInt64LE(at) > 0n);
  expect(places.length).toBeGreaterThan(0);
  for (const at of places) {
    const overlooked = overlookedBits(file, [at, at + 8]);
    const number = Number(bytes.readBigInt64LE(at));
    const isOneBit = (number & (number - 1)) === 0;
    expect(overlooked, `page ${number}`).toHaveLength(isOneBit ? 1 : 0);
  }
  expect(writeHazard(file)).toBeNull();
});

test("a changed bit in the highest byte of the list's length is found", async () => {
  await writeForAWhile(new Dice(7), 5);
  const file = path.join(folder, DATA_FILE);
  const [first = 0] = listedNumbers(fs.readFileSync(file));
  expect(first).toBeGreaterThan(0);
  expect(overlookedBits(file, [first - 1, first])).toEqual([]);
});

test("a changed bit in the header of a page or a node's flags is found", async () => {
  await writeForAWhile(new Dice(7), 5);
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  for (const root of [FREE_ROOT_AT, ENTRIES_ROOT_AT]) {
    const page = Number(metaOf(bytes).readBigInt64LE(root)) * PAGE_BYTES;
    const node = page + HEADER_BYTES + bytes.readUInt16LE(page + HEADER_BYTES);
    const flags = [node + NODE_FLAGS_AT, node + NODE_FLAGS_AT + 2] as const;
    const parts = [NUMBER_BYTES, LAYOUT_BYTES].map(
      ([from, to]) => [page + from, page + to] as const,
    );
    const writer = [page + WRITER_END_AT, page + WRITER_END_AT + 1] as const;
    for (const part of [...parts, writer, flags]) expect(overlookedBits(file, part)).toEqual([]);
  }
  expect(writeHazard(file)).toBeNull();
});

test("a page whose list of nodes runs into its nodes is no page to write to", async () => {
  const store = LmdbStore.open(folder);
  await store.apply([{ key: "key", value: Buffer.alloc(20) }], 1);
  await store.close();
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  const page = bytes.subarray(Number(metaOf(bytes).readBigInt64LE(ENTRIES_ROOT_AT)) * PAGE_BYTES);
  const node = page.readUInt16LE(HEADER_BYTES + 2);
  const [room, roomEnd] = [page.readUInt16LE(ROOM_AT), page.readUInt16LE(ROOM_END_AT)];
  expect(room).toBe(4);
  const nodeBytes = PAGE_BYTES - HEADER_BYTES - node;
  // The same node again and again, so that its nodes still fill what is left of the page to the last byte.
  const times = Math.floor(roomEnd / nodeBytes);
  for (let n = 0; n < times; n++) page.writeUInt16LE(node, HEADER_BYTES + room + 2 * n);
  page.writeUInt16LE(room + 2 * times, ROOM_AT);
  page.writeUInt16LE(roomEnd - nodeBytes * times, ROOM_END_AT);
  fs.writeFileSync(file, bytes);
  expect(writeHazard(file)).toContain("is not laid out as it should be");
});

/** Offset of the first reference to a big value in a leaf of a tree; null when there is none. */
function bigValueAt(bytes: Buffer, root: number): number | null {
  const page = root * PAGE_BYTES;
  const isBranch = bytes.readUInt16LE(page + KIND_AT) === 1;
  const nodeCount = bytes.readUInt16LE(page + ROOM_AT) / 2;
  for (let n = 0; n < nodeCount; n++) {
    const node = page + HEADER_BYTES + bytes.readUInt16LE(page + HEADER_BYTES + 2 * n);
    const found = isBranch ? bigValueAt(bytes, bytes.readUInt32LE(node)) : null;
    if (found !== null) return found;
    const isBig = !isBranch && bytes.readUInt16LE(node + NODE_FLAGS_AT) === 1;
    if (isBig) return node + NODE_HEADER_BYTES + bytes.readUInt16LE(node + KEY_LENGTH_AT);
  }
  return null;
}

test("a changed bit in what leads to a big value is found", async () => {
  await writeForAWhile(new Dice(7), 5);
  const file = path.join(folder, DATA_FILE);
  const bytes = fs.readFileSync(file);
  const at = bigValueAt(bytes, Number(metaOf(bytes).readBigInt64LE(ENTRIES_ROOT_AT)))!;
  const [number, writerEnd, count] = [
    [0, 8],
    [WRITER_END_AT, 16],
    [16, 24],
  ] as const;
  for (const [from, to] of [number, writerEnd, count]) {
    expect(overlookedBits(file, [at + from, at + to])).toEqual([]);
  }
  expect(writeHazard(file)).toBeNull();
});

test("a store whose list names a page in use is rebuilt before anything is written", async () => {
  const notes = schema(table("notes", { by_text: ["text"] }));
  const insert = (n: number) => (tx: Parameters<Parameters<typeof mutate>[1]>[0]) =>
    tx.insertValue("notes", { text: `note ${n}`, n });
  const running = path.join(folder, "running");
  const { db } = await openDatabase(running);
  await db.applySchema(notes);
  for (let n = 0; n < 50; n++) {
    await mutate(db, insert(n));
    if (n % 5 === 0) await db.drain();
  }
  await db.drain();
  const left = path.join(folder, "left");
  fs.cpSync(running, left, {
    recursive: true,
    filter: (name) => !path.basename(name).startsWith("lock"),
  });
  await db.close();

  const file = path.join(left, STORE_FOLDER, DATA_FILE);
  const bytes = fs.readFileSync(file);
  const at = listedNumbers(bytes).find((place) => bytes.readBigInt64LE(place) > 0n)!;
  bytes.writeBigInt64LE(metaOf(bytes).readBigInt64LE(ENTRIES_ROOT_AT), at);
  fs.writeFileSync(file, bytes);

  const { db: again, report } = await openDatabase(left);
  expect(report.isRebuilt).toBe(true);
  await again.applySchema(notes);
  await mutate(again, insert(50));
  await again.drain();
  const numbers = read(again, (tx) => collect(tx, scan("notes"))).map((note) => note.n);
  expect(numbers).toEqual(Array.from({ length: 51 }, (_, n) => n));
  await again.close();
  expect(writeHazard(file)).toBeNull();
});
