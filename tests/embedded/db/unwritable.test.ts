import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { JOURNAL_FOLDER, STORE_FOLDER, openDatabase } from "../../../embedded/db/openDatabase";
import type { QueryJson } from "../../../embedded/db/types";
import { Journal } from "../../../embedded/storage/journal";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { DamageError, UnwritableStoreError } from "../../../embedded/storage/orderedStore";
import { sealStore } from "../../../embedded/storage/storeCheck";
import { rebuildStore } from "../../../embedded/storage/storeRebuild";
import { collect, mutate, range, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});
afterEach(() => void vi.restoreAllMocks());

const NOTES = schema(table("notes", { by_text: ["text"] }));

/** A database with ten documents in the store and ten more only in the log. */
async function halfApplied(where: string): Promise<EmbeddedDatabase> {
  const { db } = await openDatabase(where);
  await db.applySchema(NOTES);
  const insert = (n: number) =>
    mutate(db, (tx) => tx.insertValue("notes", { text: `note ${n}`, n }));
  for (let n = 0; n < 10; n++) await insert(n);
  await db.drain();
  for (let n = 10; n < 20; n++) await insert(n);
  return db;
}

/** A copy of a folder as left by a kill: its store cannot be recognized as unchanged. */
async function killed(): Promise<string> {
  const running = path.join(folder, "running");
  const db = await halfApplied(running);
  const left = path.join(folder, "left");
  for (const part of [STORE_FOLDER, JOURNAL_FOLDER]) {
    fs.cpSync(path.join(running, part), path.join(left, part), { recursive: true });
  }
  await db.close();
  return left;
}

/** The folder itself as left by a kill: its store is unchanged. */
async function killedInPlace(): Promise<string> {
  const left = await killed();
  sealStore(path.join(left, STORE_FOLDER), 0);
  return left;
}

function refuse(times: number): void {
  const apply = vi.spyOn(LmdbStore.prototype, "apply");
  for (let time = 0; time < times; time++) {
    apply.mockRejectedValueOnce(new UnwritableStoreError("MDB_BAD_TXN"));
  }
}

function expectAll(db: EmbeddedDatabase): void {
  const numbers = (query: QueryJson) =>
    read(db, (tx) => collect(tx, query)).map((doc) => doc.n as number);
  const all = Array.from({ length: 20 }, (_, n) => n);
  expect(numbers(scan("notes"))).toEqual(all);
  expect(numbers(range("notes.by_text")).toSorted((a, b) => a - b)).toEqual(all);
}

test("a store that is as it was left serves before the log is in it, and has it all afterwards", async () => {
  const left = await killedInPlace();
  // Otherwise a slow machine starts an apply in the middle of this test.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const apply = vi.spyOn(LmdbStore.prototype, "apply");
  const { db, report } = await openDatabase(left, { onUnwritable: () => undefined });
  expect(report).toMatchObject({ isRebuilt: false, replayedCommits: 10 });
  expect(await db.applySchema(NOTES)).toMatchObject({ documentsChecked: 0 });
  expectAll(db);
  expect(apply).not.toHaveBeenCalled();
  await db.drain();
  expectAll(db);
  await db.close();
  const again = await openDatabase(left);
  expect(again.report.replayedCommits).toBe(0);
  await again.db.applySchema(NOTES);
  expectAll(again.db);
  await again.db.close();
});

test("one that then refuses the log is rebuilt at the next start", async () => {
  const left = await killedInPlace();
  refuse(1);
  const told: string[] = [];
  const onUnwritable = (error: Error) => told.push(error.message);
  const { db } = await openDatabase(left, { onUnwritable });
  await db.applySchema(NOTES);
  expectAll(db);
  await expect(db.drain()).rejects.toThrow("MDB_BAD_TXN");
  expect(told).toEqual(["MDB_BAD_TXN"]);
  await db.close();
  refuse(1);
  const again = await openDatabase(left);
  expect(again.report).toMatchObject({ isRebuilt: true, replayedCommits: 10 });
  await again.db.applySchema(NOTES);
  expectAll(again.db);
  await again.db.close();
});

