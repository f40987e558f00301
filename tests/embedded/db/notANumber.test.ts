/** NaN has many bit patterns, but is one value: 0/0 has other bits than the literal, and clients send any. */
import type { JSONValue } from "convex/values";
import { expect, test } from "vitest";
import { collect, memoryDatabase, mutate, range, read, schema, table } from "./support";

const ofBits = (hex: string): JSONValue => ({
  $float: Buffer.from(hex, "hex").reverse().toString("base64"),
});
const QUIET = ofBits("7ff8000000000000");
const NEGATIVE = ofBits("fff8000000000000");
const WITH_PAYLOAD = ofBits("7ff8000000000001");

test.each([
  [QUIET, NEGATIVE],
  [NEGATIVE, WITH_PAYLOAD],
  [WITH_PAYLOAD, QUIET],
])("a NaN replaced by another leaves no index entry behind", async (first, second) => {
  const db = await memoryDatabase(schema(table("rows", { by_n: ["n"] })));
  const store = async () => {
    await db.drain();
    db.emptyCache();
  };
  const id = await mutate(db, (tx) => tx.insert("rows", { n: first }));
  await store();
  await mutate(db, (tx) => tx.patch(id, { n: second }));
  await store();
  for (const bits of [QUIET, NEGATIVE, WITH_PAYLOAD]) {
    const found = read(db, (tx) => collect(tx, range("rows.by_n", [["Eq", "n", bits]])));
    expect(found).toHaveLength(1);
  }
  expect(read(db, (tx) => tx.get(id)!.json)).toContain(JSON.stringify(QUIET));
  await mutate(db, (tx) => tx.remove(id));
  await store();
  expect(read(db, (tx) => collect(tx, range("rows.by_n")))).toEqual([]);
  await db.close();
});
