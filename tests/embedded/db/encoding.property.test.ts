import fc from "fast-check";
import {
  compareValues,
  convexToJson,
  getDocumentSize,
  jsonToConvex,
  type Value,
} from "convex/values";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { longer } from "../../support/chance";
import { decodeId, encodeId, newId } from "../../../embedded/db/ids";
import { fromExportText, toExportText } from "../../../embedded/db/exportJson";
import { encodeKeyValue } from "../../../embedded/db/keyEncoding";
import {
  parseStoredDocument,
  sortedNames,
  checkedCopy,
  toJsonText,
  type Measure,
} from "../../../embedded/db/values";

const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,6}$/);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", "\u0000", "\u0000a", "\u0001", "\uffff", "\ue000", "𝄞", "a\u0000"),
);
/** Powers of two and their neighbours, where half of a number's bytes are equal or about to change. */
const beside = fc.record({
  power: fc.nat(62),
  by: fc.integer({ min: -3, max: 3 }),
  sign: fc.constantFrom(1, -1),
});
const bigints = beside.map(
  ({ power, by, sign }) => BigInt(sign) * (2n ** BigInt(power) + BigInt(by)),
);
const doubles = beside.map(({ power, by, sign }) => sign * 2 ** power * (1 + by * Number.EPSILON));
const special = fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e300, -1e-300);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.oneof(bigints, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    fc.oneof(special, doubles, fc.double()),
    text,
    fc.uint8Array({ maxLength: 5 }).map((bytes) => bytes.slice().buffer),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** A value that differs from another in one part at most: two that are drawn alone differ in their type already. */
function alike(one: Value): fc.Arbitrary<Value> {
  if (typeof one === "string") return text.map((more) => one + more);
  if (one instanceof ArrayBuffer) {
    const end = fc.uint8Array({ maxLength: 3, max: 1 });
    return end.map((more) => Uint8Array.of(...new Uint8Array(one), ...more).buffer);
  }
  if (Array.isArray(one)) {
    return fc.nat(one.length).chain((at) => {
      const [before, [part = null, ...after]] = [one.slice(0, at), one.slice(at)];
      const other = alike(part).map((changed) => [...before, changed, ...after]);
      return fc.oneof(fc.constant(before), other);
    });
  }
  if (typeof one !== "object" || one === null) return value;
  const fields = one as Record<string, Value>;
  return fc.constantFrom(...Object.keys(fields), "added").chain((field) => {
    const { [field]: part = null, ...rest } = fields;
    return fc.oneof(
      fc.constant(rest),
      alike(part).map((changed): Value => ({ ...rest, [field]: changed })),
    );
  });
}
/** Two of the same index over two fields. */
const pair = fc.tuple(value, value, value).chain(([one, next, other]) =>
  fc.oneof(value, alike(one)).map((first): [Value[], Value[]] => [
    [one, next],
    [first, other],
  ]),
);

describe("index keys", () => {
  test("their byte order equals the order of values", () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [keyA, keyB] = [encodeKeyValue(a), encodeKeyValue(b)];
        const order = keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
        expect(order).toBe(Math.sign(compareValues(a, b)));
      }),
      longer(5000),
    );
  });

  test("so it does for numbers beside each other", () => {
    const two = (numbers: fc.Arbitrary<Value>) => fc.tuple(numbers, numbers);
    fc.assert(
      fc.property(fc.oneof(two(bigints), two(doubles)), ([a, b]) => {
        expect(encodeKeyValue(a) < encodeKeyValue(b)).toBe(compareValues(a, b) < 0);
      }),
      longer(20_000),
    );
  });

  test("a text with half a character, which no document has, is in its place and equals none", () => {
    for (const half of ["\ud83c", "\udfe6", "a\ud83cb"]) {
      for (const other of [
        "\ufffd",
        "a\ufffdb",
        "\ud7ff",
        "a\ud7ff",
        "\ue000",
        "a\ue000",
        "\u{1f3e6}",
      ]) {
        expect(encodeKeyValue(half) < encodeKeyValue(other)).toBe(compareValues(half, other) < 0);
        expect(encodeKeyValue(half)).not.toBe(encodeKeyValue(other));
      }
    }
  });

  test("undefined sorts first", () => {
    for (const other of [null, -(2n ** 63n), -Infinity, "", []]) {
      expect(encodeKeyValue(undefined) < encodeKeyValue(other)).toBe(true);
    }
  });
});

