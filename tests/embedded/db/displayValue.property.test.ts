/** Values in messages: of large ones only the beginning is composed. */
import { v, type Value } from "convex/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validate } from "../../../embedded/db/validator";
import { displayValue } from "../../../embedded/db/values";
import { longer } from "../../support/chance";

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(null, true),
    fc.uint8Array().map((bytes) => bytes.slice().buffer),
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value")),
  ),
}));

test("what is shown of a value begins like the whole", () => {
  fc.assert(
    fc.property(value, fc.nat({ max: 200 }), (shown, charsMax) => {
      const whole = displayValue(shown);
      const begun = displayValue(shown, charsMax);
      expect(begun.slice(0, charsMax)).toBe(whole.slice(0, charsMax));
      expect(begun.length > charsMax).toBe(whole.length > charsMax);
    }),
    longer(1_000),
  );
});

test("a large value that fits none of many kinds is not read to its end", () => {
  let readCount = 0;
  const elements = new Proxy(Array<Value>(1_000_000).fill(1), {
    get(target, key, receiver) {
      readCount += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const kinds = [v.string(), v.number(), v.null(), v.object({}), v.array(v.string()), v.int64()];
  const validator = (v.union(...kinds) as unknown as { json: Parameters<typeof validate>[0] }).json;
  expect(validate(validator, elements, () => null)).toContain("Value: [1.0, 1.0, 1.0, ");
  expect(readCount).toBeLessThan(20_000);
});
