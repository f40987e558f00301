import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import type { Transaction } from "../../../embedded/db/types";
import { collect, memoryDatabase, mutate, range, read, scan, schema, table } from "./support";

const ACCOUNTS = schema(
  table("accounts", { by_owner: ["owner"], by_balance: ["balance", "owner"] }),
  table("log"),
);

describe("documents", () => {
  test("what was inserted is read back with an id and a creation time", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "ada", balance: 5n }));
    const found = read(db, (tx) => tx.get(id)!.value());
    expect(found).toMatchObject({ _id: id, owner: "ada", balance: 5n });
    expect(typeof found._creationTime).toBe("number");
    await db.close();
  });

  test("inserts of one mutation have strictly increasing creation times", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    await mutate(db, (tx) => {
      for (let n = 0; n < 100; n++) tx.insertValue("log", { n });
    });
    const times = read(db, (tx) => collect(tx, scan("log"))).map((doc) => doc._creationTime);
    expect(new Set(times).size).toBe(100);
    expect(times).toEqual([...times].sort());
    await db.close();
  });

  test("a patch moves the document in the indexes it touches", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "ada", balance: 5n }));
    await mutate(db, (tx) => tx.patchValue(id, { owner: "ben" }));
    expect(
      read(db, (tx) => collect(tx, range("accounts.by_owner", [["Eq", "owner", "ada"]]))),
    ).toEqual([]);
    const found = read(db, (tx) =>
      collect(tx, range("accounts.by_owner", [["Eq", "owner", "ben"]])),
    );
    expect(found).toHaveLength(1);
    await mutate(db, (tx) => tx.remove(id));
    expect(read(db, (tx) => collect(tx, scan("accounts")))).toEqual([]);
    expect(read(db, (tx) => tx.get(id))).toBeNull();
    await db.close();
  });

  test.each(["one mutation", "two mutations", "two mutations and the store"])(
    "0 and -0 are two places in an index, and a document leaves the right one (%s)",
    async (how) => {
      const db = await memoryDatabase(schema(table("points", { by_n: ["n"] })));
      const toMinusZero = (tx: Transaction, id: string) => tx.patchValue(id, { n: -0 });
      const id = await mutate(db, (tx) => {
        const inserted = tx.insertValue("points", { n: 0 });
        if (how === "one mutation") toMinusZero(tx, inserted);
        return inserted;
      });
      if (how !== "one mutation") await mutate(db, (tx) => toMinusZero(tx, id));
      if (how === "two mutations and the store") await db.drain();
      await mutate(db, (tx) => tx.remove(id));
      expect(read(db, (tx) => collect(tx, range("points.by_n")))).toEqual([]);
      await db.close();
    },
  );

  test("a mutation reads its own writes in every index, a rollback takes them back", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    await mutate(db, (tx) => {
      const kept = tx.insertValue("accounts", { owner: "a", balance: 1n });
      expect(collect(tx, range("accounts.by_owner"))).toHaveLength(1);
      const savepoint = tx.savepoint();
      tx.insertValue("accounts", { owner: "b", balance: 2n });
      tx.patchValue(kept, { owner: "c" });
      expect(collect(tx, range("accounts.by_owner")).map((doc) => doc.owner)).toEqual(["b", "c"]);
      tx.rollbackTo(savepoint);
      expect(collect(tx, range("accounts.by_owner")).map((doc) => doc.owner)).toEqual(["a"]);
      expect(collect(tx, range("accounts.by_id")).map((doc) => doc._id)).toEqual([kept]);
    });
    expect(read(db, (tx) => collect(tx, scan("accounts")))).toHaveLength(1);
    await db.close();
  });

  test("so it is with more writes than are looked through for each range", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const insert = (tx: Transaction, owner: string) =>
      tx.insertValue("accounts", { owner, balance: 0n });
    const ids = await mutate(db, (tx) => ["a", "b", "c"].map((owner) => insert(tx, owner)));
    const owners = (tx: Transaction) =>
      collect(tx, range("accounts.by_owner", [["Lt", "owner", "x"]])).map((doc) => doc.owner);
    await mutate(db, (tx) => {
      for (let n = 0; n < 100; n++) insert(tx, "x");
      tx.remove(ids[0]!);
      expect(owners(tx)).toEqual(["b", "c"]);
      const savepoint = tx.savepoint();
      tx.remove(ids[1]!);
      tx.patchValue(ids[2]!, { owner: "d" });
      const gone = insert(tx, "e");
      expect(owners(tx)).toEqual(["d", "e"]);
      tx.remove(gone);
      expect(owners(tx)).toEqual(["d"]);
      tx.rollbackTo(savepoint);
      expect(owners(tx)).toEqual(["b", "c"]);
    });
    expect(read(db, owners)).toEqual(["b", "c"]);
    await db.close();
  });
});

