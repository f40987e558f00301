import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadOnlyError } from "../../../embedded/db/errors";
import { openDatabase, openOn } from "../../../embedded/db/openDatabase";
import { NoLog } from "../../../embedded/storage/commitLog";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import type { StoreWrite } from "../../../embedded/storage/orderedStore";
import { collect, mutate, read, scan } from "./support";

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
