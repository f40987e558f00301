/** Budgets, ends and split points of single pages. Pages with concurrent writes: pagination.property.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InvalidCursorError } from "../../../embedded/db/errors";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { openOn } from "../../../embedded/db/openDatabase";
import type { PageRequest, PageResult, QueryJson, Transaction } from "../../../embedded/db/types";
import { NoLog } from "../../../embedded/storage/commitLog";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import type { StoreCursor, StoreSnapshot } from "../../../embedded/storage/orderedStore";
import { memoryDatabase, mutate, range, read, schema, table } from "./support";

const RANKS = Array.from({ length: 10 }, (_, rank) => rank);
const query = range("rows.by_rank");
const only = (operator: QueryJson["operators"][number]): QueryJson => ({
  ...query,
  operators: [operator],
});
const acceptsRankAbove = (rank: number) =>
  only({ filter: { $gt: [{ $field: "rank" }, { $literal: rank }] } });

let db: EmbeddedDatabase;
beforeAll(async () => {
  db = await memoryDatabase(schema(table("rows", { by_rank: ["rank"] })));
  await mutate(db, (tx) => RANKS.forEach((rank) => void tx.insertValue("rows", { rank })));
});
afterAll(() => db.close());

const page = (request: Partial<PageRequest>, of: QueryJson = query, on = db): PageResult =>
  read(on, (tx) => tx.paginate(of, { cursor: null, endCursor: null, pageSize: 100, ...request }));
const ranksOf = ({ page: docs }: PageResult) => docs.map((doc) => doc.value().rank);

describe("budgets", () => {
  test("a page ends when its rows are spent, and asks to be split", () => {
    const first = page({ maximumRowsRead: 3 });
    expect(ranksOf(first)).toEqual([0, 1, 2]);
    expect(first).toMatchObject({ isDone: false, pageStatus: "SplitRequired" });
    expect(ranksOf(page({ cursor: first.continueCursor }))).toEqual(RANKS.slice(3));
  });

  test("rows that a filter leaves out are spent as well, and the next page goes on behind them", () => {
    const first = page({ maximumRowsRead: 3 }, acceptsRankAbove(6));
    expect(first).toMatchObject({ page: [], isDone: false, pageStatus: "SplitRequired" });
    const rest = page({ cursor: first.continueCursor }, acceptsRankAbove(6));
    expect(ranksOf(rest)).toEqual([7, 8, 9]);
  });

  test.each([0, -1, Number.NaN])("no page has %d rows", (pageSize) => {
    expect(() => page({ pageSize })).toThrow(`Invalid page size ${pageSize}: it must be positive`);
  });

  test("no budget is spent before the first row", () => {
    expect(ranksOf(page({ maximumBytesRead: 1 }))).toEqual([0]);
    expect(ranksOf(page({ maximumRowsRead: 0 }))).toEqual([0]);
  });

  test("are no matter up to a given end: the next page begins there, and no row is left out", () => {
    const end = page({ pageSize: 6 }).continueCursor;
    for (const budget of [{ maximumRowsRead: 3 }, { maximumBytesRead: 1 }]) {
      const again = page({ endCursor: end, ...budget });
      expect(ranksOf(again)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(again).toMatchObject({ continueCursor: end, pageStatus: "SplitRecommended" });
    }
  });

  test("of a transaction end a page before the row that is too large, with or without a given end", async () => {
    const large = await memoryDatabase(schema(table("rows", { by_rank: ["rank"] })));
    const text = "x".repeat(1_000_000);
    for (const rank of RANKS) {
      await mutate(large, (tx) => {
        for (const part of [0, 0.5]) tx.insertValue("rows", { rank: rank + part, text });
      });
    }
    // 16 MiB are 16,777,216 bytes.
    const fitting = Array.from({ length: 16 }, (_, at) => at / 2);
    const first = page({}, query, large);
    expect([ranksOf(first), first.pageStatus]).toEqual([fitting, "SplitRequired"]);
    const end = page({ cursor: first.continueCursor }, query, large).continueCursor;
    const whole = page({ endCursor: end }, query, large);
    expect([ranksOf(whole), whole.pageStatus]).toEqual([fitting, "SplitRequired"]);
    expect(whole.continueCursor).toBe(end);
    const { splitCursor } = whole;
    const halves = [{ endCursor: splitCursor }, { cursor: splitCursor, endCursor: end }];
    const halfRanks = halves.flatMap((half) => ranksOf(page(half, query, large)));
    expect(halfRanks).toEqual([...fitting, 8, 8.5, 9, 9.5]);
    // A page without a row would be followed by the same one, for ever.
    const second = (tx: Transaction) => {
      const request = { endCursor: null, pageSize: 100 };
      const { continueCursor } = tx.paginate(query, { ...request, cursor: null });
      return tx.paginate(query, { ...request, cursor: continueCursor });
    };
    expect(() => read(large, second)).toThrow("Too many bytes read");
    await large.close();
  });
});

test("hits of a search cannot be split, so those before a given end that take too much fail", async () => {
  const byText = { indexDescriptor: "by_text", searchField: "text", filterFields: [] };
  const large = await memoryDatabase(schema({ ...table("rows"), searchIndexes: [byText] }));
  const rest = "x".repeat(1_000_000);
  for (const _rank of RANKS) {
    await mutate(large, (tx) => {
      for (const text of ["one", "other"]) tx.insertValue("rows", { text, rest });
    });
  }
  const filters = [{ type: "Search" as const, fieldPath: "text", value: "o" }];
  const source = { type: "Search" as const, indexName: "rows.by_text", filters };
  const search = (request: Partial<PageRequest>) => page(request, { source, operators: [] }, large);
  const first = search({});
  expect(first.pageStatus).toBe("SplitRequired");
  const { continueCursor: endCursor } = search({ cursor: first.continueCursor });
  expect(() => search({ endCursor })).toThrow("Too many bytes read");
  await large.close();
});

describe("ends", () => {
  test("a page that is full is not the last one, even when nothing follows", () => {
    const full = page({ pageSize: RANKS.length });
    expect(full).toMatchObject({ isDone: false, pageStatus: null });
    expect(page({ cursor: full.continueCursor })).toMatchObject({ page: [], isDone: true });
  });

  test("a limit of the query ends its pages", () => {
    const limited = page({}, only({ limit: 3 }));
    expect([ranksOf(limited), limited.isDone]).toEqual([[0, 1, 2], true]);
  });

  test("read up to an end, a page is the last one when that is the end of the range", () => {
    const middle = page({ pageSize: 4 }).continueCursor;
    const last = page({}).continueCursor;
    const upToMiddle = page({ endCursor: middle, pageSize: 1 });
    expect([ranksOf(upToMiddle), upToMiddle.isDone]).toEqual([[0, 1, 2, 3], false]);
    expect(upToMiddle.continueCursor).toBe(middle);
    const upToLast = page({ cursor: middle, endCursor: last, pageSize: 1 });
    expect([ranksOf(upToLast), upToLast.isDone]).toEqual([[4, 5, 6, 7, 8, 9], true]);
    expect(upToLast.continueCursor).toBe(last);
  });
});

describe("split points", () => {
  test("the halves of a page are the page", () => {
    const whole = page({ pageSize: 7 });
    const { splitCursor, continueCursor } = whole;
    const halves = [
      page({ endCursor: splitCursor }),
      page({ cursor: splitCursor, endCursor: continueCursor }),
    ];
    expect(halves.map(ranksOf)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
    ]);
  });

  test("a page of two rows can be split, one of a single row cannot", () => {
    expect(page({ pageSize: 2 }).splitCursor).not.toBeNull();
    expect(page({ pageSize: 1 }).splitCursor).toBeNull();
  });

  test("splitting is recommended beyond three quarters of the rows of a page, or of what may be read", async () => {
    const large = await memoryDatabase(schema(table("rows", { by_rank: ["rank"] })));
    const of = (rank: number): QueryJson => range("rows.by_rank", [["Lt", "rank", rank]]);
    await mutate(large, (tx) => {
      for (let rank = 0; rank < 6_145; rank += 1) tx.insertValue("rows", { rank });
    });
    const status = (rank: number) => page({ pageSize: 10_000 }, of(rank), large).pageStatus;
    expect([status(6_144), status(6_145)]).toEqual([null, "SplitRecommended"]);
    const limited = (pageSize: number) =>
      page({ pageSize, maximumRowsRead: 8 }, of(6_145), large).pageStatus;
    expect([limited(6), limited(7)]).toEqual([null, "SplitRecommended"]);
    const text = "x".repeat(900_000);
    await mutate(large, (tx) => {
      for (let rank = -14; rank < 0; rank += 1) tx.insertValue("rows", { rank, text });
    });
    // 11.7 MB, and 12.6 MB: 12 MiB are 12,582,912 bytes.
    expect([status(-1), status(0)]).toEqual([null, "SplitRecommended"]);
    await large.close();
  });
});

describe("ranges that no index can answer are refused in the official words", () => {
  test.each<[string, Parameters<typeof range>[1], RegExp]>([
    [
      "equal twice",
      [
        ["Eq", "kind", 1],
        ["Eq", "kind", 2],
      ],
      /^Already defined equality bound in index range\. Can't add "kind" == 1\.0\.$/,
    ],
    [
      "two lower bounds",
      [
        ["Gt", "kind", 1],
        ["Gte", "kind", 2],
      ],
      /^Already defined lower bound in index range\. Can't add "kind" >= 2\.0\.$/,
    ],
    [
      "equal and bounded",
      [
        ["Eq", "kind", 1],
        ["Lt", "kind", 2],
      ],
      /^Already defined inequality bound in index range\. Can't add "kind" == 1\.0\.$/,
    ],
    [
      "bounds of two fields",
      [
        ["Gt", "kind", 1],
        ["Lt", "rank", 2],
      ],
      /can only be applied to a single index field.*both "kind" and "rank"/,
    ],
    ["a field that is not in it", [["Gt", "size", 1]], /"size".*doesn't index this field/],
    ["a field out of order", [["Gt", "rank", 1]], /in order[^]*First incorrect field: rank/],
  ])("%s", async (_, bounds, message) => {
    const two = await memoryDatabase(schema(table("rows", { by_both: ["kind", "rank"] })));
    await mutate(two, (tx) => tx.insertValue("rows", { kind: 1, rank: 1 }));
    const refused = () => page({}, range("rows.by_both", bounds), two);
    expect(refused).toThrow(message);
    await two.close();
  });
});

describe.each(["asc", "desc"] as const)("where an index changes, read in order %s", (order) => {
  const newest = range("rows.by_rank", [], order);
  const inOrder = order === "asc" ? RANKS : RANKS.toReversed();
  async function firstPage() {
    const on = await memoryDatabase(schema(table("rows", { by_rank: ["rank"] })));
    await mutate(on, (tx) =>
      RANKS.forEach((rank) => void tx.insertValue("rows", { rank, other: -rank })),
    );
    const of = (request: Partial<PageRequest>) => page(request, newest, on);
    return { on, of, cursor: of({ pageSize: 2 }).continueCursor };
  }

  test("a place in it is none in one of the same name with other fields", async () => {
    const { on, of, cursor } = await firstPage();
    await on.applySchema(schema(table("rows", { by_rank: ["other"] })));
    expect(() => of({ cursor })).toThrow(InvalidCursorError);
    expect(() => of({ endCursor: cursor })).toThrow(InvalidCursorError);
    await on.close();
  });

  test("it is the same place in one that was made anew", async () => {
    const { on, of, cursor } = await firstPage();
    await on.applySchema(schema(table("rows")));
    await on.applySchema(schema(table("rows", { by_rank: ["rank"] })));
    expect(ranksOf(of({ endCursor: cursor }))).toEqual(inOrder.slice(0, 2));
    expect(ranksOf(of({ cursor }))).toEqual(inOrder.slice(2));
    await on.close();
  });
});

/** A store that knows its open cursors: LMDB keeps each until its snapshot is released, and another begins only with a commit. */
class WatchedStore extends MemoryStore {
  readonly open = new Set<StoreCursor>();