describe("visibility", () => {
  test("a commit is seen by the next mutation at once and by queries when it is durable", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const tx = db.beginMutation(Date.now());
    tx.insertValue("log", { n: 1 });
    const { durable } = db.commit(tx);
    expect(read(db, (query) => collect(query, scan("log")))).toEqual([]);
    const next = db.beginMutation(Date.now());
    expect(collect(next, scan("log"))).toHaveLength(1);
    next.close();
    await durable;
    expect(read(db, (query) => collect(query, scan("log")))).toHaveLength(1);
    await db.close();
  });

  test("a listener that throws keeps nobody from learning what is durable", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const told: number[] = [];
    db.onDurable(() => {
      throw new Error("stumbled");
    });
    db.onDurable((commits) => told.push(commits.length));
    vi.useFakeTimers({ toFake: ["setImmediate"] });
    onTestFinished(() => void vi.useRealTimers());
    const tx = db.beginMutation(Date.now());
    tx.insertValue("log", { n: 1 });
    const { durable } = db.commit(tx);
    expect(() => vi.runAllTimers()).toThrow("stumbled");
    await durable;
    expect(told).toEqual([1]);
    expect(db.isReadOnly).toBeNull();
    vi.useRealTimers();
    await db.close();
  });

  test("an open transaction does not see later commits, also after they reached the store", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "a", balance: 1n }));
    const early = db.beginQuery();
    const parked = db.beginMutation(Date.now());
    await mutate(db, (tx) => tx.patchValue(id, { owner: "z", balance: 9n }));
    await db.drain();
    for (const tx of [early, parked]) {
      expect(tx.get(id)!.value().owner).toBe("a");
      expect(collect(tx, range("accounts.by_owner")).map((doc) => doc.owner)).toEqual(["a"]);
      tx.close();
    }
    await db.close();
  });

  test("a snapshot at begin sees neither its parent's writes nor later commits", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const parent = db.beginMutation(Date.now());
    parent.insertValue("log", { n: 1 });
    await mutate(db, (tx) => tx.insertValue("log", { n: 2 }));
    const snapshot = parent.snapshotAtBegin();
    expect(collect(snapshot, scan("log"))).toEqual([]);
    snapshot.close();
    parent.close();
    await db.close();
  });
});

describe("conflicts", () => {
  test("a mutation whose reads were overwritten does not commit", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "a", balance: 1n }));
    const parked = db.beginMutation(Date.now());
    parked.get(id);
    parked.insertValue("log", { n: 1 });
    await mutate(db, (tx) => tx.patchValue(id, { balance: 2n }));
    expect(() => db.commit(parked)).toThrow(ConflictError);
    parked.close();
    await db.close();
  });

  test("a mutation that read an empty range conflicts with an insert into it, and with no other", async () => {
    const db = await memoryDatabase(ACCOUNTS);
    const hit = db.beginMutation(Date.now());
    collect(hit, range("accounts.by_owner", [["Eq", "owner", "ada"]]));
    hit.insertValue("log", {});
    const missed = db.beginMutation(Date.now());
    collect(missed, range("accounts.by_owner", [["Eq", "owner", "ben"]]));
    missed.insertValue("log", {});
    await mutate(db, (tx) => tx.insertValue("accounts", { owner: "ada", balance: 1n }));
    expect(() => db.commit(hit)).toThrow(ConflictError);
    hit.close();
    await db.commit(missed).durable;
    await db.close();
  });

  test.each<[string, (tx: Transaction) => unknown]>([
    ["collected", (tx) => collect(tx, scan("absent"))],
    ["counted", (tx) => tx.count("absent")],
    [
      "paginated",
      (tx) => tx.paginate(scan("absent"), { cursor: null, endCursor: null, pageSize: 1 }),
    ],
  ])("a mutation that read a table before it was there conflicts: %s", async (_title, look) => {
    const db = await memoryDatabase(ACCOUNTS);
    const parked = db.beginMutation(Date.now());
    look(parked);
    parked.insertValue("log", {});
    await mutate(db, (tx) => tx.insertValue("absent", {}));
    expect(() => db.commit(parked)).toThrow(ConflictError);
    parked.close();
    await db.close();
  });
});

