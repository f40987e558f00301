import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import {
  DamageError,
  KEY_MAX_BYTES,
  type OrderedStore,
  type StoreSnapshot,
} from "../../../embedded/storage/orderedStore";
import { temporaryDir } from "../../support/temporaryDir";

const STORES: [string, () => OrderedStore][] = [
  ["memory", () => new MemoryStore()],
  ["lmdb", () => LmdbStore.open(temporaryDir())],
];

const put = (key: string, value = key) => ({ key, value: Buffer.from(value) });

function keysOf(snapshot: StoreSnapshot, low: string, high: string, isReverse = false): string[] {
  const cursor = snapshot.range(low, high, isReverse);
  const keys: string[] = [];
  for (let entry = cursor.next(); entry !== null; entry = cursor.next()) keys.push(entry.key);
  cursor.close();
  return keys;
}

describe.each(STORES)("the contract of a store: %s", (_, open) => {
  test("what was applied is read back, what was deleted is not", async () => {
    const store = open();
    await store.apply([put("a"), put("b")], 1);
    await store.apply([{ key: "a", value: null }, put("b", "B")], 2);
    const snapshot = store.snapshot();
    expect(snapshot.get("a")).toBeUndefined();
    expect(snapshot.get("b")?.toString()).toBe("B");
    expect(store.position).toBe(2);
    snapshot.release();
    await store.close();
  });

  test("a snapshot stays as it was while batches are applied", async () => {
    const store = open();
    await store.apply([put("a"), put("b")], 1);
    const before = store.snapshot();
    await store.apply([put("c"), { key: "a", value: null }], 2);
    const after = store.snapshot();
    expect(keysOf(before, "", "z")).toEqual(["a", "b"]);
    expect(keysOf(after, "a", "z")).toEqual(["b", "c"]);
    expect([before.position, after.position]).toEqual([1, 2]);
    before.release();
    after.release();
    await store.close();
  });

  test("ranges include their low end and not their high end, in both directions", async () => {
    const store = open();
    await store.apply(
      ["a", "b", "c", "d"].map((key) => put(key)),
      1,
    );
    const snapshot = store.snapshot();
    expect(keysOf(snapshot, "b", "d")).toEqual(["b", "c"]);
    expect(keysOf(snapshot, "b", "d", true)).toEqual(["c", "b"]);
    expect(keysOf(snapshot, "c", "c")).toEqual([]);
    snapshot.release();
    await store.close();
  });

  test("a key that is too long refuses the whole batch", async () => {
    const store = open();
    const long = "k".repeat(KEY_MAX_BYTES + 1);
    await expect(store.apply([put("a"), put(long)], 1)).rejects.toThrow(RangeError);
    const snapshot = store.snapshot();
    expect(keysOf(snapshot, "a", "z")).toEqual([]);
    expect(store.position).toBe(0);
    snapshot.release();
    await store.close();
  });

  test("keys come in the order of their bytes", async () => {
    const store = open();
    const keys = fc.sample(
      fc.string({
        unit: fc.integer({ min: 0, max: 255 }).map((c) => String.fromCharCode(c)),
        minLength: 2,
        maxLength: 40,
      }),
      { numRuns: 500, seed: 7 },
    );
    await store.apply(
      keys.map((key) => put("k" + key, "v")),
      1,
    );
    const snapshot = store.snapshot();
    expect(keysOf(snapshot, "k", "l")).toEqual([...new Set(keys)].map((key) => "k" + key).sort());
    snapshot.release();
    await store.close();
  });
});

test("LMDB keeps batches and position over a reopening", async () => {
  const folder = temporaryDir();
  const first = LmdbStore.open(folder);
  await first.apply([put("a")], 41);
  await first.close();
  const second = LmdbStore.open(folder);
  const snapshot = second.snapshot();
  expect(second.position).toBe(41);
  expect(snapshot.get("a")?.toString()).toBe("a");
  snapshot.release();
  await second.close();
});

test("a copy that LMDB cannot write names its folder, and what may be wrong there", async () => {
  const store = LmdbStore.open(temporaryDir());
  const folder = temporaryDir();
  fs.writeFileSync(path.join(folder, "data.mdb"), "");
  const { begun, done } = store.copyTo(folder);
  await expect(done).rejects.toThrow(
    `The store's copy in ${folder} cannot be written (File exists): see that its disk has room`,
  );
  await begun;
  await store.close();
});

test("LMDB uses freed pages again after a snapshot one of whose cursors was left open", async () => {
  const folder = temporaryDir();
  const store = LmdbStore.open(folder);
  const batch = (round: number) =>
    Array.from({ length: 100 }, (_, i) => put(`k${i}`, `${round}`.repeat(1_000)));
  await store.apply(batch(0), 1);
  const snapshot = store.snapshot();
  snapshot.range("k", "l", false).next();
  snapshot.release();
  for (let round = 1; round < 50; round++) await store.apply(batch(round), round + 1);
  await store.close();
  expect(fs.statSync(path.join(folder, "data.mdb")).size).toBeLessThan(2_000_000);
});

test.skipIf(process.platform !== "linux")(
  "a store that cannot be opened is not left open",
  async () => {
    const folder = temporaryDir();
    const store = LmdbStore.open(folder);
    await store.apply([put("a")], 123_456.125);
    await store.close();
    const position = Buffer.alloc(8);
    position.writeDoubleLE(123_456.125);
    const file = path.join(folder, "data.mdb");
    const bytes = fs.readFileSync(file);
    bytes[bytes.indexOf(position)]! ^= 1;
    fs.writeFileSync(file, bytes);
    expect(() => LmdbStore.open(folder)).toThrow(DamageError);
    const open = fs.readdirSync("/proc/self/fd").filter((handle) => {
      const link = `/proc/self/fd/${handle}`;
      return fs.existsSync(link) && fs.readlinkSync(link).startsWith(folder);
    });
    expect(open).toEqual([]);
  },
);
