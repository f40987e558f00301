/**
 * Values in their three forms: Convex values in memory, encoded JSON on the wire, JSON text in the store.
 *
 * Encoded JSON from outside is checked before conversion: `__proto__` never becomes a prototype, nesting is
 * limited. Stored JSON was checked when it was written.
 *
 * Long because the three forms share their tables, and every rule about values should be in one place.
 */
import { convexToJson, jsonToConvex, type JSONValue, type Value } from "convex/values";
import { LONE_SURROGATE } from "./keyEncoding.ts";
import type { DocumentValue } from "./types.ts";

/** Nesting allowed in arguments, results and values in general. */
const VALUE_NESTING_MAX = 64;
const ARRAY_LENGTH_MAX = 8192;
const OBJECT_FIELDS_MAX = 1024;

const scratch = Buffer.alloc(8);

/** True when a bigint fits into the 64 bits that Convex stores. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function isSpecialFloat(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}

/** The text of every NaN: their bits differ, but they are one value. */
const NAN_TEXT = '{"$float":"AAAAAAAA+H8="}';

const fieldTexts = new Map<string, string>();
const FIELD_TEXTS_MAX = 10_000;

/** `"name":`, cached, because a schema has few names. */
function fieldText(name: string): string {
  let text = fieldTexts.get(name);
  if (text === undefined) {
    text = JSON.stringify(name) + ":";
    if (fieldTexts.size < FIELD_TEXTS_MAX) fieldTexts.set(name, text);
  }
  return text;
}

// What needs no escaping in JSON: printable ASCII without quotes and backslashes.
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const int64View = new DataView(new ArrayBuffer(8));

/** The codes of {@link BASE64}'s characters. */
const BASE64_CODES = Uint8Array.from(BASE64, (character) => character.charCodeAt(0));
const PADDING_CODE = 0x3d;

function threeBytes(at: number): number {
  return (
    (int64View.getUint8(at) << 16) | (int64View.getUint8(at + 1) << 8) | int64View.getUint8(at + 2)
  );
}

/** Base64 of the eight little-endian bytes, in one call: joining twelve characters is four times slower. */
function int64Base64(value: bigint): string {
  int64View.setBigInt64(0, value, true);
  const a = threeBytes(0);
  const b = threeBytes(3);
  const c = (int64View.getUint8(6) << 8) | int64View.getUint8(7);
  return String.fromCharCode(
    BASE64_CODES[a >>> 18]!,
    BASE64_CODES[(a >>> 12) & 63]!,
    BASE64_CODES[(a >>> 6) & 63]!,
    BASE64_CODES[a & 63]!,
    BASE64_CODES[b >>> 18]!,
    BASE64_CODES[(b >>> 12) & 63]!,
    BASE64_CODES[(b >>> 6) & 63]!,
    BASE64_CODES[b & 63]!,
    BASE64_CODES[c >>> 10]!,
    BASE64_CODES[(c >>> 4) & 63]!,
    BASE64_CODES[(c & 15) << 2]!,
    PADDING_CODE,
  );
}

/** The value of each of {@link BASE64}'s characters, by its code. */
const SEXTETS = new Uint8Array(128);
for (let at = 0; at < BASE64.length; at++) SEXTETS[BASE64.charCodeAt(at)] = at;

/** Inverse of {@link int64Base64}: four characters, three bytes at a time. */
function int64OfBase64(text: string): bigint {
  for (let byte = 0, at = 0; byte < 8; byte += 3, at += 4) {
    const four =
      (SEXTETS[text.charCodeAt(at)]! << 18) |
      (SEXTETS[text.charCodeAt(at + 1)]! << 12) |
      (SEXTETS[text.charCodeAt(at + 2)]! << 6) |
      SEXTETS[text.charCodeAt(at + 3)]!;
    int64View.setUint8(byte, four >>> 16);
    int64View.setUint8(byte + 1, (four >>> 8) & 255);
    if (byte < 6) int64View.setUint8(byte + 2, four & 255);
  }
  return int64View.getBigInt64(0, true);
}