  override snapshot(): StoreSnapshot {
    const snapshot = super.snapshot();
    const range: StoreSnapshot["range"] = (...asked) => {
      const cursor = snapshot.range(...asked);
      const close = () => void this.open.delete(cursor);
      this.open.add(cursor);
      const next = () => {
        const entry = cursor.next();
        if (entry === null) close();
        return entry;
      };
      return { next, close };
    };
    return {
      position: snapshot.position,
      get: (key) => snapshot.get(key),
      release: () => snapshot.release(),
      range,
    };
  }
}

test("what breaks off in the middle leaves nothing open in the store", async () => {
  const store = new WatchedStore();
  const rows = await openOn(store, new NoLog(), {});
  await rows.applySchema(schema(table("rows", { by_rank: ["rank"] })));
  const text = "x".repeat(1_000_000);
  for (const rank of RANKS) {
    await mutate(rows, (tx) => {
      for (const part of [0, 0.5]) tx.insertValue("rows", { rank: rank + part, text });
    });
  }
  await rows.drain();
  rows.emptyCache();
  const noBoolean = only({ filter: { $field: "rank" } });
  expect(() => page({}, noBoolean, rows)).toThrow("as a Boolean");
  expect(store.open.size).toBe(0);
  const whole = { tableName: "rows", indexName: "by_rank", bounds: [], isReverse: false };
  const readAll = () => read(rows, (tx) => tx.openRange(whole)(Infinity));
  expect(readAll).toThrow("Too many bytes read");
  expect(store.open.size).toBe(0);
  await rows.close();
});