describe("values", () => {
  test("whole numbers of other archives are integers as far as they fit", () => {
    expect(fromExportText('{"a":9223372036854775807,"b":9223372036854775808}')).toEqual({
      a: 2n ** 63n - 1n,
      b: 2 ** 63,
    });
    expect(fromExportText('{"a":-9223372036854775808,"b":-9223372036854775809}')).toEqual({
      a: -(2n ** 63n),
      b: -(2 ** 63),
    });
  });

  test("come back from the export form as they were, and are official JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (fields) => {
        const line = toExportText(fields);
        expect(() => JSON.parse(line) as unknown).not.toThrow();
        expect(compareValues(fromExportText(line), fields)).toBe(0);
      }),
      longer(1000),
    );
    expect(toExportText({ float: 1, int: 1n, least: -0, deep: [{ b: 2, a: null }] })).toBe(
      '{"deep":[{"a":null,"b":2.0}],"float":1.0,"int":1,"least":-0.0}',
    );
  });

  test("their JSON text is what the official library writes", () => {
    fc.assert(
      fc.property(value, (one) => {
        const measure: Measure = { sizeBytes: 0, nesting: 0 };
        const taken = checkedCopy(one, measure);
        expect(toJsonText(taken)).toBe(JSON.stringify(convexToJson(one)));
        expect(compareValues(jsonToConvex(convexToJson(one)), taken)).toBe(0);
        const { stored } = parseStoredDocument(toJsonText({ stored: taken }));
        expect(compareValues(stored, taken)).toBe(0);
        expect(measure.sizeBytes + 61).toBe(getDocumentSize({ a: one }) - 4);
      }),
      longer(2000),
    );
  });

  test("an object's names come in order, however many they are", () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.constant(null), { maxKeys: 80 }), (fields) => {
        expect(sortedNames(fields)).toEqual(Object.keys(fields).sort());
      }),
      longer(500),
    );
  });
});

describe("ids", () => {
  test("the official vector", () => {
    const internal = new Uint8Array(16);
    for (let at = 0, byte = 251; at < 16; at++, byte = (byte * 251) % 256) internal[at] = byte;
    expect(encodeId(1017, internal)).toBe("z43zp6c3e75gkmz1kfwj6mbbx5sw281h");
    expect(decodeId("z43zp6c3e75gkmz1kfwj6mbbx5sw281h")).toEqual({ tableNumber: 1017, internal });
  });

  test("every id decodes to what it was made of, and no other text does", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 0xffffffff }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.nat(30),
        (tableNumber, internal, at) => {
          const id = encodeId(tableNumber, internal);
          expect(decodeId(id)).toEqual({ tableNumber, internal: new Uint8Array(internal) });
          const changed = id.slice(0, at) + (id[at] === "x" ? "y" : "x") + id.slice(at + 1);
          expect(decodeId(changed)).toBeNull();
          expect(decodeId(id.toUpperCase() === id ? "" : id.toUpperCase())).toBeNull();
        },
      ),
      longer(2000),
    );
  });

  test("new ids differ", () => {
    expect(new Set(Array.from({ length: 2000 }, () => newId(10_001))).size).toBe(2000);
  });

  test("new ids lie behind those of the second before", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const inTurn = Array.from({ length: 300 }, () => {
      vi.advanceTimersByTime(1000);
      return newId(10_001);
    });
    expect(inTurn.toSorted()).toEqual(inTurn);
  });

  test("of a new id, all bytes behind the time are drawn", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const made = Array.from({ length: 600 }, () => decodeId(newId(10_001))!.internal);
    const values = Array.from({ length: 16 }, (_, at) => new Set(made.map((bytes) => bytes[at])));
    expect(values.slice(0, 4).map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    // 600 draws show 231 of 256 values, give or take five: 190 is eight deviations away.
    for (const { size } of values.slice(4)) expect(size).toBeGreaterThan(190);
  });
});