test("a query writes nothing, whichever way it tries", async () => {
  const db = await memoryDatabase(ACCOUNTS);
  const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "a", balance: 1n }));
  const query = db.beginQuery();
  const writes = [
    () => query.insertValue("log", {}),
    () => query.patchValue(id, { balance: 2n }),
    () => query.replaceValue(id, { owner: "b", balance: 2n }),
    () => query.remove(id),
  ];
  for (const write of writes) expect(write).toThrow("Queries cannot write");
  query.close();
  await db.close();
});

test("letting go of documents in memory loses none that the store does not have yet", async () => {
  const db = await memoryDatabase(ACCOUNTS);
  const numbers = () => read(db, (tx) => collect(tx, scan("log"))).map(({ n }) => n);
  for (const n of [1, 2]) {
    await mutate(db, (tx) => tx.insertValue("log", { n }));
    db.emptyCache();
    expect(numbers()).toHaveLength(n);
    await db.drain();
    db.emptyCache();
    expect(numbers()).toHaveLength(n);
  }
  await db.close();
});

test.each(["", ", while somebody stays at an older state"])(
  "reads that give the event loop no turn let go of documents in memory nevertheless%s",
  async (how) => {
    const db = await memoryDatabase(ACCOUNTS);
    const text = "x".repeat(16_000);
    const ids: string[] = [];
    for (let commits = 0; commits < 10; commits++) {
      await mutate(db, (tx) => {
        for (let n = 0; n < 500; n++) ids.push(tx.insertValue("log", { text }));
      });
    }
    await db.drain();
    db.emptyCache();
    const older = how === "" ? null : db.beginQuery();
    await mutate(db, (tx) => tx.patchValue(ids[0]!, { text: "another" }));
    await db.drain();
    for (const id of ids) read(db, (tx) => tx.get(id));
    const knownBytes = ids.filter((id) => db.versions.knows(id)).length * text.length;
    expect(knownBytes).toBeLessThan(2 * 24 * 1024 * 1024);
    expect(older?.get(ids[0]!)?.value().text ?? text).toBe(text);
    older?.close();
    await db.close();
  },
);

test("closing does not wait for whoever goes on committing", async () => {
  const db = await memoryDatabase(ACCOUNTS);
  const writing = (async () => {
    for (;;) await mutate(db, (tx) => tx.insertValue("log", { n: 1 }));
  })();
  await mutate(db, (tx) => tx.insertValue("log", { n: 1 }));
  const refused = expect(writing).rejects.toThrow("The database is being closed");
  await db.close();
  await refused;
});

test("a transaction sees a document as it was at its beginning, though the store has it and memory lets it go", async () => {
  const db = await memoryDatabase(ACCOUNTS);
  const id = await mutate(db, (tx) => tx.insertValue("accounts", { owner: "ada", balance: 1n }));
  await db.drain();
  await mutate(db, (tx) => tx.patchValue(id, { balance: 2n }));
  const tx = db.beginQuery();
  await db.drain();
  db.emptyCache();
  expect(tx.get(id)!.value()).toMatchObject({ balance: 2n });
  tx.close();
  await db.close();
});
