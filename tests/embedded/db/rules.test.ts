import { convexToJson, v } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { compileFilter } from "../../../embedded/db/expressions";
import {
  READ_MAX_BYTES,
  WRITTEN_MAX_BYTES,
  DOCUMENTS_READ_MAX,
  DOCUMENTS_WRITTEN_MAX,
  INDEX_RANGES_READ_MAX,
  Meter,
} from "../../../embedded/db/limits";
import type { ValidatorJson } from "../../../embedded/db/types";
import { displayValidator, validate } from "../../../embedded/db/validator";
import { memoryDatabase, mutate, read, schema, table } from "./support";

/** The JSON of an official validator, as the library exports it. */
function jsonOf(validator: object): ValidatorJson {
  return (validator as { json: ValidatorJson }).json;
}

describe("values against validators", () => {
  const noTable = () => null;
  const someTable = (id: string) => (id === "u1" ? "users" : null);

  test.each<[string, object, Value]>([
    ["a string", v.string(), "x"],
    ["an int64", v.int64(), 1n],
    ["a float", v.number(), NaN],
    ["bytes", v.bytes(), new ArrayBuffer(1)],
    ["a literal", v.literal("a"), "a"],
    ["one of a union", v.union(v.null(), v.boolean()), false],
    ["an object without its optional field", v.object({ a: v.optional(v.string()) }), {}],
    ["a record", v.record(v.string(), v.number()), { a: 1 }],
    ["an array", v.array(v.array(v.number())), [[1], []]],
    ["an id of the table", v.id("users"), "u1"],
  ])("%s fits", (_, validator, value) => {
    expect(validate(jsonOf(validator), value, someTable)).toBeNull();
  });

  test.each<[string, object, Value, string]>([
    ["a float for an int64", v.int64(), 1, "Value does not match validator."],
    ["an int64 for a float", v.number(), 1n, "Value does not match validator."],
    ["another literal", v.literal("a"), "b", 'does not match literal validator `v.literal("a")`'],
    [
      "a missing field",
      v.object({ a: v.string() }),
      {},
      "Object is missing the required field `a`. Consider wrapping the field",
    ],
    [
      "a field too many",
      v.object({}),
      { b: 1 },
      "Object contains extra field `b` that is not in the validator.",
    ],
    ["a wrong element", v.object({ a: v.array(v.null()) }), { a: [null, 1] }, "Path: .a[1]"],
    ["an inherited field", v.object({ toString: v.any() }), {}, "missing the required field"],
  ])("%s is refused in the official words", (_, validator, value, text) => {
    expect(validate(jsonOf(validator), value, noTable)).toContain(text);
  });

  test("an id of another table is named with both tables", () => {
    expect(validate(jsonOf(v.id("notes")), "u1", someTable)).toBe(
      'Found ID "u1" from table `users`, which does not match the table name in validator `v.id("notes")`.',
    );
  });

  test("validators print as the real backend prints them", () => {
    const validator = v.object({
      b: v.optional(v.union(v.literal(1), v.literal("x"))),
      a: v.record(v.id("users"), v.array(v.int64())),
    });
    expect(displayValidator(jsonOf(validator))).toBe(
      'v.object({a: v.record(v.id("users"), v.array(v.int64())), ' +
        'b: v.optional(v.union(v.literal(1.0), v.literal("x")))})',
    );
  });
});

