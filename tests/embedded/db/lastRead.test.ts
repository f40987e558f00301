/** The last row that a read in falling order has seen is its bound, and part of what it has read. */
import { expect, test } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { ConflictError } from "../../../embedded/db/errors";
import { SubscriptionIndex } from "../../../embedded/db/subscriptions";
import type { DurableCommit, Transaction } from "../../../embedded/db/types";
import { memoryDatabase, mutate, range, schema, table } from "./support";

const NOTES = schema(table("notes", { by_n: ["n"] }));

/** A database with three notes, and the id of the newest. */
async function threeNotes(): Promise<{ db: EmbeddedDatabase; newest: string }> {
  const db = await memoryDatabase(NOTES);
  let newest = "";
  for (const n of [1, 2, 3]) {
    newest = await mutate(db, (tx) => tx.insertValue("notes", { n, text: "" }));
  }
  return { db, newest };
}

/** Reads the note with the highest number. */
const readFirst = (tx: Transaction) =>
  tx
    .openStream(range("notes.by_n", [], "desc"))
    .next()
    ?.value();

/** Keeps its place in the index. */
const change = (db: EmbeddedDatabase, id: string) =>
  mutate(db, (tx) => tx.patch(id, { text: "new" }));

test("a mutation that has read it runs again when another one has changed it", async () => {
  const { db, newest } = await threeNotes();
  const tx = db.beginMutation(Date.now());
  expect(readFirst(tx)).toMatchObject({ n: 3, text: "" });
  await change(db, newest);
  tx.insertValue("notes", { n: 0 });
  expect(() => db.commit(tx)).toThrow(ConflictError);
  tx.close();
});

test("an open query that has read it is told, also of a change while it ran", async () => {
  const { db, newest } = await threeNotes();
  const index = new SubscriptionIndex<string>();
  const told: string[] = [];
  db.onDurable((commits: readonly DurableCommit[]) => told.push(...index.onCommits(commits)));
  const tx = db.beginQuery();
  readFirst(tx);
  const { readSet, beginTs } = tx;
  tx.close();
  expect(index.add(readSet, beginTs, "open")).not.toBeNull();
  await change(db, newest);
  expect(told).toEqual(["open"]);
  expect(index.add(readSet, beginTs, "late")).toBeNull();
});
