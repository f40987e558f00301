/** An update that changes no value is a read: nobody conflicts with it, and no query runs again for it. */
import type { Value } from "convex/values";
import { expect, onTestFinished, test } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import type { Transaction } from "../../../embedded/db/types";
import { memoryDatabase, read, schema, table, mutate } from "./support";

const NOTES = schema(table("notes"));

/** Whether an update of a note with these fields is a change to whoever has read the note. */
async function isChange(
  fields: Record<string, Value>,
  update: (tx: Transaction, id: string) => unknown,
): Promise<boolean> {
  const db = await memoryDatabase(NOTES);
  onTestFinished(() => db.close());
  const id = await mutate(db, (tx) => tx.insertValue("notes", fields));
  const reader = db.beginMutation(Date.now());
  reader.get(id);
  reader.insertValue("notes", {});
  await mutate(db, (tx) => update(tx, id));
  try {
    await db.commit(reader).durable;
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(ConflictError);
    reader.close();
    return true;
  }
}

const bytes = (...list: number[]) => new Uint8Array(list).buffer;

test.each<[string, Record<string, Value>, Record<string, Value | undefined>]>([
  ["a number", { n: 1 }, { n: 1 }],
  ["not a number", { n: NaN }, { n: NaN }],
  ["cents", { n: 5n, m: 1 }, { n: 5n }],
  [
    "an object with its fields in another order",
    { o: { a: 1, b: [2n] } },
    { o: { b: [2n], a: 1 } },
  ],
  ["bytes", { b: bytes(1, 2) }, { b: bytes(1, 2) }],
  ["a field removed that is not there", { n: 1 }, { other: undefined }],
  ["nothing", { n: 1 }, {}],
])("a patch with the same value changes nothing: %s", async (_, fields, patch) => {
  expect(await isChange(fields, (tx, id) => tx.patchValue(id, patch))).toBe(false);
});

test.each<[string, Record<string, Value>, Record<string, Value | undefined>]>([
  ["a number", { n: 1 }, { n: 2 }],
  ["the other zero", { n: 0 }, { n: -0 }],
  ["cents instead of a float", { n: 5 }, { n: 5n }],
  ["an element", { o: { a: 1, b: [2n] } }, { o: { a: 1, b: [3n] } }],
  ["a byte", { b: bytes(1, 2) }, { b: bytes(1, 3) }],
  ["a field removed", { n: 1, other: 1 }, { other: undefined }],
  ["one field for another of its length", { a: 1 }, { a: undefined, b: 1 }],
  [
    "a field with the name of what every object inherits",
    { konstruktor: {} },
    { konstruktor: undefined, constructor: {} },
  ],
])("a patch with another value is a change: %s", async (_, fields, patch) => {
  expect(await isChange(fields, (tx, id) => tx.patchValue(id, patch))).toBe(true);
});

test("a replacement by the same fields changes nothing, one without a field is a change", async () => {
  expect(await isChange({ a: 1, b: 2 }, (tx, id) => tx.replaceValue(id, { b: 2, a: 1 }))).toBe(
    false,
  );
  expect(await isChange({ a: 1, b: 2 }, (tx, id) => tx.replaceValue(id, { a: 1 }))).toBe(true);
});

test("a value that a mutation changes and changes back is what later reads find", async () => {
  const db = await memoryDatabase(NOTES);
  onTestFinished(() => db.close());
  const id = await mutate(db, (tx) => tx.insertValue("notes", { n: 1 }));
  await mutate(db, (tx) => {
    tx.patchValue(id, { n: 2 });
    tx.patchValue(id, { n: 2 });
    tx.patchValue(id, { n: 1 });
  });
  expect(read(db, (tx) => tx.get(id)!.value())).toMatchObject({ n: 1 });
});