/** Encoded JSON text of a value, keys sorted, as `JSON.stringify(convexToJson(value))` prints it. */
export function toJsonText(value: Value): string {
  switch (typeof value) {
    case "string":
      return value.length < 256 && PLAIN_TEXT.test(value) ? `"${value}"` : JSON.stringify(value);
    case "number":
      if (isSpecialFloat(value)) {
        if (Number.isNaN(value)) return NAN_TEXT;
        scratch.writeDoubleLE(value);
        return `{"$float":"${scratch.toString("base64")}"}`;
      }
      return String(value);
    case "bigint":
      return `{"$integer":"${int64Base64(value)}"}`;
    case "boolean":
      return value ? "true" : "false";
    default:
      return compositeToJsonText(value);
  }
}

function compositeToJsonText(value: Exclude<Value, string | number | bigint | boolean>): string {
  if (value === null) return "null";
  if (value instanceof ArrayBuffer) {
    return `{"$bytes":"${Buffer.from(value).toString("base64")}"}`;
  }
  if (Array.isArray(value)) {
    let text = "[";
    for (let at = 0; at < value.length; at++) text += (at ? "," : "") + toJsonText(value[at]!);
    return text + "]";
  }
  return objectToJsonText(value as DocumentValue);
}

/** With more names than this, the built-in sort is used. */
const INSERTION_SORT_MAX = 32;

/**
 * The sorted names of an object's fields. The built-in `sort` copies its input, which is too slow for few
 * names.
 */
export function sortedNames(fields: object): string[] {
  const names = Object.keys(fields);
  if (names.length > INSERTION_SORT_MAX) return names.sort();
  for (let at = 1; at < names.length; at++) {
    const name = names[at]!;
    let to = at;
    for (; to > 0 && names[to - 1]! > name; to--) names[to] = names[to - 1]!;
    names[to] = name;
  }
  return names;
}

/**
 * The fields in a form that `JSON.stringify` can print directly, or null when some need special treatment.
 * This makes one flat string; concatenation would leave a tree of pieces to the garbage collector.
 */
function plainFields(fields: DocumentValue): object | null {
  let plain: Record<string, unknown> = fields;
  let before = "";
  for (const name in fields) {
    if (name < before) return null;
    before = name;
    const field: unknown = fields[name];
    if (typeof field === "bigint") {
      if (plain === fields) plain = { ...fields };
      plain[name] = { $integer: int64Base64(field) };
    } else if (typeof field === "object" ? field !== null : field === undefined) {
      return null;
    } else if (typeof field === "number" && isSpecialFloat(field)) {
      return null;
    }
  }
  return plain;
}

function objectToJsonText(fields: DocumentValue): string {
  const plain = plainFields(fields);
  if (plain !== null) return JSON.stringify(plain);
  let text = "{";
  for (const name of sortedNames(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    text += (text.length > 1 ? "," : "") + fieldText(name) + toJsonText(field);
  }
  return text + "}";
}

/** No field's name begins with it; those of encodings do. */
const DOLLAR = 36;

/** Decodes JSON that this store wrote itself: no checks. */
function fromStoredJson(json: JSONValue): Value {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) {
    for (let at = 0; at < json.length; at++) {
      const element = json[at]!;
      if (typeof element === "object") json[at] = fromStoredJson(element) as JSONValue;
    }
    return json;
  }
  for (const name in json) {
    if (name.charCodeAt(0) === DOLLAR) {
      return name === "$integer" ? int64OfBase64(json[name] as string) : jsonToConvex(json);
    }
    const field = json[name]!;
    if (typeof field === "object" && field !== null)
      json[name] = fromStoredJson(field) as JSONValue;
  }
  return json;
}

/** The decoded fields of a stored document. */
export function parseStoredDocument(text: string): DocumentValue {
  return fromStoredJson(JSON.parse(text) as JSONValue) as DocumentValue;
}

/**
 * Checks encoded JSON from outside before anything is converted.
 * @throws Error for a `__proto__` key or too deep nesting, whichever is met first
 */
function checkRawJson(json: JSONValue, levelsLeft = VALUE_NESTING_MAX): void {
  if (json === null || typeof json !== "object") return;
  if (levelsLeft <= 0) {
    throw new Error(
      `Value is too nested (nested more than ${VALUE_NESTING_MAX} levels deep > maximum nesting ${VALUE_NESTING_MAX})`,
    );
  }
  if (Array.isArray(json)) {
    for (const element of json) checkRawJson(element, levelsLeft - 1);
    return;
  }
  for (const name of Object.keys(json)) {
    if (name === "__proto__") throw new Error("Field name __proto__ is reserved.");
    checkRawJson(json[name]!, levelsLeft - 1);
  }
}

