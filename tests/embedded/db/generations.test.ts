/** What readers see while commits are being applied from the log to the store. */
import { expect, test } from "vitest";
import { openOn } from "../../../embedded/db/openDatabase";
import type { Transaction } from "../../../embedded/db/types";
import { NoLog } from "../../../embedded/storage/commitLog";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import type { StoreWrite } from "../../../embedded/storage/orderedStore";
import { usedHeapBytes } from "../../support/heap";
import { collect, memoryDatabase, mutate, range, read, schema, table } from "./support";

const JOBS = schema(table("jobs", { by_state: ["state"] }));

/** Blocks its waiters until it is opened. */
class Gate {
  open: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly isOpen: Promise<void>;
  constructor() {
    this.isOpen = new Promise((resolve, reject) => {
      this.open = resolve;
      this.fail = reject;
    });
  }
}

class GatedLog extends NoLog {
  override readonly isInstant = false;
  readonly syncing = new Gate();
  readonly disk = new Gate();
  override sync(): Promise<void> {
    this.syncing.open();
    return this.disk.isOpen;
  }
}

class GatedStore extends MemoryStore {
  disk: Promise<void> = Promise.resolve();
  override async apply(writes: Iterable<StoreWrite>, position: number): Promise<void> {
    const batch = [...writes];
    await this.disk;
    await super.apply(batch, position);
  }
}

test.each(["patched", "removed"])(
  "a document stays %s when it was in the group that the log took while the store took the one before",
  async (change) => {
    const log = new GatedLog();
    const store = new GatedStore();
    const db = await openOn(store, log, {});
    await db.applySchema(JOBS);
    const openJobs = () =>
      read(db, (tx) => collect(tx, range("jobs.by_state", [["Eq", "state", "open"]])));
    const id = await mutate(db, (tx) => tx.insertValue("jobs", { state: "open" }));
    const storeDisk = new Gate();
    store.disk = storeDisk.isOpen;
    const applied = db.follower.caughtUp(0);
    // Two, because a single one would be in the log at once.
    const first = mutate(db, (tx) =>
      change === "patched" ? tx.patch(id, { state: "done" }) : tx.remove(id),
    );
    const second = mutate(db, (tx) => tx.insertValue("jobs", { state: "other" }));
    await log.syncing.isOpen;
    storeDisk.open();
    await expect.poll(() => store.position).toBe(1);
    log.disk.open();
    await Promise.all([first, second]);
    expect(openJobs()).toEqual([]);
    await applied;
    expect(store.position).toBe(3);
    expect(openJobs()).toEqual([]);
    await db.close();
  },
);

test("when the log fails, the commits that wait behind it fail, too", async () => {
  const log = new GatedLog();
  const db = await openOn(new MemoryStore(), log, {});
  await db.applySchema(JOBS);
  const insert = () => mutate(db, (tx) => tx.insertValue("jobs", { state: "open" }));
  const group = [insert(), insert()];
  await log.syncing.isOpen;
  const outcomes = Promise.allSettled([...group, insert()]);
  log.disk.fail(new Error("EIO"));
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
});

test("who writes faster than the store takes waits for it, and does not when it takes no more", async () => {
  const store = new GatedStore();
  const db = await openOn(store, new NoLog(), { missingMaxBytes: 1000 });
  await db.applySchema(JOBS);
  const disk = new Gate();
  store.disk = disk.isOpen;
  const insert = () => mutate(db, (tx) => tx.insertValue("jobs", { state: "x".repeat(600) }));
  await insert();
  expect(db.room()).toBeNull();
  expect(db.storeLag).toMatchObject({ isFull: false, batchMs: 0 });
  await insert();
  let hasRoom = false;
  const room = db.room()!.then(() => (hasRoom = true));
  await new Promise(setImmediate);
  expect(hasRoom).toBe(false);
  const stuck = db.storeLag;
  expect(stuck).toMatchObject({ isFull: true });
  expect(stuck.bytes).toBeGreaterThan(1200);
  await new Promise(setImmediate);
  expect(db.storeLag.batchMs).toBeGreaterThan(stuck.batchMs);
  disk.open();
  await room;
  expect(db.storeLag).toEqual({ isFull: false, batchMs: 0, bytes: 0 });
  expect(store.position).toBe(2);
  expect(db.room()).toBeNull();

  store.apply = () => Promise.reject(new Error("ENOSPC"));
  await Promise.all([insert(), insert()]);
  await db.room();
  expect(db.isReadOnly).toContain("ENOSPC");
  await db.close();
});

