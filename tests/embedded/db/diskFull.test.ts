import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadOnlyError } from "../../../embedded/db/errors";
import { openDatabase, openOn } from "../../../embedded/db/openDatabase";
import { NoLog } from "../../../embedded/storage/commitLog";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import type { StoreWrite } from "../../../embedded/storage/orderedStore";
import { collect, mutate, range, read, scan, schema, table } from "./support";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "full-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

function noSpace(): never {
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

const countNotes = (db: Parameters<typeof read>[0]) =>
  read(db, (tx) => collect(tx, scan("notes"))).map((doc) => doc.n);

test("a log that cannot be written acknowledges nothing, is read on, and loses nothing", async () => {
  const journal = { firstSegmentBytes: 65_536, segmentBytes: 65_536 };
  const { db } = await openDatabase(folder, { journal });
  await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));

  const write = vi.spyOn(fs, "writeSync").mockImplementation(noSpace);
  const together = [2, 3, 4].map((n) => mutate(db, (tx) => tx.insertValue("notes", { n })));
  const outcomes = await Promise.allSettled(together);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(db.isReadOnly).toBe(
    "The log cannot be written (ENOSPC: no space left on device, write); nothing more is accepted.",
  );
  await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 5 }))).rejects.toThrow(
    ReadOnlyError,
  );
  expect(countNotes(db)).toEqual([1]);
  write.mockRestore();
  // Space alone does not bring it back: only a restart knows what is on the disk.
  await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 6 }))).rejects.toThrow(
    ReadOnlyError,
  );
  await db.close();

  const again = (await openDatabase(folder, { journal })).db;
  expect(again.isReadOnly).toBeNull();
  expect(countNotes(again)).toEqual([1]);
  await mutate(again, (tx) => tx.insertValue("notes", { n: 7 }));
  await again.close();
});

test("a sync that fails acknowledges nothing of its group", async () => {
  const { db } = await openDatabase(folder);
  await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
  vi.spyOn(fs, "fdatasyncSync").mockImplementation(noSpace);
  await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 2 }))).rejects.toThrow("ENOSPC");
  expect(countNotes(db)).toEqual([1]);
  await db.close();
});

class FullStore extends MemoryStore {
  isFull = false;
  override async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    if (this.isFull) noSpace();
    await super.apply(writes, position);
  }
}

test("a store that cannot be written stops the database and keeps every answer readable", async () => {
  const store = new FullStore();
  const db = await openOn(store, new NoLog(), {}, async () => undefined);
  await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
  await db.drain();
  store.isFull = true;
  await mutate(db, (tx) => tx.insertValue("notes", { n: 2 }));
  await expect(db.drain()).rejects.toThrow(/The store cannot be written \(ENOSPC/);
  await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 3 }))).rejects.toThrow(
    ReadOnlyError,
  );
  expect(countNotes(db)).toEqual([1, 2]);
  await db.close();
});

test("entries that are in the store without their documents hide nothing, with a full disk and with space", async () => {
  const notes = schema(table("notes", { by_text: ["text"] }));
  // Longer than a key of the store: only the document has all of it.
  const textOf = (n: number) => `${"x".repeat(3000)}${n}`;
  const insert = (n: number) => mutate(db, (tx) => tx.insertValue("notes", { text: textOf(n), n }));
  let { db } = await openDatabase(folder);
  const numbers = () => read(db, (tx) => collect(tx, range("notes.by_text"))).map((doc) => doc.n);
  await db.applySchema(notes);
  for (let n = 0; n < 5; n++) await insert(n);
  await db.drain();
  for (let n = 5; n < 9; n++) await insert(n);
  const batch = Object.getOwnPropertyDescriptor(LmdbStore.prototype, "apply")!
    .value as LmdbStore["apply"];
  const apply = vi.spyOn(LmdbStore.prototype, "apply").mockImplementation(noSpace);
  // As versions before this one could be broken off, which put entries first and documents behind them.
  apply.mockImplementationOnce(async function (this: LmdbStore, writes) {
    const entries = [...writes].filter(({ value }) => value?.includes("{") !== true);
    await batch.call(this, entries, this.position);
    return noSpace();
  });
  await expect(db.drain()).rejects.toThrow("ENOSPC");
  await db.close();

  ({ db } = await openDatabase(folder));
  expect(db.isReadOnly).toContain("ENOSPC");
  expect(numbers()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  await db.close();
  apply.mockRestore();

  ({ db } = await openDatabase(folder));
  await db.applySchema(notes);
  expect(numbers()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  await insert(9);
  await db.close();
});
