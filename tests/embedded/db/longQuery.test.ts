/** A query that reads everything sees one state and keeps no newer versions in memory. */
import fs from "node:fs";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { openDatabase } from "../../../embedded/db/openDatabase";
import type { Transaction } from "../../../embedded/db/types";
import { collect, mutate, range, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

const NOTES = schema(table("notes", { by_n: ["n"] }));
const COUNT = 30;

let db: EmbeddedDatabase;
let ids: string[] = [];
beforeEach(async () => {
  ({ db } = await openDatabase(temporaryDir()));
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await db.close();
  });
  await db.applySchema(NOTES);
  ids = [];
  for (let n = 0; n < COUNT; n++) ids.push(await insert(n));
});

const insert = (n: number) => mutate(db, (tx) => tx.insertValue("notes", { n }));

const all = (tx: Transaction) => ({
  byAge: collect(tx, scan("notes")),
  byNumber: collect(tx, range("notes.by_n")),
  backwards: collect(tx, range("notes.by_n", [], "desc")),
  one: ids.map((id) => tx.get(id)?.value() ?? null),
});

/** Changes every document, applies everything, and empties the cache. */
async function overwrite(round: number): Promise<string[]> {
  const written = [];
  for (const [at, id] of ids.entries()) {
    if (at % 3 === round) await mutate(db, (tx) => tx.remove(id));
    else if (read(db, (tx) => tx.get(id)) !== null) {
      await mutate(db, (tx) => tx.patch(id, { n: COUNT - at + round }));
    }
    written.push(await insert(at + round * COUNT));
  }
  await db.drain();
  db.emptyCache();
  return written;
}

test("it sees the commits of its beginning, those that the store lacks included, and none later", async () => {
  const before = read(db, all);
  const tx = await db.beginLongQuery();
  expect(all(tx)).toEqual(before);
  await overwrite(0);
  const newest = read(db, all);
  db.emptyCache();
  expect(all(tx)).toEqual(before);
  // Other readers see and cache newer versions.
  expect(read(db, all)).toEqual(newest);
  for (const id of ids.slice(1)) {
    if (read(db, (newer) => newer.get(id)) === null) continue;
    await mutate(db, (newer) => newer.patch(id, { n: -1 }));
    await mutate(db, (newer) => newer.patch(id, { n: -2 }));
  }
  expect(all(tx)).toEqual(before);
  await overwrite(1);
  expect(all(tx)).toEqual(before);
  tx.close();
});

test("what is written meanwhile stays in memory until it is in the store, and no longer", async () => {
  const usual = db.beginQuery();
  expect((await overwrite(0)).filter((id) => db.versions.knows(id))).toHaveLength(COUNT);
  usual.close();
  const long = await db.beginLongQuery();
  expect((await overwrite(1)).filter((id) => db.versions.knows(id))).toEqual([]);
  long.close();
});

test("a database that takes no more is read as it is", async () => {
  const before = read(db, all);
  vi.spyOn(fs, "writeSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  });
  await expect(insert(COUNT)).rejects.toThrow("ENOSPC");
  const tx = await db.beginLongQuery();
  expect(all(tx)).toEqual(before);
  tx.close();
});
