/** An apply interrupted by a kill between two batches is completed by the next start. */
import { beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../../embedded/db/openDatabase";
import type { Transaction } from "../../../embedded/db/types";
import { expectedOf, storedIn } from "./storeContents";
import { collect, mutate, range, read, scan, schema, table } from "./support";
import { temporaryDir } from "../../support/temporaryDir";

const NOTES = schema(table("notes", { by_text: ["text"] }));
const textsBy = (query: Parameters<typeof collect>[1]) => (tx: Transaction) =>
  collect(tx, query).map(({ text }) => text);

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

type Step = (tx: Transaction, oldId: string, newId: string) => void;
const patch =
  (text: string): Step =>
  (tx, id) =>
    tx.patch(id, { text });
const insert: Step = (tx) => tx.insert("notes", { text: "n" });

/** What is being applied to the store, and what clients do meanwhile. */
const CASES: readonly (readonly [name: string, first: Step, meanwhile: Step])[] = [
  ["changed, changed again", patch("b"), patch("c")],
  ["changed, changed back", patch("b"), patch("a")],
  ["changed, removed", patch("b"), (tx, id) => tx.remove(id)],
  ["inserted, removed", insert, (tx, _, newId) => tx.remove(newId)],
  ["inserted, changed", insert, (tx, _, newId) => tx.patch(newId, { text: "m" })],
];

const KILLED_BEHIND = [1, 2] as const;

test.each(
  CASES.flatMap(([name, ...steps]) =>
    KILLED_BEHIND.map(
      (batches) => [`${name}, behind batch ${batches}`, ...steps, batches] as const,
    ),
  ),
)(
  "a document is in every index as it is, though the store was killed while it was %s",
  async (_name, first, meanwhile, batches) => {
    const { db } = await openDatabase(folder);
    await db.applySchema(NOTES);
    const oldId = await mutate(db, (tx) => tx.insert("notes", { text: "a" }));
    await db.drain();
    const firstId = await mutate(db, (tx) => first(tx, oldId, "") as unknown);
    const apply = db.store.apply.bind(db.store);
    let count = 0;
    vi.spyOn(db.store, "apply").mockImplementation(async (writes, position) => {
      count += 1;
      if (count <= batches) return apply(writes, position);
      if (count === batches + 1) await mutate(db, (tx) => meanwhile(tx, oldId, String(firstId)));
      throw new Error("killed");
    });
    await expect(db.drain()).rejects.toThrow("killed");
    await db.close();

    const { db: again } = await openDatabase(folder);
    await again.applySchema(NOTES);
    await again.drain();
    expect(storedIn(again)).toEqual(expectedOf(again));
    const byText = read(again, textsBy(range("notes.by_text")));
    expect(byText).toEqual(read(again, textsBy(scan("notes"))).sort());
    await again.close();
  },
);

test("commits of more than one batch are all there, though the store was killed between two batches", async () => {
  const { db } = await openDatabase(folder);
  await db.applySchema(NOTES);
  await db.drain();
  // Nothing is applied before the next turn of the event loop.
  for (let commits = 0; commits < 5; commits++) {
    const tx = db.beginMutation(0);
    for (let count = 0; count < 8_000; count++) tx.insert("notes", { text: "a" });
    db.commit(tx);
  }
  const { position: before } = db.store;
  const apply = db.store.apply.bind(db.store);
  vi.spyOn(db.store, "apply").mockImplementation(async (writes, position) => {
    if (db.store.position > before) throw new Error("killed");
    return apply(writes, position);
  });
  await expect(db.drain()).rejects.toThrow("killed");
  await db.close();

  const { db: again } = await openDatabase(folder);
  await again.applySchema(NOTES);
  await again.drain();
  again.emptyCache();
  expect(read(again, (tx) => tx.count("notes"))).toBe(40_000);
  await again.close();
});

test("an index that was dropped halfway is never taken for a whole one", async () => {
  const { db } = await openDatabase(folder);
  await db.applySchema(NOTES);
  const tx = db.beginMutation(0);
  for (let n = 0; n < 1_500; n++) tx.insert("notes", { text: `${n}` });
  await db.commit(tx).durable;
  await db.drain();
  const apply = db.store.apply.bind(db.store);
  let count = 0;
  vi.spyOn(db.store, "apply").mockImplementation(async (writes, position) => {
    count += 1;
    if (count === 3) throw new Error("killed");
    return apply(writes, position);
  });
  await expect(db.applySchema(schema(table("notes")))).rejects.toThrow("killed");
  await db.close();

  const { db: again } = await openDatabase(folder);
  await again.applySchema(NOTES);
  expect(read(again, textsBy(range("notes.by_text")))).toHaveLength(1_500);
  await again.close();
});

test("an index that takes the place of one built halfway has only its own entries", async () => {
  const { db } = await openDatabase(folder);
  await db.applySchema(schema(table("notes")));
  const tx = db.beginMutation(0);
  for (let n = 0; n < 1_500; n++) tx.insert("notes", { text: `${n}`, rank: n });
  await db.commit(tx).durable;
  await db.drain();
  const apply = db.store.apply.bind(db.store);
  vi.spyOn(db.store, "apply").mockImplementation(async (writes, position) => {
    await apply(writes, position);
    if ([...writes].length === 1_000) throw new Error("killed");
  });
  await expect(db.applySchema(NOTES)).rejects.toThrow("killed");
  await db.close();

  const { db: again } = await openDatabase(folder);
  await again.applySchema(schema(table("notes", { by_rank: ["rank"] })));
  expect(read(again, (tx) => collect(tx, range("notes.by_rank")))).toHaveLength(1_500);
  await again.close();
});
