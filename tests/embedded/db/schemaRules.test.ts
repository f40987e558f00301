/** Schemas that the real backend refuses are refused here, too. */
import { describe, expect, test } from "vitest";
import { INDEXES_PER_TABLE_MAX } from "../../../embedded/db/limits";
import type { TableJson, ValidatorJson } from "../../../embedded/db/types";
import { memoryDatabase, schema, table } from "./support";

const field = (fieldType: ValidatorJson) => ({ fieldType, optional: true });

const person: ValidatorJson = {
  type: "union",
  value: [
    { type: "object", value: { name: field({ type: "string" }) } },
    {
      type: "object",
      value: { home: field({ type: "object", value: { city: field({ type: "string" }) } }) },
    },
  ],
};

const named = (name: string): ValidatorJson => ({
  type: "object",
  value: { home: field({ type: "object", value: { [name]: field({ type: "string" }) } }) },
});

const searchable = (...filterFields: string[][]): TableJson => ({
  ...table("people", {}, person),
  searchIndexes: filterFields.map((fields, at) => ({
    indexDescriptor: `search_${at}`,
    searchField: "name",
    filterFields: fields,
  })),
});

const numbered = (count: number): Record<string, string[]> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`by_${at}`, [`field${at}`]]));

describe("a schema is refused", () => {
  test.each<[string, TableJson, string]>([
    [
      "with two indexes on the same fields",
      table("people", { by_name: ["name"], by_their_name: ["name", "_creationTime"] }),
      'Index "people.by_their_name" has the same fields as "by_name"',
    ],
    [
      "with two searches on the same fields",
      searchable(["home.city", "name"], ["name", "home.city"]),
      'Index "people.search_1" has the same fields as "search_0"',
    ],
    ...["a-b", "1st", "", "__", "$a", "é", "x".repeat(65)].map(
      (name): [string, TableJson, string] => [
        `with the field ${name}`,
        table("people", {}, { type: "array", value: { type: "union", value: [named(name)] } }),
        `Table "people" has a field with the invalid name "${name}"`,
      ],
    ),
    ["with an index that names a field twice", table("people", { by: ["a", "a"] }), "twice"],
    ["with an index without fields", table("people", { by: [] }), "has no fields"],
    ["with an index of ids", table("people", { by: ["a", "_id"] }), "names `_id`"],
    [
      "with an index that begins with the creation time",
      table("people", { by: ["_creationTime", "a"] }),
      'Index "people.by" names `_creationTime`, which is added to the end of every index',
    ],
    ["with an index of a system's field", table("people", { by: ["_x"] }), 'reserved field "_x"'],
    ["with an index of one inside", table("people", { by: ["a._x"] }), 'reserved field "a._x"'],
    [
      "with a search that filters by too many fields",
      searchable(Object.keys(numbered(17))),
      'Index "people.search_0" filters by 17 fields (maximum 16)',
    ],
    ["with an index of a built-in name", table("people", { by_id: ["a"] }), "a reserved name"],
    ["with an index of an invalid name", table("people", { _by: ["a"] }), "an invalid name"],
    [
      "with an index on a field that no document has",
      table("people", { by_city: ["home.street"] }, person),
      'Index "people.by_city" names the field "home.street", which no document can have',
    ],
    ["with a search that filters by such a field", searchable(["age"]), 'the field "age"'],
    ["with a table of the system's", table("_people"), '"_people" is a reserved table name'],
    [
      "with an index of vectors",
      { ...table("people"), vectorIndexes: [{ indexDescriptor: "by_likeness" }] },
      'Table "people" declares a vector index',
    ],
    [
      "with too many indexes",
      table("people", numbered(INDEXES_PER_TABLE_MAX + 1)),
      'Table "people" has 65 indexes (maximum 64)',
    ],
  ])("%s", async (_, wrong, message) => {
    await expect(memoryDatabase(schema(wrong))).rejects.toThrow(message);
  });
});

describe("a schema is accepted", () => {
  test.each<[string, TableJson]>([
    ["with as many indexes as allowed", table("people", numbered(INDEXES_PER_TABLE_MAX))],
    [
      "with indexes on fields that some documents have",
      table("people", { by_name: ["name", "home.city"], by_city: ["home.city", "name"] }, person),
    ],
    ["with fields of all kinds of names", table("people", {}, named(`_a1_${"x".repeat(60)}`))],
    ["with searches by different filters", searchable([], ["home.city"], ["_creationTime"])],
  ])("%s", async (_, right) => {
    const db = await memoryDatabase(schema(right));
    expect(db.catalog.table("people")).not.toBeNull();
    await db.close();
  });

  test("with an index on any field when documents are not checked", async () => {
    const loose = schema(table("people", { by_age: ["age"] }, person));
    const db = await memoryDatabase({ ...loose, schemaValidation: false });
    await db.close();
  });
});
