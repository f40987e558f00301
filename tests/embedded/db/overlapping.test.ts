/** Transactions that overlap: what each sees, what it conflicts with, and when its outcome may be told. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { ConflictError } from "../../../embedded/db/errors";
import { SubscriptionIndex } from "../../../embedded/db/subscriptions";
import type { Transaction } from "../../../embedded/db/types";
import { collect, memoryDatabase, mutate, range, read, scan, schema, table } from "./support";

let db: EmbeddedDatabase;
beforeEach(async () => {
  db = await memoryDatabase(schema(table("notes", { by_n: ["n"] }), table("log")));
});
afterEach(() => db.close());

const insert = (n: number) => mutate(db, (tx) => tx.insertValue("notes", { n }));
const numbers = (tx: Transaction) => collect(tx, range("notes.by_n")).map((doc) => doc.n);

describe("an open query", () => {
  test("sees its own state, however often what it reads is written before the store has it", async () => {
    const id = await insert(1);
    const early = db.beginQuery();
    for (const n of [2, 3, 4]) {
      await mutate(db, (tx) => tx.patchValue(id, { n }));
      expect(read(db, numbers)).toEqual([n]);
    }
    expect(early.get(id)?.value().n).toBe(1);
    expect(numbers(early)).toEqual([1]);
    early.close();
  });

  test("is told of a change of the last document that it read in falling order, also while it runs", async () => {
    const id = await insert(1);
    const index = new SubscriptionIndex<string>();
    const told: string[] = [];
    const stop = db.onDurable((commits) => told.push(...index.onCommits(commits)));
    const { readSet, beginTs } = read(db, (tx) => {
      tx.openStream(range("notes.by_n", [], "desc")).next();
      return tx;
    });
    index.add(readSet, beginTs, "open");
    await mutate(db, (tx) => tx.patchValue(id, { text: "" }));
    expect(told).toEqual(["open"]);
    expect(index.add(readSet, beginTs, "still running")).toBeNull();
    stop();
  });
});

describe("an open mutation", () => {
  test("sees in a stream what it writes ahead of it, and not what it removes there", async () => {
    const ids = [await insert(1), await insert(3), await insert(5)];
    await mutate(db, (tx) => {
      const stream = tx.openStream(range("notes.by_n"));
      expect(stream.next()?.value().n).toBe(1);
      tx.insertValue("notes", { n: 2 });
      tx.remove(ids[1]!);
      tx.insertValue("notes", { n: 0 });
      expect([stream.next()?.value().n, stream.next()?.value().n]).toEqual([2, 5]);
      expect(stream.next()).toBeNull();
    });
  });

  /** Ends a mutation that looked with `look` after another one committed `write`. */
  async function endAfter(
    look: (tx: Transaction) => unknown,
    write: (tx: Transaction) => unknown,
  ): Promise<void> {
    const open = db.beginMutation(Date.now());
    look(open);
    open.insertValue("log", {});
    await mutate(db, write);
    try {
      await db.commit(open).durable;
    } finally {
      open.close();
    }
  }

  test("conflicts with an insert into a table that it counted", async () => {
    await insert(1);
    const ended = endAfter(
      (tx) => tx.count("notes"),
      (tx) => tx.insertValue("notes", { n: 2 }),
    );
    await expect(ended).rejects.toThrow(ConflictError);
  });

  const byNumber = { tableName: "notes", indexName: "by_n", bounds: [] };
  test.each<[string, (tx: Transaction, order: "asc" | "desc") => unknown]>([
    ["in a stream", (tx, order) => tx.openStream(range("notes.by_n", [], order)).next()],
    ["at once", (tx, order) => tx.openRange({ ...byNumber, isReverse: order === "desc" })(1)],
  ])("conflicts with a change of the one document that it read %s", async (_how, look) => {
    const [first, last] = [await insert(1), await insert(2)];
    for (const [order, id, other] of [
      ["asc", first, last],
      ["desc", last, first],
    ] as const) {
      await db.drain();
      // Its place in the index stays the same.
      const ended = endAfter(
        (tx) => look(tx, order),
        (tx) => tx.patchValue(id, { text: order }),
      );
      await expect(ended, order).rejects.toThrow(ConflictError);
      await db.drain();
      await endAfter(
        (tx) => look(tx, order),
        (tx) => tx.patchValue(other, { text: order }),
      );
    }
  });

  const nowhere = {
    tableName: "later",
    indexName: "by_creation_time",
    bounds: [],
    isReverse: false,
  };
  test.each<[string, (tx: Transaction) => unknown]>([
    ["read in a stream", (tx) => collect(tx, scan("later"))],
    ["read at once", (tx) => tx.openRange(nowhere)(1)],
    ["took for empty", (tx) => tx.assumeRead(nowhere)],
  ])("conflicts with the first document of a table that it %s", async (_how, look) => {
    const ended = endAfter(look, (tx) => tx.insertValue("later", {}));
    await expect(ended).rejects.toThrow(ConflictError);
  });

  test("conflicts with a commit after its begin, whoever else began and ended meanwhile", async () => {
    const id = await insert(1);
    const open = db.beginMutation(Date.now());
    open.patchValue(id, { n: 2 });
    await mutate(db, (tx) => tx.patchValue(id, { n: 3 }));
    db.beginMutation(Date.now()).close();
    expect(() => db.commit(open)).toThrow(ConflictError);
    open.close();
  });

  test("does not conflict with what was committed before it began, while an older one is open", async () => {
    const older = db.beginMutation(Date.now());
    const id = await insert(1);
    await endAfter(
      (tx) => tx.patchValue(id, { n: 2 }),
      (tx) => tx.insertValue("log", {}),
    );
    expect(read(db, numbers)).toEqual([2]);
    older.close();
  });
});

describe("a commit", () => {
  test("that wrote nothing is durable once everything is that it had seen", async () => {
    const told: string[] = [];
    const writer = db.beginMutation(Date.now());
    writer.insertValue("notes", { n: 1 });
    const written = db.commit(writer).durable.then(() => told.push("written"));
    const reader = db.beginMutation(Date.now());
    expect(numbers(reader)).toEqual([1]);
    const seen = db.commit(reader).durable.then(() => told.push("seen"));
    await Promise.all([written, seen]);
    expect(told).toEqual(["written", "seen"]);
  });

  test("of a mutation that began early does not turn back the creation times of later ones", async () => {
    const early = db.beginMutation(1_000);
    early.insertValue("notes", { n: 1 });
    const add = (atMs: number, n: number) => {
      const tx = db.beginMutation(atMs);
      tx.insertValue("notes", { n });
      return db.commit(tx).durable;
    };
    await add(2_000, 2);
    await db.commit(early).durable;
    await add(1_000, 3);
    expect(read(db, (tx) => collect(tx, scan("notes"))).map(({ n }) => n)).toEqual([1, 2, 3]);
  });
});
