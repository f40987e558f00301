import fc from "fast-check";
import { expect, test } from "vitest";
import { longer } from "../../support/chance";
import { InvalidCursorError, ConflictError } from "../../../embedded/db/errors";
import { pageRange } from "../../../embedded/db/pagination";
import type { RangePlan } from "../../../embedded/db/queryPlan";
import { SubscriptionIndex } from "../../../embedded/db/subscriptions";
import { collect, memoryDatabase, mutate, range, read, schema, table } from "./support";

const ROWS = schema(table("rows", { by_rank: ["rank"] }));
const step = fc.record({
  rank: fc.nat(40),
  isRemoval: fc.boolean(),
  pageSize: fc.integer({ min: 1, max: 5 }),
});

test("pages under concurrent writes lose and repeat no row that was there all along", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(40), { maxLength: 25 }),
      fc.array(step, { maxLength: 25 }),
      fc.boolean(),
      async (ranks, steps, isReverse) => {
        const db = await memoryDatabase(ROWS);
        const lasting = await mutate(db, (tx) =>
          ranks.map((rank) => tx.insertValue("rows", { rank })),
        );
        const query = range("rows.by_rank", [["Gte", "rank", 3]], isReverse ? "desc" : "asc");
        const pages: { cursor: string | null; end: string }[] = [];
        const seen: string[] = [];
        const passing: string[] = [];
        let cursor: string | null = null;
        for (let at = 0, isDone = false; !isDone && at < 200; at++) {
          const change = steps[at];
          if (change !== undefined) {
            await mutate(db, (tx) => {
              const victim = passing.pop();
              if (change.isRemoval && victim !== undefined) tx.remove(victim);
              else passing.push(tx.insertValue("rows", { rank: change.rank }));
            });
          }
          const page = read(db, (tx) =>
            tx.paginate(query, { cursor, endCursor: null, pageSize: change?.pageSize ?? 3 }),
          );
          seen.push(...page.page.map((doc) => doc.id));
          pages.push({ cursor, end: page.continueCursor });
          ({ continueCursor: cursor, isDone } = page);
        }
        const expected = lasting.filter((_, at) => ranks[at]! >= 3);
        expect(new Set(seen).size).toBe(seen.length);
        expect(expected.filter((id) => !seen.includes(id))).toEqual([]);
        // Read again with their journals, the pages cover the current range without gaps.
        const again = pages.flatMap(({ cursor: start, end }) =>
          read(db, (tx) =>
            tx.paginate(query, { cursor: start, endCursor: end, pageSize: 1 }),
          ).page.map((doc) => doc.id),
        );
        expect(again).toEqual(read(db, (tx) => collect(tx, query)).map((doc) => doc._id));
        await db.close();
      },
    ),
    longer(60),
  );
});

test("a cursor of another query, and one that was tampered with, are invalid", async () => {
  const db = await memoryDatabase(ROWS);
  await mutate(db, (tx) => [1, 2, 3].forEach((rank) => void tx.insertValue("rows", { rank })));
  const page = (cursor: string | null, order: "asc" | "desc" = "asc") =>
    read(db, (tx) =>
      tx.paginate(range("rows.by_rank", [], order), { cursor, endCursor: null, pageSize: 1 }),
    );
  const { continueCursor } = page(null);
  expect(page(null).continueCursor).toBe(continueCursor);
  expect(() => page(continueCursor, "desc")).toThrow(InvalidCursorError);
  expect(() => page(continueCursor.slice(0, -4) + "AAAA")).toThrow(InvalidCursorError);
  expect(() => page("nonsense")).toThrow(InvalidCursorError);
  await db.close();
});

test("no position widens the range of its query", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 3 });
  const position = fc.option(fc.option(key, { nil: undefined }));
  fc.assert(
    fc.property(key, key, fc.boolean(), position, position, (one, other, isReverse, from, to) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const part = pageRange({ range: { low, high }, isReverse } as RangePlan, from, to);
      const isEmpty = part.low === part.high;
      expect(isEmpty || (part.low >= low && part.high <= high && part.low < part.high)).toBe(true);
    }),
  );
});

