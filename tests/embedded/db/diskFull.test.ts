import fs from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadOnlyError, UnknownOutcomeError } from "../../../embedded/db/errors";
import { openDatabase, openOn } from "../../../embedded/db/openDatabase";
import { NoLog } from "../../../embedded/storage/commitLog";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import type { StoreWrite } from "../../../embedded/storage/orderedStore";
import { collect, mutate, range, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});
afterEach(() => void vi.restoreAllMocks());

function noSpace(): never {
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

const brokenDisk = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

function broken(): never {
  throw brokenDisk();
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
  // None of it will ever be found in the log, so the caller may be told that it failed.
  expect(db.unknownOutcome).toBeNull();
  expect(db.isReadOnly).toBe(
    "The log cannot be written (ENOSPC: no space left on device, write); nothing more is accepted.",
  );
  await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 5 }))).rejects.toThrow(
    ReadOnlyError,
  );
  expect(countNotes(db)).toEqual([1]);
  write.mockRestore();
  // Free space alone does not help: only a restart finds out what is on the disk.
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

test("a log whose next segment finds no room refuses for good what did not fit", async () => {
  const journal = { firstSegmentBytes: 4096, segmentBytes: 4096 };
  const { db } = await openDatabase(folder, { journal });
  await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
  vi.spyOn(fs, "fsyncSync").mockImplementation(noSpace);
  const large = mutate(db, (tx) => tx.insertValue("notes", { n: 2, text: "x".repeat(5000) }));
  await expect(large).rejects.toThrow("ENOSPC");
  expect(db.unknownOutcome).toBeNull();
  vi.restoreAllMocks();
  await db.close();
  const again = (await openDatabase(folder, { journal })).db;
  expect(countNotes(again)).toEqual([1]);
  await again.close();
});

/** Ways in which the log can fail after some or all of a group was written. */
const HALF_TAKEN = {
  "a sync of one commit": () => vi.spyOn(fs, "fdatasyncSync").mockImplementation(broken),
  "a sync of several commits": () =>
    vi
      .spyOn(fs, "fdatasync")
      .mockImplementation(
        (_handle: number, done: (e: Error) => void) => void setImmediate(() => done(brokenDisk())),
      ),
  "a write that is broken off": () => {
    const write = fs.writeSync.bind(fs) as (...args: unknown[]) => number;
    vi.spyOn(fs, "writeSync")
      .mockImplementationOnce(((
        handle: number,
        bytes: Buffer,
        from: number,
        _: number,
        at: number,
      ) => write(handle, bytes, from, 20, at)) as typeof fs.writeSync)
      .mockImplementation(noSpace);
  },
  "a write that fails otherwise than for want of space": () =>
    vi.spyOn(fs, "writeSync").mockImplementation(broken),
};

test.each(
  Object.entries(HALF_TAKEN).map(([what, fail]) => ({
    what,
    fail,
    commits: /one/.test(what) ? 1 : 2,
  })),
)(
  "$what that fails leaves open what was done, which whoever runs the database hears first",
  async ({ fail, commits }) => {
    const heard: string[] = [];
    const { db } = await openDatabase(folder, {
      onUnknownOutcome: () => heard.push("whoever runs it"),
    });
    await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
    fail();
    const group = [2, 3]
      .slice(0, commits)
      .map((n) => mutate(db, (tx) => tx.insertValue("notes", { n })));
    for (const commit of group) void commit.catch(() => heard.push("a caller"));
    const outcomes = await Promise.allSettled(group);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: expect.any(UnknownOutcomeError) as unknown });
    }
    expect(heard).toEqual(["whoever runs it", ...group.map(() => "a caller")]);
    // It may be a resend of the same request.
    await expect(mutate(db, (tx) => tx.insertValue("notes", { n: 4 }))).rejects.toThrow(
      UnknownOutcomeError,
    );
    expect(countNotes(db)).toEqual([1]);
    vi.restoreAllMocks();
    await db.close();
    const again = (await openDatabase(folder)).db;
    expect(again.unknownOutcome).toBeNull();
    expect([1, 1 + commits]).toContain(countNotes(again).length);
    await again.close();
  },
);

class FullStore extends MemoryStore {
  isFull = false;
  override async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    if (this.isFull) noSpace();
    await super.apply(writes, position);
  }
}

test("a store that cannot be written stops the database and keeps every answer readable", async () => {
  const store = new FullStore();
  const db = await openOn(store, new NoLog(), {});
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
  // Longer than the store's limit for keys: only the document contains all of it.
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
  // As earlier versions could be interrupted: they wrote index entries first and documents after them.
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
