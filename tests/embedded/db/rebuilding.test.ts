/** What becomes of a damaged store that is rebuilt from its log (`npm run recover`). */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rebuildFromLog } from "../../../embedded/db/backup";
import { openDatabase } from "../../../embedded/db/openDatabase";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { mutate, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

const NO_SPACE = "ENOSPC: no space left on device, write";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = temporaryDir();
  file = path.join(folder, "store", "data.mdb");
  const { db } = await openDatabase(folder);
  await db.applySchema(schema(table("notes")));
  for (let n = 0; n < 10; n++) await mutate(db, (tx) => tx.insertValue("notes", { n }));
  await db.close();
});
afterEach(() => void vi.restoreAllMocks());

function damage(byte: number): Buffer {
  const damaged = Buffer.alloc(8192, byte);
  fs.writeFileSync(file, damaged);
  return damaged;
}

const contents = () => fs.readdirSync(folder).sort();

test("it is back in its place when the new one does not take the log", async () => {
  const damaged = damage(1);
  const apply = Object.getOwnPropertyDescriptor(LmdbStore.prototype, "apply")!
    .value as LmdbStore["apply"];
  // The new store's secret still has room.
  vi.spyOn(LmdbStore.prototype, "apply")
    .mockRejectedValue(new Error(NO_SPACE))
    .mockImplementationOnce(apply);
  await expect(rebuildFromLog(folder)).rejects.toThrow(NO_SPACE);
  expect(contents()).toEqual(["journal", "store"]);
  expect(fs.readFileSync(file)).toEqual(damaged);
  vi.restoreAllMocks();
  expect(await rebuildFromLog(folder)).toMatchObject({ commits: 10 });
});

test("nobody else gets the folder before it is rebuilt, or back in its place", async () => {
  const { rmSync } = fs;
  const found: string[][] = [];
  vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
    if (path === `${folder}/lock`)
      found.push(contents().filter((name) => name.startsWith("store")));
    rmSync(path, options);
  });
  damage(1);
  await rebuildFromLog(folder);
  damage(2);
  vi.spyOn(LmdbStore.prototype, "apply").mockRejectedValue(new Error(NO_SPACE));
  await expect(rebuildFromLog(folder)).rejects.toThrow(NO_SPACE);
  const both = ["store", "store.damaged-1"];
  expect(found).toEqual([both, both]);
});

test("it is kept, and so is that of an earlier time", async () => {
  for (const number of [1, 2]) {
    const damaged = damage(number);
    const { aside } = await rebuildFromLog(folder);
    expect(aside).toBe(`${path.join(folder, "store")}.damaged-${number}`);
    expect(fs.readFileSync(path.join(aside!, "data.mdb"))).toEqual(damaged);
  }
  expect(contents()).toEqual(["journal", "store", "store.damaged-1", "store.damaged-2"]);
});

test("one that is sound and lacks commits stays as it is when it does not take them", async () => {
  const { db } = await openDatabase(folder);
  const earlier = path.join(folder, "earlier");
  fs.cpSync(path.join(folder, "store"), earlier, { recursive: true });
  await mutate(db, (tx) => tx.insertValue("notes", { n: 10 }));
  await db.close();
  fs.rmSync(path.join(folder, "store"), { recursive: true });
  fs.renameSync(earlier, path.join(folder, "store"));
  vi.spyOn(LmdbStore.prototype, "apply").mockRejectedValue(new Error(NO_SPACE));
  await expect(rebuildFromLog(folder)).rejects.toThrow(NO_SPACE);
  vi.restoreAllMocks();
  expect(await rebuildFromLog(folder)).toEqual({ commits: 1, aside: null });
});

test("it may be gone altogether", async () => {
  fs.rmSync(path.join(folder, "store"), { recursive: true });
  expect(await rebuildFromLog(folder)).toEqual({ commits: 10, aside: null });
});

test("it stays in its place when the log is empty", async () => {
  const damaged = damage(1);
  fs.rmSync(path.join(folder, "journal"), { recursive: true });
  fs.mkdirSync(path.join(folder, "journal"));
  await expect(rebuildFromLog(folder)).rejects.toThrow(
    /There is no log in .*journal, but \d+ was acknowledged/,
  );
  expect(fs.readFileSync(file)).toEqual(damaged);
});
