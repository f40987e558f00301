/** The forms in which the HTTP API answers with values; a call's `format` chooses one. */
import { jsonToConvex, type JSONValue, type Value } from "convex/values";
import { toExportText } from "../db/exportJson.ts";
import { HttpError } from "./http.ts";

/** Turns encoded JSON text into the text of the answer. */
export type ValueFormat = (encodedJson: string) => string;

/** Plain JSON for programs without the official library: an int64 and bytes become texts. */
function plainJson(value: Value): JSONValue {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  const fields = Object.entries(value as Record<string, Value>);
  return Object.fromEntries(fields.map(([name, field]) => [name, plainJson(field)]));
}

const decoded = (encodedJson: string): Value => jsonToConvex(JSON.parse(encodedJson) as JSONValue);

const asEncoded: ValueFormat = (encodedJson) => encodedJson;
const asExported: ValueFormat = (encodedJson) => toExportText(decoded(encodedJson));
/** Most values have no encoded parts, and are printed as they are. */
const asPlain: ValueFormat = (encodedJson) =>
  encodedJson.includes('"$') ? JSON.stringify(plainJson(decoded(encodedJson))) : encodedJson;

/** By the official names. The library's clients always ask for the encoded form. */
const FORMATS = new Map<unknown, ValueFormat>([
  ["convex_encoded_json", asEncoded],
  ["convex_json", asEncoded],
  ["json", asPlain],
  ["convex_clean_json", asPlain],
  ["export_json", asExported],
]);

/** The format a call asks for, plain JSON by default. @throws HttpError 400 for one that does not exist */
export function valueFormat(name: JSONValue | undefined): ValueFormat {
  const format = FORMATS.get(name ?? "json");
  if (format !== undefined) return format;
  throw new HttpError(400, "BadFormat", "format must be json, convex_encoded_json or export_json");
}
