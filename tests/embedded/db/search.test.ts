/** Full-text search in the database room: words, ranking, filters, pages, and how far one may read. */
import type { JSONValue } from "convex/values";
import { expect, onTestFinished, test } from "vitest";
import { tokenize } from "../../../embedded/db/search";
import type { PageResult, QueryJson, SearchIndexJson } from "../../../embedded/db/types";
import { collect, memoryDatabase, mutate, read, schema, table } from "./support";

const index: SearchIndexJson = {
  indexDescriptor: "by_body",
  searchField: "body",
  filterFields: ["kind"],
};
const NOTES = schema({ ...table("notes"), searchIndexes: [index] });
const ROWS = [
  { body: "Rent for March", kind: "bill" },
  { body: "rental car", kind: "trip" },
  { body: "March hare", kind: "book" },
  { body: 7, kind: "bill" },
];
type Filter = { type: "Search"; fieldPath: string; value: string } | EqualityFilter;
type EqualityFilter = { type: "Eq"; fieldPath: string; value: JSONValue };
const words = (value: string): Filter => ({ type: "Search", fieldPath: "body", value });
const query = (...filters: Filter[]): QueryJson => ({
  source: { type: "Search", indexName: "notes.by_body", filters },
  operators: [],
});

async function bodiesFor(...filters: Filter[]): Promise<unknown[]> {
  const db = await memoryDatabase(NOTES);
  await mutate(db, (tx) => ROWS.forEach((row) => void tx.insertValue("notes", row)));
  try {
    return read(db, (tx) => collect(tx, query(...filters))).map((doc) => doc.body);
  } finally {
    await db.close();
  }
}

test.each<[string, Filter[], unknown[]]>([
  ["the last word matches as a prefix, a whole word first", [words("rent")], [0, 1]],
  ["words before the last match whole", [words("ren march")], [2, 0]],
  ["more words found, better place", [words("rent march")], [0, 2]],
  ["no words, no hits", [words("  -- ")], []],
  [
    "equality filters narrow",
    [words("rent"), { type: "Eq", fieldPath: "kind", value: "trip" }],
    [1],
  ],
])("%s", async (_, filters, expected) => {
  expect(await bodiesFor(...filters)).toEqual(expected.map((at) => ROWS[at as number]!.body));
});

test.each<[string, Filter[], RegExp]>([
  ["no search filter", [], /notes\.by_body does not contain any search filters\. You must include/],
  [
    "a second search filter",
    [words("x"), words("y")],
    /notes\.by_body contains multiple search filters against "body"\. Only one is allowed\./,
  ],
  [
    "a filter on a field that is not declared",
    [words("x"), { type: "Eq", fieldPath: "size", value: 1 }],
    /"size" but that field isn't indexed for filtering/,
  ],
  [
    "more equality filters than 8",
    [words("x"), ...Array<Filter>(9).fill({ type: "Eq", fieldPath: "kind", value: "bill" })],
    /has too many filter conditions\. Max: 8 Actual: 9/,
  ],
  [
    "another search field",
    [{ type: "Search", fieldPath: "title", value: "x" }],
    /doesn't match the indexed `searchField` "body"/,
  ],
])("%s is refused", async (_, filters, message) => {
  await expect(bodiesFor(...filters)).rejects.toThrow(message);
});

test("pages of hits follow each other without loss or repetition, also while others write", async () => {
  const db = await memoryDatabase(NOTES);
  let nowMs = 1_700_000_000_000;
  const insert = async (body: string) => {
    const tx = db.beginMutation((nowMs += 1_000));
    tx.insertValue("notes", { body, kind: "bill" });
    await db.commit(tx).durable;
    tx.close();
  };
  try {
    for (const body of ["rental", "rent", "rents", "rent due", "renting"]) await insert(body);
    const page = (cursor: string | null, endCursor: string | null = null) =>
      read(db, (tx) => tx.paginate(query(words("rent")), { cursor, endCursor, pageSize: 2 }));
    const bodiesOf = ({ page: docs }: PageResult) => docs.map((doc) => doc.value().body);
    const first = page(null);
    expect(bodiesOf(first)).toEqual(["rent due", "rent"]);
    await insert("rent paid");
    await insert("rentable");
    const second = page(first.continueCursor);
    expect(bodiesOf(second)).toEqual(["rentable", "renting"]);
    const third = page(second.continueCursor);
    expect([bodiesOf(third), third.isDone]).toEqual([["rents", "rental"], false]);
    expect(page(third.continueCursor)).toMatchObject({ page: [], isDone: true });
    // Read again up to its end, the first page also contains what was inserted meanwhile.
    expect(bodiesOf(page(null, first.continueCursor))).toEqual(["rent paid", "rent due", "rent"]);
    expect(first.splitCursor).toBeNull();
  } finally {
    await db.close();
  }
});

test("a text becomes lower-case words of letters and digits, overlong ones left out", () => {
  expect(tokenize(`Äpfel, 12 O'Neil ${"x".repeat(33)}`)).toEqual(["äpfel", "12", "o", "neil"]);
});

/** A database in which a search for "same" finds one of these in each. */
async function databaseWith(rests: readonly string[]) {
  const db = await memoryDatabase(NOTES);
  onTestFinished(() => db.close());
  const perCommit = 10;
  for (let at = 0; at < rests.length; at += perCommit) {
    await mutate(db, (tx) => {
      for (const rest of rests.slice(at, at + perCommit)) {
        tx.insertValue("notes", { body: "same", kind: "bill", rest });
      }
    });
  }
  return db;
}

test("1,024 hits are read, and reading on is refused, also where there are no more", async () => {
  const db = await databaseWith(Array<string>(1_024).fill(""));
  const some = (limit: number): QueryJson => ({ ...query(words("same")), operators: [{ limit }] });
  expect(read(db, (tx) => collect(tx, some(1_024)))).toHaveLength(1_024);
  const refused =
    "Search query scanned too many documents (fetched 1024). Consider using a smaller";
  expect(() => read(db, (tx) => collect(tx, query(words("same"))))).toThrow(refused);
  const page = (cursor: string | null, pageSize: number) =>
    read(db, (tx) => tx.paginate(query(words("same")), { cursor, endCursor: null, pageSize }));
  expect(() => page(null, 1_025)).toThrow(refused);
  const first = page(null, 1_000);
  expect(page(first.continueCursor, 1_000)).toMatchObject({ isDone: true, page: { length: 24 } });
});

test("of the hits only those that are read count, one by one", async () => {
  const db = await databaseWith(Array<string>(20).fill("x".repeat(900_000)));
  const first = { ...query(words("same")), operators: [{ limit: 1 }] };
  const used = read(db, (tx) => {
    for (let time = 0; time < 3; time += 1) expect(collect(tx, first)).toHaveLength(1);
    return tx.metrics.documentsRead.used;
  });
  expect(used).toBe(3);
  expect(() => read(db, (tx) => collect(tx, query(words("same"))))).toThrow("Too many bytes read");
});

test("an index of another kind is none to search in", async () => {
  const db = await memoryDatabase(schema(table("notes", { by_kind: ["kind"] })));
  onTestFinished(() => db.close());
  const source = { type: "Search", indexName: "notes.by_kind", filters: [words("x")] } as const;
  const search = (indexName: string) => () =>
    read(db, (tx) => collect(tx, { source: { ...source, indexName }, operators: [] }));
  expect(search("notes.by_kind")).toThrow("Index notes.by_kind is not a search index");
  expect(search("notes.by_none")).toThrow("Index notes.by_none not found.");
});
