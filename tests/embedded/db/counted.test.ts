/** What a transaction reads and writes counts towards its limits. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { DOCUMENTS_WRITTEN_MAX, INDEX_RANGES_READ_MAX } from "../../../embedded/db/limits";
import type { Transaction } from "../../../embedded/db/types";
import { memoryDatabase, range, schema, table } from "./support";

let db: EmbeddedDatabase;
let tx: Transaction;
beforeEach(async () => {
  db = await memoryDatabase(schema(table("rows", { by_n: ["n"] })));
  tx = db.beginMutation(Date.now());
});
afterEach(async () => {
  tx.close();
  await db.close();
});

const repeat = (times: number, step: () => unknown) => {
  for (let n = 0; n < times; n++) step();
};
const byNumber = { tableName: "rows", indexName: "by_n", bounds: [], isReverse: false };

test.each<[string, (id: string) => unknown]>([
  ["a document by its id", (id) => tx.get(id)],
  ["a stream", () => tx.openStream(range("rows.by_n"))],
  ["a range at once", () => tx.openRange(byNumber)(1)],
])("each look at %s", async (_what, look) => {
  const id = tx.insertValue("rows", { n: 1 });
  await db.commit(tx).durable;
  for (const isApplied of [false, true]) {
    if (isApplied) await db.drain();
    tx.close();
    tx = db.beginMutation(Date.now());
    repeat(INDEX_RANGES_READ_MAX, () => look(id));
    expect(() => look(id)).toThrow("Too many reads");
  }
});

test("each write, and its bytes", () => {
  repeat(DOCUMENTS_WRITTEN_MAX, () => tx.insertValue("rows", {}));
  expect(() => tx.insertValue("rows", {})).toThrow("Too many writes");
  tx.close();
  tx = db.beginMutation(Date.now());
  const text = "x".repeat(1_000_000);
  // 16 MiB are 16,777,216 bytes.
  repeat(16, () => tx.insertValue("rows", { text }));
  expect(() => tx.insertValue("rows", { text })).toThrow("Too many bytes written");
});