test("nobody who could open the folder again: the log is put into the store first", async () => {
  const left = await killedInPlace();
  refuse(1);
  const { db, report } = await openDatabase(left);
  expect(report).toMatchObject({ isRebuilt: true, replayedCommits: 10 });
  expectAll(db);
  await db.close();
});

test("a store that refuses what the log holds is rebuilt, and has every document in every index", async () => {
  const left = await killed();
  refuse(1);
  const { db, report } = await openDatabase(left);
  expect(report).toMatchObject({ isRebuilt: true, replayedCommits: 10 });
  await db.applySchema(NOTES);
  expectAll(db);
  await mutate(db, (tx) => tx.insertValue("notes", { text: "after", n: 20 }));
  await db.close();

  const again = await openDatabase(left);
  expect(again.report).toMatchObject({ isRebuilt: false, replayedCommits: 0 });
  expect(read(again.db, (tx) => collect(tx, scan("notes")))).toHaveLength(21);
  await again.db.close();
});

test("a store that refuses even when rebuilt is reported, and its folder is free again", async () => {
  const left = await killed();
  vi.spyOn(LmdbStore.prototype, "apply").mockRejectedValue(new UnwritableStoreError("MDB_BAD_TXN"));
  await expect(openDatabase(left)).rejects.toThrow(UnwritableStoreError);
  vi.restoreAllMocks();
  const { db } = await openDatabase(left);
  expect(read(db, (tx) => collect(tx, scan("notes")))).toHaveLength(20);
  await db.close();
});

test("a store that refuses is read in full again when its rebuilding was broken off", async () => {
  const left = await killedInPlace();
  refuse(1);
  vi.spyOn(fs, "renameSync").mockImplementation(() => {
    throw new Error("killed");
  });
  await expect(openDatabase(left)).rejects.toThrow("killed");
  vi.restoreAllMocks();
  const { db, report } = await openDatabase(left, { onUnwritable: () => undefined });
  expect(report.store.isFullCheck).toBe(true);
  expectAll(db);
  await db.close();
});

const testOnLinux = test.skipIf(process.platform !== "linux");

/** Files in the test's folder that this process has open. */
function openFiles(): string[] {
  return fs.readdirSync("/proc/self/fd").flatMap((fd) => {
    const file = fs.existsSync(`/proc/self/fd/${fd}`) ? fs.readlinkSync(`/proc/self/fd/${fd}`) : "";
    return file.startsWith(folder) ? [path.relative(folder, file)] : [];
  });
}

testOnLinux(
  "a new store that refuses its first write is rebuilt, and no file of the attempt stays open",
  async () => {
    refuse(1);
    const { db, report } = await openDatabase(path.join(folder, "new"));
    expect(report.isRebuilt).toBe(true);
    await db.close();
    expect(openFiles()).toEqual([]);
  },
);

testOnLinux("no file stays open when the log holds what is no commit", async () => {
  await (await openDatabase(folder)).db.close();
  const journal = Journal.open(path.join(folder, JOURNAL_FOLDER), 0, () => undefined);
  journal.append([Buffer.from("no commit")], 1);
  journal.syncNow();
  await journal.close();
  await expect(openDatabase(folder)).rejects.toThrow("out of range");
  expect(openFiles()).toEqual([]);
});

testOnLinux("a log that cannot be closed keeps neither the store open nor the folder", async () => {
  const fail = () => vi.spyOn(Journal.prototype, "close").mockRejectedValueOnce(new Error("EIO"));
  const ofStore = () => openFiles().filter((file) => /^store\/.*mdb$/.test(file));
  refuse(1);
  fail();
  await expect(openDatabase(folder)).rejects.toThrow("EIO");
  expect(ofStore()).toEqual([]);
  const { db } = await openDatabase(folder);
  fail();
  await expect(db.close()).rejects.toThrow("EIO");
  expect(ofStore()).toEqual([]);
  await (await openDatabase(folder)).db.close();
});

