import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonToConvex, type Value } from "convex/values";
import { fitsOf } from "../../../embedded/db/fits";
import { firstMismatch } from "../../../embedded/db/validator";
import type { ValidatorJson } from "../../../embedded/db/types";
import { longer } from "../../support/chance";

const name = fc.constantFrom("a", "b", "_id", "toString");
const { validator } = fc.letrec<{ validator: ValidatorJson }>((tie) => ({
  validator: fc.oneof(
    { depthSize: "small" },
    fc
      .constantFrom("null", "number", "bigint", "boolean", "string", "bytes", "any")
      .map((type): ValidatorJson => ({ type })),
    fc.constantFrom("a", 1, true).map((value): ValidatorJson => ({ type: "literal", value })),
    fc.constant<ValidatorJson>({ type: "literal", value: { $integer: "AQAAAAAAAAA=" } }),
    fc.constantFrom("t", "u").map((tableName): ValidatorJson => ({ type: "id", tableName })),
    tie("validator").map((value): ValidatorJson => ({ type: "array", value })),
    fc
      .array(tie("validator"), { maxLength: 3 })
      .map((value): ValidatorJson => ({ type: "union", value })),
    {
      arbitrary: fc
        .dictionary(name, fc.record({ fieldType: tie("validator"), optional: fc.boolean() }))
        .map((value): ValidatorJson => ({ type: "object", value })),
      weight: 4,
    },
    tie("validator").map((fieldType): ValidatorJson => ({
      type: "record",
      keys: { type: "string" },
      values: { fieldType },
    })),
  ),
}));
const { value } = fc.letrec<{ value: Value | undefined }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, undefined, 1, 1n, true, "a", "t1", "u1", new ArrayBuffer(1)),
    fc.array(tie("value") as fc.Arbitrary<Value>, { maxLength: 3 }),
    fc.dictionary(name, tie("value") as fc.Arbitrary<Value>, { maxKeys: 3 }),
  ),
}));

/** One value of each plain kind. */
const PLAIN: Record<string, Value> = {
  null: null,
  number: 1,
  bigint: 1n,
  boolean: true,
  string: "a",
  bytes: new ArrayBuffer(1),
  any: "a",
};

/** A value that fits, but for some parts of it: what is drawn without a look at the validator hardly ever does. */
function nearlyFitting(wanted: ValidatorJson): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ arbitrary: fitting(wanted), weight: 9 }, { arbitrary: value, weight: 1 });
}

function fitting(wanted: ValidatorJson): fc.Arbitrary<Value | undefined> {
  switch (wanted.type) {
    case "literal":
      return fc.constant(jsonToConvex(wanted.value));
    case "id":
      return fc.constant(`${wanted.tableName}1`);
    case "union":
      return fc.oneof(value, ...wanted.value.map(nearlyFitting));
    case "array":
      return fc.array(nearlyFitting(wanted.value) as fc.Arbitrary<Value>, { maxLength: 3 });
    case "record":
      return fc.dictionary(name, nearlyFitting(wanted.values.fieldType), { maxKeys: 3 });
    case "object": {
      const fields = Object.entries(wanted.value);
      const parts = fields.map(
        ([field, { fieldType }]) => [field, nearlyFitting(fieldType)] as const,
      );
      const requiredKeys = fields.filter(([, { optional }]) => !optional).map(([field]) => field);
      const own = fc.record<Record<string, Value | undefined>>(Object.fromEntries(parts), {
        requiredKeys,
      });
      const more = fc.dictionary(name, value, { maxKeys: 2 });
      return fc.tuple(own, more).map(([given, unknown]) => ({ ...unknown, ...given }));
    }
    default:
      return fc.constant(PLAIN[wanted.type]);
  }
}

/** A validator, and a value for it. */
const pair = validator.chain((wanted) =>
  fc.tuple(fc.constant(wanted), fc.oneof(value, nearlyFitting(wanted))),
);

const tableOfId = (id: string): string | null => (/^[tu]1$/.test(id) ? id.charAt(0) : null);

/** What the messages say. Those of a union ask `fitsOf` itself, so its options are asked here, one by one. */
function isRefused(wanted: ValidatorJson, given: Value | undefined, isDocument: boolean): boolean {
  return wanted.type === "union"
    ? wanted.value.every((option) => isRefused(option, given, isDocument))
    : firstMismatch(wanted, given, tableOfId, isDocument) !== null;
}

/** A document of several kinds, with a field that every document has: rare among what is drawn. */
const ofKinds: ValidatorJson = { type: "union", value: [{ type: "object", value: {} }] };

test("a value fits exactly when there is nothing to say against it", () => {
  fc.assert(
    fc.property(pair, fc.boolean(), ([wanted, given], isDocument) => {
      const fits = fitsOf(wanted, isDocument)(given, tableOfId);
      expect(fits).toBe(!isRefused(wanted, given, isDocument));
    }),
    { ...longer(2000), examples: [[[ofKinds, { _id: "t1" }], true]] },
  );
});