/**
 * Decodes encoded JSON from outside; the value `{"$undefined": null}` (a filter literal) is `undefined`.
 * @throws Error as {@link checkRawJson}, then for invalid encodings
 */
export function fromUntrustedJson(json: JSONValue): Value | undefined {
  if (typeof json !== "object" || json === null) return json;
  checkRawJson(json);
  if (isUndefinedJson(json)) return undefined;
  return jsonToConvex(json);
}

/** The official error for what is given to `db.<operation>` as fields, and is no object. */
export function notFields(operation: "insert" | "patch" | "replace"): Error {
  return new Error(`Invalid argument \`value\` for \`db.${operation}\`: Value must be an Object`);
}

/**
 * Decodes a patch, whose fields may be `{"$undefined": null}`.
 * @throws Error when it is not an object, then as {@link fromUntrustedJson}
 */
export function patchFromUntrustedJson(json: JSONValue): Record<string, Value | undefined> {
  if (json === null || typeof json !== "object" || Array.isArray(json)) {
    throw notFields("patch");
  }
  checkRawJson(json);
  const patch: Record<string, Value | undefined> = {};
  for (const name of Object.keys(json)) {
    const field = json[name]!;
    patch[name] = isUndefinedJson(field) ? undefined : jsonToConvex(field);
  }
  return patch;
}

function isUndefinedJson(json: JSONValue): boolean {
  return (
    json !== null && typeof json === "object" && !Array.isArray(json) && json.$undefined === null
  );
}

/** A deep copy that shares no mutable part with the original. */
function cloneValue(value: Value): Value {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cloneValue);
  if (value instanceof ArrayBuffer) return value.slice(0);
  return cloneFields(value as DocumentValue);
}

/** {@link cloneValue} for the fields of a document. */
export function cloneFields(fields: DocumentValue): DocumentValue {
  const copy = { ...fields };
  for (const name in copy) {
    const field = copy[name]!;
    if (typeof field === "object" && field !== null) copy[name] = cloneValue(field);
  }
  return copy;
}

/** Size and nesting of a value, computed by {@link checkedCopy}. */
export interface Measure {
  sizeBytes: number;
  nesting: number;
}

// A Latin-1 text without characters above 0x7f has as many bytes as characters.
// eslint-disable-next-line no-control-regex -- the whole ASCII range is meant
const ASCII_ONLY = /^[\x00-\x7f]*$/;

function checkedUtf8Length(text: string): number {
  if (text.length < 256 && ASCII_ONLY.test(text)) return text.length;
  if (LONE_SURROGATE.test(text)) throw new Error("String is not well-formed Unicode.");
  return Buffer.byteLength(text);
}

/**
 * A checked deep copy of a value from user code, keys sorted. Adds its size (as Convex counts) to `measure`
 * and raises `measure.nesting`.
 * @throws Error with the official message for unsupported types, bad field names, too long arrays, too many
 *   fields and malformed Unicode
 */
export function checkedCopy(value: Value, measure: Measure, depth = 0): Value {
  switch (typeof value) {
    case "string":
      measure.sizeBytes += 2 + checkedUtf8Length(value);
      return value;
    case "number":
      measure.sizeBytes += 9;
      return value;
    case "bigint":
      if (!isInt64(value)) return refuse(value);
      measure.sizeBytes += 9;
      return value;
    case "boolean":
      measure.sizeBytes += 1;
      return value;
    default:
      return checkedCopyOfComposite(value, measure, depth);
  }
}