test("whoever runs the database is told once when the store takes no more writes", async () => {
  const told: string[] = [];
  const { db } = await openDatabase(path.join(folder, "running"), {
    onUnwritable: (error) => told.push(error.message),
  });
  refuse(1);
  await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
  await expect(db.drain()).rejects.toThrow("MDB_BAD_TXN");
  expect(told).toEqual(["MDB_BAD_TXN"]);
  await db.close();
});

test("a rebuilt file has the same entries and position, and nothing of a broken off attempt", async () => {
  const store = LmdbStore.open(folder);
  const writes = Array.from({ length: 12_345 }, (_, n) => ({
    key: `key ${String(n).padStart(6, "0")}`,
    value: Buffer.from(`value ${n}`),
  }));
  await store.apply(writes, 7);
  await store.close();
  fs.mkdirSync(path.join(folder, "rebuilt"));
  fs.writeFileSync(path.join(folder, "rebuilt", "data.mdb"), "half a file");

  await rebuildStore(folder);

  expect(fs.existsSync(path.join(folder, "rebuilt"))).toBe(false);
  const rebuilt = LmdbStore.open(folder);
  expect(rebuilt.position).toBe(7);
  const snapshot = rebuilt.snapshot();
  const cursor = snapshot.range("", "\xff", false);
  for (const { key, value } of writes) {
    const entry = cursor.next();
    expect(entry?.key).toBe(key);
    expect(entry?.value.equals(value)).toBe(true);
  }
  expect(cursor.next()).toBeNull();
  snapshot.release();
  await rebuilt.close();
});

test.skipIf(process.platform !== "linux")(
  "a rebuilt file is in its place on the disk before anything is written to it",
  async () => {
    const store = LmdbStore.open(folder);
    await store.apply([{ key: "a key", value: Buffer.from("a value") }], 1);
    await store.close();
    const synced: string[] = [];
    vi.spyOn(fs, "fsyncSync").mockImplementation((handle) => {
      const isInPlace = !fs.existsSync(path.join(folder, "rebuilt", "data.mdb"));
      synced.push(`${isInPlace ? "new" : "old"}: ${fs.readlinkSync(`/proc/self/fd/${handle}`)}`);
    });
    await rebuildStore(folder);
    expect(synced).toEqual([`new: ${fs.realpathSync(folder)}`]);
  },
);

test("an entry that is not as it was written is reported, and the old file stays", async () => {
  const store = LmdbStore.open(folder);
  await store.apply([{ key: "a key", value: Buffer.from("a value worth finding") }], 1);
  await store.close();
  const file = path.join(folder, "data.mdb");
  const bytes = fs.readFileSync(file);
  for (let at = bytes.indexOf("a value worth finding"); at !== -1;) {
    bytes[at] = 0x41;
    at = bytes.indexOf("a value worth finding", at + 1);
  }
  fs.writeFileSync(file, bytes);
  await expect(rebuildStore(folder)).rejects.toThrow(DamageError);
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
});

test("the checksum of a closed store is gone from the disk before anything is written to it", async () => {
  await (await openDatabase(folder)).db.close();
  const seal = path.join(folder, STORE_FOLDER, "seal");
  const sealed = () => JSON.parse(fs.readFileSync(seal, "utf8")) as { wholeFile: number | null };
  expect(sealed().wholeFile).not.toBeNull();
  const sync = vi.spyOn(fs, "fsyncSync");
  vi.spyOn(LmdbStore, "open").mockImplementationOnce(() => {
    throw new Error("killed");
  });
  await expect(openDatabase(folder)).rejects.toThrow("killed");
  expect(sealed().wholeFile).toBeNull();
  expect(sync).toHaveBeenCalledOnce();
});
