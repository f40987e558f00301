/**
 * The official export format of values: readable JSON without loss. An int64 is a whole number (`5`), a float
 * has a point or an exponent (`5.0`), bytes and special floats are encoded as on the wire.
 */
import type { JSONValue, Value } from "convex/values";
import { fromUntrustedJson, isInt64, sortedNames, toJsonText } from "./values.ts";

/** A value in the export format, fields sorted by name. */
export function toExportText(value: Value): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return toJsonText(value);
    if (Object.is(value, -0)) return "-0.0";
    const text = String(value);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  if (Array.isArray(value)) return `[${value.map(toExportText).join(",")}]`;
  if (typeof value !== "object" || value === null || value instanceof ArrayBuffer) {
    return toJsonText(value);
  }
  const fields = value as Record<string, Value>;
  const texts = sortedNames(fields).map(
    (name) => `${JSON.stringify(name)}:${toExportText(fields[name]!)}`,
  );
  return `{${texts.join(",")}}`;
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const WHOLE_NUMBER = /^-?\d+$/;

function encodeWholeNumber(token: string): string {
  if (!WHOLE_NUMBER.test(token)) return token;
  const number = BigInt(token);
  // As officially: a number outside the int64 range is read as a float.
  return isInt64(number) ? toJsonText(number) : token;
}

/** Parses one line of the export format. @throws Error for a line that is not an object of values */
export function fromExportText(line: string): Record<string, Value> {
  return objectOf(JSON.parse(line.replace(STRING_OR_NUMBER, encodeWholeNumber)) as JSONValue);
}

/** Parses one line in the wire encoding, the format of older archives. */
export function fromEncodedText(line: string): Record<string, Value> {
  return objectOf(JSON.parse(line) as JSONValue);
}

function objectOf(json: JSONValue): Record<string, Value> {
  const value = fromUntrustedJson(json);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error("A document must be an object");
  }
  return value as Record<string, Value>;
}