test("commits that no open mutation began before are forgotten, however the mutations overlap", async () => {
  const db = await memoryDatabase(JOBS);
  let open = db.beginMutation(Date.now());
  for (let n = 0; n < 100; n++) {
    const next = db.beginMutation(Date.now());
    open.insertValue("jobs", { state: `${n}` });
    await db.commit(open).durable;
    open = next;
    expect(Reflect.get(db, "recent")).toHaveLength(1);
  }
  open.close();
  // Only memory use reveals it.
  expect(Reflect.get(db, "recent")).toHaveLength(0);
});

test("versions that nobody sees any more go also while the store takes in older commits", async () => {
  const store = new GatedStore();
  const db = await openOn(store, new NoLog(), {});
  await db.applySchema(JOBS);
  const id = await mutate(db, (tx) => tx.insertValue("jobs", { state: "new" }));
  const storeDisk = new Gate();
  store.disk = storeDisk.isOpen;
  const applied = db.follower.caughtUp(0);
  const before = usedHeapBytes();
  for (let n = 0; n < 200; n++) {
    const text = String(n).repeat(100_000);
    await mutate(db, (tx) => tx.patchValue(id, { text }));
  }
  storeDisk.open();
  await applied;
  // It keeps the keys of the last generations, which is not what is tested here.
  db.ranges.clear();
  expect(usedHeapBytes() - before).toBeLessThan(10_000_000);
  await db.close();
});

test("a search finds each document once, also when the store has moved on since it began", async () => {
  const index = { indexDescriptor: "by_body", searchField: "body", filterFields: [] };
  const db = await memoryDatabase(schema({ ...table("notes"), searchIndexes: [index] }));
  const body = "rent, rental, renting in March";
  await mutate(db, (tx) => tx.insertValue("notes", { body }));
  await db.drain();
  db.emptyCache();
  const tx = db.beginMutation(Date.now());
  await mutate(db, (later) => later.insertValue("notes", { body: "later" }));
  await db.drain();
  const words = { type: "Search" as const, fieldPath: "body", value: "march rent" };
  const source = { type: "Search" as const, indexName: "notes.by_body", filters: [words] };
  const found = collect(tx, { source, operators: [] });
  tx.close();
  await db.close();
  expect(found.map((doc) => doc.body)).toEqual([body]);
});

test("a text of twenty thousand words is changed and searched in time linear in its length", async () => {
  const before = process.cpuUsage();
  const index = { indexDescriptor: "by_body", searchField: "body", filterFields: [] };
  const db = await memoryDatabase(schema({ ...table("notes"), searchIndexes: [index] }));
  const words = Array.from({ length: 20_000 }, (_, at) => `w${at}`);
  const found = (tx: Transaction, value: string) => {
    const filter = { type: "Search" as const, fieldPath: "body", value };
    const source = { type: "Search" as const, indexName: "notes.by_body", filters: [filter] };
    return collect(tx, { source, operators: [] }).length;
  };
  const id = await mutate(db, (tx) => tx.insertValue("notes", { body: words.join(" ") }));
  expect(read(db, (tx) => found(tx, "w19999"))).toBe(1);
  const body = [...words.slice(1), "new"].join(" ");
  const own = await mutate(db, (tx) => {
    tx.patchValue(id, { body });
    return ["w0", "w19999", "new"].map((value) => found(tx, value));
  });
  const later = read(db, (tx) => ["w19999", "new"].map((value) => found(tx, value)));
  await db.close();
  expect([own, later]).toEqual([
    [0, 1, 1],
    [1, 1],
  ]);
  // A third of a second; with its keys compared pair by pair, ten, in which nothing else runs.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
});
