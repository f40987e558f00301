/** Importing documents with their own ids and creation times. */
import { expect, test } from "vitest";
import { newId } from "../../../embedded/db/ids";
import { adoptTables, insertDocuments } from "../../../embedded/db/tableArchive";
import { usedHeapBytes } from "../../support/heap";
import { collect, memoryDatabase, mutate, range, read, schema, table } from "./support";

const TABLE_NUMBER = 10_001;
const DOCUMENTS = 10_000;

test("a document that was imported takes its text in memory, not its values as well", async () => {
  const db = await memoryDatabase(schema());
  adoptTables(db, new Map([["points", TABLE_NUMBER]]));
  const document = (n: number) => ({
    _id: newId(TABLE_NUMBER),
    _creationTime: n + 1,
    ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`name${at}`, { of: [n, at] }])),
  });
  const before = usedHeapBytes();
  for (let n = 0; n < DOCUMENTS; n += 1_000) {
    const documents = Array.from({ length: 1_000 }, (_, at) => document(n + at));
    await insertDocuments(db, "points", documents);
  }
  expect((usedHeapBytes() - before) / DOCUMENTS).toBeLessThan(4_000);
  await db.close();
});

test("a document that is removed, and imported again before the store knows, has the entries of its new version", async () => {
  const db = await memoryDatabase(schema(table("rows", { by_rank: ["rank"] })));
  await mutate(db, (tx) => tx.insertValue("rows", { rank: 0 }));
  const _id = newId(db.catalog.table("rows")!.number);
  const importOne = (rank: number) => {
    return insertDocuments(db, "rows", [{ _id, _creationTime: 1, rank }]);
  };
  await importOne(1);
  await db.drain();
  await mutate(db, (tx) => tx.remove(_id));
  await importOne(2);
  await db.drain();
  db.emptyCache();
  const found = [1, 2].map((rank) =>
    read(db, (tx) => collect(tx, range("rows.by_rank", [["Eq", "rank", rank]]))),
  );
  expect(found).toEqual([[], [{ _id, _creationTime: 1, rank: 2 }]]);
  await db.close();
});

test("whoever waits for all commits so far waits for imported documents, too", async () => {
  const db = await memoryDatabase(schema(table("rows")));
  await mutate(db, (tx) => tx.insertValue("rows", { rank: 0 }));
  const _id = newId(db.catalog.table("rows")!.number);
  const inserted = insertDocuments(db, "rows", [{ _id, _creationTime: 1 }]);
  await db.durableSoFar();
  expect(db.durableTs).toBe(db.latestTs);
  await inserted;
  await db.close();
});
