/** A store whose first start was broken off, or is refused, and one that looks like it and is not. */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { JournalNote } from "../../../embedded/storage/journalNote";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { checkStore, DATA_FILE, sealStore } from "../../../embedded/storage/storeCheck";
import { temporaryDir } from "../../support/temporaryDir";

async function usedStore(): Promise<string> {
  const folder = temporaryDir();
  const store = LmdbStore.open(folder);
  await store.apply([{ key: "a key", value: Buffer.from("a value") }], 1);
  await store.close();
  return folder;
}

/** A new file as LMDB leaves it when its process is killed before the first entry. */
async function beginning(): Promise<string> {
  const folder = temporaryDir();
  await LmdbStore.open(folder).close();
  return folder;
}

const BROKEN_OFF = [
  ["empty", (file: string) => fs.truncateSync(file)],
  ["half a page long", (file: string) => fs.truncateSync(file, 2048)],
  ["zeros, which a power cut leaves", (file: string) => fs.writeFileSync(file, Buffer.alloc(8192))],
  ["without an entry", () => undefined],
] as const;

test.each(BROKEN_OFF)(
  "a store whose file is %s, because its first start was broken off, is a new one",
  async (_, breakOff) => {
    const folder = await beginning();
    breakOff(path.join(folder, DATA_FILE));
    expect(await checkStore(folder)).toMatchObject({ entries: 0, position: 0 });
    const store = LmdbStore.open(folder);
    expect(store.position).toBe(0);
    await store.close();
  },
);

test.each(BROKEN_OFF)(
  "doctor leaves alone a store whose file is %s: a server may just be making it",
  async (_, breakOff) => {
    const folder = await beginning();
    const file = path.join(folder, DATA_FILE);
    breakOff(file);
    const left = fs.readFileSync(file);
    expect(await checkStore(folder, true)).toMatchObject({ entries: 0, position: 0 });
    expect(fs.readFileSync(file).equals(left)).toBe(true);
  },
);

test("a new store for which there is no room is refused before LMDB crashes on it, and leaves nothing", async () => {
  const folder = path.join(await beginning(), "store");
  const write = vi.spyOn(fs, "writeFileSync").mockImplementation((file) => {
    fs.closeSync(fs.openSync(String(file), "w"));
    throw new Error("ENOSPC: no space left on device, write");
  });
  onTestFinished(() => write.mockRestore());
  await expect(checkStore(folder)).rejects.toThrow("ENOSPC");
  expect(fs.readdirSync(folder)).toEqual([]);
});

test("a new store whose start was killed while it looked whether there is room is still a new one", async () => {
  const folder = temporaryDir();
  const removing = vi.spyOn(fs, "rmSync").mockImplementation(() => {
    throw new Error("killed");
  });
  await expect(checkStore(folder)).rejects.toThrow("killed");
  removing.mockRestore();
  expect(await checkStore(folder)).toMatchObject({ entries: 0, position: 0 });
  expect(fs.readdirSync(folder)).toEqual([]);
});

test.each(BROKEN_OFF.slice(0, 3))(
  "one that was in use is damage when it is %s, and stays as it is",
  async (how, breakOff) => {
    const sealed = await usedStore();
    sealStore(sealed, 1);
    const noted = await usedStore();
    new JournalNote(noted).close();
    // Without its file, and without a seal, a store is made from the log, which has a note of its own.
    for (const folder of how === "empty" ? [sealed] : [sealed, noted]) {
      const file = path.join(folder, DATA_FILE);
      breakOff(file);
      const left = fs.readFileSync(file);
      await expect(checkStore(folder)).rejects.toThrow(DamageError);
      expect(fs.readFileSync(file).equals(left)).toBe(true);
    }
  },
);