describe("filter expressions", () => {
  const fields = { n: 5, s: "b", deep: { x: null } };
  const field = (name: string) => ({ $field: name });
  const literal = (value: JSONValue) => ({ $literal: value });
  const int = (value: bigint) => literal(convexToJson(value));
  const [leastInt, greatestInt] = [int(-(2n ** 63n)), int(2n ** 63n - 1n)];

  test.each<[string, JSONValue, boolean]>([
    ["equal", { $eq: [field("n"), literal(5)] }, true],
    ["not equal", { $neq: [field("n"), literal(5)] }, false],
    ["less", { $lt: [field("s"), literal("c")] }, true],
    ["a missing field sorts before everything", { $lt: [field("none"), literal(null)] }, true],
    ["a path into an object", { $eq: [field("deep.x"), literal(null)] }, true],
    ["a path through a scalar is missing", { $eq: [field("n.x"), field("none")] }, true],
    ["and of nothing", { $and: [] }, true],
    ["or of nothing", { $or: [] }, false],
    ["not", { $not: { $eq: [field("n"), literal(5)] } }, false],
    ["arithmetic", { $eq: [{ $add: [field("n"), literal(2)] }, literal(7)] }, true],
    ["remainder", { $eq: [{ $mod: [field("n"), literal(3)] }, literal(2)] }, true],
    ["negation", { $eq: [{ $neg: field("n") }, literal(-5)] }, true],
    ["at most, equal", { $lte: [field("n"), literal(5)] }, true],
    ["at most, above", { $lte: [field("n"), literal(4)] }, false],
    ["at least, equal", { $gte: [field("n"), literal(5)] }, true],
    ["at least, below", { $gte: [field("n"), literal(6)] }, false],
    ["integers", { $eq: [{ $div: [int(7n), int(2n)] }, int(3n)] }, true],
  ])("%s", (_, expression, expected) => {
    expect(compileFilter(expression)(fields)).toBe(expected);
  });

  test.each<[string, JSONValue, RegExp]>([
    ["a number as a condition", field("n"), /Cannot use value 5\.0 .* as a Boolean/],
    ["text plus number", { $add: [field("s"), field("n")] }, /Cannot add "b" \(type String\)/],
    ["an unknown operator", { $pow: [field("n"), field("n")] }, /unknown operator \$pow/],
    ["a name of Object's prototype", { constructor: [] }, /unknown operator constructor/],
    ["one operand of two", { $eq: [field("n")] }, /operands of \$eq/],
    ["an integer and a float", { $add: [int(1n), field("n")] }, /Cannot add 1n? \(type Int64\)/],
    ["bytes in a sum", { $add: [literal({ $bytes: "" }), field("n")] }, /\(type Bytes\)/],
    ["an object in a sum", { $add: [field("deep"), field("n")] }, /\(type Object\)/],
    ["an array in a sum", { $add: [literal([]), field("n")] }, /\(type Array\)/],
    ["a sum out of range", { $add: [greatestInt, int(1n)] }, /out of range for Int64/],
    ["a difference out of range", { $sub: [leastInt, int(1n)] }, /out of range for Int64/],
    ["a quotient by zero", { $div: [int(1n), int(0n)] }, /out of range for Int64/],
    ["a negation out of range", { $neg: leastInt }, /Cannot negate.*out of range for Int64/],
  ])("%s is an error", (_, expression, message) => {
    expect(() => compileFilter(expression)(fields)).toThrow(message);
  });
});

describe("fields of the system", () => {
  test("a document may carry its own id and creation time, and no others", async () => {
    const db = await memoryDatabase(schema(table("notes")));
    const id = await mutate(db, (tx) => tx.insertValue("notes", { text: "a", _draft: undefined }));
    const { _creationTime } = read(db, (tx) => tx.get(id)!.value()) as { _creationTime: number };
    await mutate(db, (tx) => tx.replaceValue(id, { _id: id, _creationTime, text: "b" }));
    expect(read(db, (tx) => tx.get(id)!.value())).toEqual({ _id: id, _creationTime, text: "b" });
    const refusedFields: [Record<string, Value>, RegExp][] = [
      [{ _id: "other" }, /Provided document ID "\w+" doesn't match '_id' field "other"/],
      [{ _creationTime: 1 }, /doesn't match '_creationTime' field 1\.0/],
      [{ _draft: true }, /Field '_draft' starts with an underscore/],
    ];
    for (const [fields, message] of refusedFields) {
      await expect(mutate(db, (tx) => tx.replaceValue(id, fields))).rejects.toThrow(message);
    }
    await db.close();
  });
});

describe("limits of one transaction", () => {
  const repeat = (times: number, step: () => void) => {
    for (let n = 0; n < times; n++) step();
  };

  test.each<[string, (meter: Meter) => void, (meter: Meter) => void, RegExp]>([
    [
      "index ranges",
      (meter) => repeat(INDEX_RANGES_READ_MAX, () => meter.countRange()),
      (meter) => meter.countRange(),
      /^Too many reads in a single function execution \(limit: 4096\)\./,
    ],
    [
      "documents read",
      (meter) => repeat(DOCUMENTS_READ_MAX, () => meter.countRead(1)),
      (meter) => meter.countRead(1),
      /^Too many documents read in a single function execution \(limit: 32000\)\./,
    ],
    [
      "bytes read",
      (meter) => meter.countRead(READ_MAX_BYTES),
      (meter) => meter.countRead(1),
      /^Too many bytes read in a single function execution \(limit: 16777216 bytes\)\./,
    ],
    [
      "documents written",
      (meter) => repeat(DOCUMENTS_WRITTEN_MAX, () => meter.countWrite(1)),
      (meter) => meter.countWrite(1),
      /^Too many writes in a single function execution \(limit: 16000\)/,
    ],
    [
      "bytes written",
      (meter) => meter.countWrite(WRITTEN_MAX_BYTES),
      (meter) => meter.countWrite(1),
      /^Too many bytes written in a single function execution \(limit: 16 MiB\)/,
    ],
  ])("%s: the limit is allowed, one more is not", (_, fill, exceed, message) => {
    const meter = new Meter();
    fill(meter);
    expect(() => exceed(meter)).toThrow(message);
  });
});
