/**
 * The schema accepts what earlier versions stored: a folder, a backup or an archive of theirs can be opened.
 *
 * documents.txt has the shape of every table's documents, those of all versions so far. It grows with `-u`, which
 * takes nothing back: that is refused here first. Whatever has been emptied everywhere is taken out by hand.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { v, type GenericValidator } from "convex/values";
import { expect, test } from "vitest";
import schema from "../../convex/schema";
import type { SchemaJson, ValidatorJson } from "../../embedded/db/types";
import { acceptsAll } from "./olderDocuments";

const RECORD = "documents.txt";

function shapesNow(): Map<string, ValidatorJson> {
  // `export` is what the official CLI calls; its types do not have it.
  const text = (schema as unknown as { export(): string }).export();
  const { tables } = JSON.parse(text) as SchemaJson;
  const shapes = tables.map(
    ({ tableName, documentType }) => [tableName, documentType ?? { type: "any" }] as const,
  );
  return new Map(shapes.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function shapesBefore(): [string, ValidatorJson][] {
  const lines = readFileSync(path.join(import.meta.dirname, RECORD), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [table = "", ...json] = line.split(" ");
    return [table, JSON.parse(json.join(" ")) as ValidatorJson];
  });
}

test("every document that an earlier version could store fits the schema", async () => {
  const now = shapesNow();
  const before = shapesBefore();
  expect(before.length).toBeGreaterThan(40);
  const refused = before.filter(([table, shape]) => {
    const known = now.get(table);
    return known === undefined || !acceptsAll(known, shape);
  });
  expect(refused.map(([table]) => table)).toEqual([]);
  const lines = [...now].map(([table, shape]) => `${table} ${JSON.stringify(shape)}`);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(RECORD);
});

/** What `export` is made of; the types do not have it either. */
const jsonOf = (validator: GenericValidator) =>
  (validator as unknown as { json: ValidatorJson }).json;
const BEFORE = v.object({
  name: v.string(),
  note: v.optional(v.string()),
  kind: v.union(v.literal("a"), v.literal("b")),
  ofUser: v.id("users"),
  rows: v.array(v.object({ cents: v.int64() })),
});
const { fields } = BEFORE;
const beforeWith = (changed: Record<string, GenericValidator>) =>
  v.object({ ...fields, ...changed });

test.each([
  ["the same", BEFORE],
  ["a new field that may be missing", beforeWith({ added: v.optional(v.number()) })],
  ["a field that may be missing from now on", beforeWith({ name: v.optional(v.string()) })],
  [
    "another member of a union",
    beforeWith({ kind: v.union(...fields.kind.members, v.literal("c")) }),
  ],
  ["any text in place of some", beforeWith({ kind: v.string() })],
  ["anything", beforeWith({ rows: v.any() })],
])("accepted: %s", (_, now) => {
  expect(acceptsAll(jsonOf(now), jsonOf(BEFORE))).toBe(true);
});

const { name: _name, ...withoutName } = fields;
test.each([
  ["a new field that has to be there", beforeWith({ added: v.number() })],
  ["a field that has to be there from now on", beforeWith({ note: v.string() })],
  ["a field that is gone", v.object(withoutName)],
  ["a union with one member less", beforeWith({ kind: v.literal("a") })],
  ["another type", beforeWith({ name: v.number() })],
  ["an id of another table", beforeWith({ ofUser: v.id("accounts") })],
  ["rows with another field", beforeWith({ rows: v.array(v.object({ dollars: v.int64() })) })],
])("refused: %s", (_, now) => {
  expect(acceptsAll(jsonOf(now), jsonOf(BEFORE))).toBe(false);
});
