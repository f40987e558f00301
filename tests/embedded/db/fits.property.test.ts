import fc from "fast-check";
import { expect, test } from "vitest";
import type { Value } from "convex/values";
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
    fc
      .dictionary(name, fc.record({ fieldType: tie("validator"), optional: fc.boolean() }))
      .map((value): ValidatorJson => ({ type: "object", value })),
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

const tableOfId = (id: string): string | null => (/^[tu]1$/.test(id) ? id.charAt(0) : null);

test("a value fits exactly when there is nothing to say against it", () => {
  fc.assert(
    fc.property(validator, value, fc.boolean(), (wanted, given, isDocument) => {
      const mismatch = firstMismatch(wanted, given, tableOfId, isDocument);
      expect(fitsOf(wanted, isDocument)(given, tableOfId)).toBe(mismatch === null);
    }),
    longer(2000),
  );
});
