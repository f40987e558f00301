/**
 * Order-preserving encoding of values into index keys.
 *
 * A key is a "binary string": one character (0 to 255) per byte, so that JavaScript's own string order
 * and hashing work on it. The order equals `compareValues` of `convex/values`; strings sort by their
 * UTF-8 bytes. Tags are the official ones. No encoded value starts with 0xFF, hence `prefix + "\xff"`
 * is above every key that starts with `prefix`.
 */
import type { Value } from "convex/values";
import type { IndexKey } from "./types.ts";

const TAG_UNDEFINED = "\x01";
const TAG_NULL = "\x03";
const TAG_INT64 = "\x0a";
const TAG_FLOAT64 = "\x0d";
const TAG_FALSE = "\x0e";
const TAG_TRUE = "\x0f";
const TAG_STRING = "\x10";
const TAG_BYTES = "\x11";
const TAG_ARRAY = "\x12";
const TAG_OBJECT = "\x15";
const END = "\x00";
const ESCAPED_ZERO = "\x00\xff";
/** Appended to a key, sorts above every key that starts with it. */
export const AFTER_PREFIX = "\xff";

const scratch = new DataView(new ArrayBuffer(8));
// eslint-disable-next-line no-control-regex -- NUL has to be matched
const NEEDS_CARE = /[\x00\x80-\uffff]/;

function scratchToKey(): string {
  return String.fromCharCode(
    scratch.getUint8(0),
    scratch.getUint8(1),
    scratch.getUint8(2),
    scratch.getUint8(3),
    scratch.getUint8(4),
    scratch.getUint8(5),
    scratch.getUint8(6),
    scratch.getUint8(7),
  );
}

// One key for all NaNs: they are one value, but their bits differ (0/0, or as a client encoded it), and the
// entry of a changed document is found by the key of its old value.
const NAN_KEY = TAG_FLOAT64 + "\xff\xf8\x00\x00\x00\x00\x00\x00";

function encodeFloat64(value: number): string {
  if (Number.isNaN(value)) return NAN_KEY;
  scratch.setFloat64(0, value);
  const high = scratch.getUint32(0);
  if (high >= 0x80000000) {
    scratch.setUint32(0, ~high >>> 0);
    scratch.setUint32(4, ~scratch.getUint32(4) >>> 0);
  } else {
    scratch.setUint32(0, (high | 0x80000000) >>> 0);
  }
  return TAG_FLOAT64 + scratchToKey();
}

function encodeInt64(value: bigint): string {
  scratch.setBigInt64(0, value);
  scratch.setUint32(0, (scratch.getUint32(0) ^ 0x80000000) >>> 0);
  return TAG_INT64 + scratchToKey();
}

/** Half a character: such a text is not well-formed. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
/** Not UTF-8: UTF-8 would make U+FFFD of each, and a range would find the documents that have that. */
const SURROGATE_KEY = "\xed\xa0\x80";

/** UTF-8 bytes of a text as a binary string. No document's text has a lone surrogate, but a bound may. */
export function utf8Key(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text, "utf8").toString("latin1");
  return text.split(LONE_SURROGATE).map(utf8Key).join(SURROGATE_KEY);
}

function encodeString(text: string): string {
  if (!NEEDS_CARE.test(text)) return TAG_STRING + text + END;
  return TAG_STRING + escapeZeros(utf8Key(text)) + END;
}

function escapeZeros(bytes: string): string {
  return bytes.includes(END) ? bytes.replaceAll(END, ESCAPED_ZERO) : bytes;
}

/** The key bytes of one value; `undefined` stands for a missing field. */
export function encodeKeyValue(value: Value | undefined): IndexKey {
  switch (typeof value) {
    case "undefined":
      return TAG_UNDEFINED;
    case "string":
      return encodeString(value);
    case "number":
      return encodeFloat64(value);
    case "bigint":
      return encodeInt64(value);
    case "boolean":
      return value ? TAG_TRUE : TAG_FALSE;
    default:
      return encodeComposite(value);
  }
}

function encodeComposite(value: Exclude<Value, string | number | bigint | boolean>): IndexKey {
  if (value === null) return TAG_NULL;
  if (value instanceof ArrayBuffer) {
    return TAG_BYTES + escapeZeros(Buffer.from(value).toString("latin1")) + END;
  }
  if (Array.isArray(value)) {
    let key = TAG_ARRAY;
    for (const element of value) key += encodeKeyValue(element);
    return key + END;
  }
  const fields = value as Record<string, Value | undefined>;
  let key = TAG_OBJECT;
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name];
    if (field !== undefined) key += encodeString(name) + encodeKeyValue(field);
  }
  return key + END;
}

/** The four bytes that every key of an index starts with. */
export function indexPrefix(indexId: number): IndexKey {
  return String.fromCharCode(
    (indexId >>> 24) & 255,
    (indexId >>> 16) & 255,
    (indexId >>> 8) & 255,
    indexId & 255,
  );
}

/** Length of {@link indexPrefix}. */
export const INDEX_PREFIX_LENGTH = 4;

/** The smallest key above `key`. */
export function keyAfter(key: IndexKey): IndexKey {
  return key + "\x00";
}