test("interleaved read-modify-write transactions end as if they had run one after another", async () => {
  const action = fc.record({ lane: fc.nat(3), row: fc.nat(2), target: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 40 }), async (actions) => {
      const db = await memoryDatabase(ROWS);
      const ids = await mutate(db, (tx) =>
        [0, 1, 2].map((rank) => tx.insertValue("rows", { rank, log: [] })),
      );
      const open = new Map<number, ReturnType<typeof db.beginMutation>>();
      const committed: { row: number; target: number; name: number; saw: unknown }[] = [];
      const plans = new Map<number, (typeof committed)[number]>();
      for (const [name, { lane, row, target }] of actions.entries()) {
        const running = open.get(lane);
        if (running === undefined) {
          const tx = db.beginMutation(Date.now());
          const saw = tx.get(ids[row]!)!.value().log;
          const log = tx.get(ids[target]!)!.value().log as number[];
          tx.patchValue(ids[target]!, { log: [...log, name] });
          open.set(lane, tx);
          plans.set(lane, { row, target, name, saw });
          continue;
        }
        open.delete(lane);
        try {
          await db.commit(running).durable;
          committed.push(plans.get(lane)!);
        } catch (error) {
          expect(error).toBeInstanceOf(ConflictError);
          running.close();
        }
      }
      for (const tx of open.values()) tx.close();
      // The serial history in commit order must have seen exactly what the transactions saw.
      const model: number[][] = [[], [], []];
      for (const { row, target, name, saw } of committed) {
        expect(saw).toEqual(model[row]);
        model[target]!.push(name);
      }
      expect(read(db, (tx) => ids.map((id) => tx.get(id)!.value().log))).toEqual(model);
      await db.close();
    }),
    longer(80),
  );
});

test("a commit reports the queries it touches, and no other", async () => {
  const db = await memoryDatabase(ROWS);
  const index = new SubscriptionIndex<number>();
  const touched: number[][] = [];
  db.onDurable((commits) => touched.push([...index.onCommits(commits)].sort((a, b) => a - b)));
  const early = db.durableTs;
  for (let rank = 0; rank < 50; rank++) {
    const tx = db.beginQuery();
    collect(tx, range("rows.by_rank", [["Eq", "rank", rank]]));
    index.add(tx.readSet, tx.beginTs, rank);
    tx.close();
  }
  const id = await mutate(db, (tx) => tx.insertValue("rows", { rank: 7 }));
  await mutate(db, (tx) => tx.patchValue(id, { rank: 9 }));
  await mutate(db, (tx) => tx.patchValue(id, { note: "same rank" }));
  expect(touched).toEqual([[7], [7, 9], [9]]);
  const tx = db.beginQuery();
  collect(tx, range("rows.by_rank", [["Eq", "rank", 9]]));
  expect(index.add(tx.readSet, early, 1)).toBeNull();
  expect(index.add(tx.readSet, tx.beginTs, 1)).not.toBeNull();
  tx.close();
  await db.close();
});

test("a query that leaves is told no more, and takes nobody's place with it", async () => {
  const db = await memoryDatabase(ROWS);
  const id = await mutate(db, (tx) => tx.insertValue("rows", { rank: 1 }));
  const index = new SubscriptionIndex<string>();
  const told: string[][] = [];
  db.onDurable((commits) => told.push([...index.onCommits(commits)].sort()));
  const subscribe = (owner: string, body: (tx: ReturnType<typeof db.beginQuery>) => void) => {
    const tx = db.beginQuery();
    body(tx);
    const places = index.add(tx.readSet, tx.beginTs, owner) ?? [];
    tx.close();
    return () => index.remove(places, owner);
  };
  const reads = {
    document: (tx: ReturnType<typeof db.beginQuery>) => void tx.get(id),
    range: (tx: ReturnType<typeof db.beginQuery>) => void collect(tx, range("rows.by_rank")),
  };
  const leave = ["document", "range"].flatMap((read) =>
    ["first", "second"].map((who) =>
      subscribe(`${who} ${read}`, reads[read as keyof typeof reads]),
    ),
  );
  const write = (rank: number) => mutate(db, (tx) => tx.patchValue(id, { rank }));
  await write(2);
  leave[0]?.();
  leave[2]?.();
  await write(3);
  leave[1]?.();
  leave[3]?.();
  await write(4);
  expect(told).toEqual([
    ["first document", "first range", "second document", "second range"],
    ["second document", "second range"],
    [],
  ]);
  await db.close();
});

test("reading more documents than the limit fails with the official words", async () => {
  const db = await memoryDatabase(ROWS);
  for (let part = 0; part < 3; part++) {
    await mutate(db, (tx) => {
      for (let rank = 0; rank < 11_000; rank++) tx.insertValue("rows", { rank });
    });
  }
  expect(() => read(db, (tx) => collect(tx, range("rows.by_rank")))).toThrow(
    "Too many documents read in a single function execution (limit: 32000). Consider using",
  );
  await db.close();
});