function checkedCopyOfComposite(
  value: Exclude<Value, string | number | bigint | boolean>,
  measure: Measure,
  depth: number,
): Value {
  if (value === null) {
    measure.sizeBytes += 1;
    return null;
  }
  if (typeof value !== "object") return refuse(value);
  if (value instanceof ArrayBuffer) {
    measure.sizeBytes += 2 + value.byteLength;
    return value.slice(0);
  }
  if (depth >= VALUE_NESTING_MAX) {
    throw new Error(
      `Value is too nested (nested ${depth + 1} levels deep > maximum nesting ${VALUE_NESTING_MAX})`,
    );
  }
  measure.sizeBytes += 2;
  if (depth + 1 > measure.nesting) measure.nesting = depth + 1;
  if (Array.isArray(value)) {
    if (value.length > ARRAY_LENGTH_MAX) throw tooLongArray(value.length);
    const copy: Value[] = [];
    for (const element of value) copy.push(checkedCopy(element, measure, depth + 1));
    return copy;
  }
  return checkedCopyOfFields(value as Record<string, Value | undefined>, measure, depth);
}

/** {@link checkedCopy} for an object, into `copy`; fields that are `undefined` are left out. */
export function checkedCopyOfFields(
  fields: Record<string, Value | undefined>,
  measure: Measure,
  depth: number,
  copy: DocumentValue = {},
): DocumentValue {
  const prototype: unknown = Object.getPrototypeOf(fields);
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(prototype)) {
    return refuse(fields);
  }
  let count = 0;
  for (const name of sortedNames(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    checkFieldName(name);
    measure.sizeBytes += name.length + 1;
    copy[name] = checkedCopy(field, measure, depth + 1);
    count++;
  }
  if (count > OBJECT_FIELDS_MAX) throw tooManyFields(count);
  return copy;
}

const tooLongArray = (length: number): Error =>
  new Error(`Array length is too long (${length} > maximum length ${ARRAY_LENGTH_MAX})`);
const tooManyFields = (count: number): Error =>
  new Error(`Object has too many fields (${count} > maximum number ${OBJECT_FIELDS_MAX})`);

/** Checks the lengths of a value, or of its encoded JSON. @throws Error as {@link checkedCopy} for the first that is too long */
export function checkLengths(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    if (value.length > ARRAY_LENGTH_MAX) throw tooLongArray(value.length);
    for (const element of value) checkLengths(element);
    return;
  }
  let count = 0;
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    if (field === undefined) continue;
    count++;
    checkLengths(field);
  }
  if (count > OBJECT_FIELDS_MAX) throw tooManyFields(count);
}

/** True for an object literal of another realm (test environments run functions in one). */
function isForeignPlain(prototype: unknown): boolean {
  const constructor = (prototype as { constructor?: { name?: unknown } }).constructor;
  return constructor?.name === "Object";
}

// Non-control ASCII, not starting with `$`, also no characters at all: what the official library accepts.
const FIELD_NAME = /^(?!\$)[\x20-\x7e]{0,1024}$/;

function checkFieldName(name: string): void {
  if (name === "__proto__") throw new Error("Field name __proto__ is reserved.");
  if (fieldTexts.has(name) || FIELD_NAME.test(name)) return;
  convexToJson({ [name]: null });
  throw new Error(`Field name ${name} is not valid.`);
}

/** Throws the official library's error for an unsupported value. */
function refuse(value: unknown): never {
  convexToJson(value as Value);
  throw new Error(`${String(value)} is not a supported Convex type.`);
}

const IDENTIFIER = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * A value as the real backend prints it in error messages. A text longer than `charsMax` is right only up to there:
 * clients send values of any size, and messages show their beginning.
 */
export function displayValue(value: Value | undefined, charsMax = Infinity): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value.slice(0, charsMax));
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
  }
  if (typeof value !== "object") return String(value);
  if (value instanceof ArrayBuffer) {
    return `b"${Buffer.from(value.slice(0, charsMax)).toString("base64")}"`;
  }
  return Array.isArray(value)
    ? displayArray(value, charsMax)
    : displayFields(value as DocumentValue, charsMax);
}

function displayArray(elements: readonly Value[], charsMax: number): string {
  let text = "[";
  for (let at = 0; at < elements.length && text.length <= charsMax; at++) {
    text += (at > 0 ? ", " : "") + displayValue(elements[at], charsMax - text.length);
  }
  return `${text}]`;
}

function displayFields(fields: DocumentValue, charsMax: number): string {
  let text = "{";
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    if (text.length > charsMax) break;
    const shownName = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    text += `${text.length > 1 ? ", " : ""}${shownName}: `;
    text += displayValue(field, Math.max(0, charsMax - text.length));
  }
  return `${text}}`;
}
