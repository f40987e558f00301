/**
 * Checks values against validator JSON (from `exportArgs()`, `exportReturns()` and `schema.export()`), with
 * the official messages. Pure: the caller resolves ids to tables.
 */
import { jsonToConvex, type Value } from "convex/values";
import { fitsOf, isPlainObject } from "./fits.ts";
import type { FieldValidatorJson, ValidatorJson } from "./types.ts";
import { displayValue } from "./values.ts";

/** The table an id belongs to, or null when it is not an id of a known table. */
export type TableOfId = (id: string) => string | null;

const DISPLAYED_MAX_CHARS = 16_384;

interface Mismatch {
  readonly head: string;
  readonly tail: string;
  path: string;
}

/**
 * @param isDocument allows `_id` and `_creationTime` in addition to the validator's fields
 * @returns null when the value fits, otherwise the message of the first mismatch, for example `Value does not
 *   match validator.\nPath: .a\nValue: 1.0\nValidator: v.string()`
 */
export function validate(
  validator: ValidatorJson,
  value: Value | undefined,
  tableOfId: TableOfId,
  isDocument = false,
): string | null {
  if (fitsOf(validator, isDocument)(value, tableOfId)) return null;
  return firstMismatch(validator, value, tableOfId, isDocument);
}

/** The message of the first mismatch, for a value that is known not to fit. */
export function firstMismatch(
  validator: ValidatorJson,
  value: Value | undefined,
  tableOfId: TableOfId,
  isDocument: boolean,
): string | null {
  const mismatch = check(validator, value, tableOfId, isDocument);
  if (mismatch === null) return null;
  const path = mismatch.path === "" ? "" : `Path: ${mismatch.path}`;
  return `${mismatch.head}${path}${mismatch.tail}`;
}

function noMatch(validator: ValidatorJson, value: Value | undefined): Mismatch {
  return {
    head: "Value does not match validator.\n",
    tail: `\nValue: ${shownValue(value)}\nValidator: ${displayValidator(validator)}`,
    path: "",
  };
}

function shownValue(value: Value | undefined): string {
  const text = displayValue(value, DISPLAYED_MAX_CHARS);
  return text.length <= DISPLAYED_MAX_CHARS ? text : `${text.slice(0, DISPLAYED_MAX_CHARS)}…`;
}

function within(step: string, mismatch: Mismatch | null): Mismatch | null {
  if (mismatch !== null) mismatch.path = step + mismatch.path;
  return mismatch;
}

function check(
  validator: ValidatorJson,
  value: Value | undefined,
  tableOfId: TableOfId,
  isDocument = false,
): Mismatch | null {
  let fits: boolean;
  switch (validator.type) {
    case "any":
      fits = value !== undefined;
      break;
    case "null":
      fits = value === null;
      break;
    case "bigint":
    case "commitTs":
      fits = typeof value === "bigint";
      break;
    case "number":
    case "boolean":
    case "string":
      fits = typeof value === validator.type;
      break;
    case "bytes":
      fits = value instanceof ArrayBuffer;
      break;
    case "id":
      return checkId(validator, value, tableOfId);
    case "literal":
      return checkLiteral(validator, value);
    case "union":
      return checkUnion(validator, value, tableOfId, isDocument);
    default:
      return checkComposite(validator, value, tableOfId, isDocument);
  }
  return fits ? null : noMatch(validator, value);
}

function checkId(
  validator: ValidatorJson & { type: "id" },
  value: Value | undefined,
  tableOfId: TableOfId,
): Mismatch | null {
  if (typeof value !== "string") return noMatch(validator, value);
  const found = tableOfId(value);
  if (found === null) return noMatch(validator, value);
  if (found === validator.tableName) return null;
  const from = found.startsWith("_") ? "a system table" : `table \`${found}\``;
  return {
    head:
      `Found ID "${value}" from ${from}, which does not match the table name in ` +
      `validator \`v.id("${validator.tableName}")\`.`,
    tail: "",
    path: "",
  };
}

function checkLiteral(
  validator: ValidatorJson & { type: "literal" },
  value: Value | undefined,
): Mismatch | null {
  const literal =
    typeof validator.value === "object" ? jsonToConvex(validator.value) : validator.value;
  if (Object.is(literal, value)) return null;
  return {
    head:
      `\`${shownValue(value)}\` does not match literal validator ` +
      `\`v.literal(${displayLiteral(literal)})\`.`,
    tail: "",
    path: "",
  };
}

function checkUnion(
  validator: ValidatorJson & { type: "union" },
  value: Value | undefined,
  tableOfId: TableOfId,
  isDocument: boolean,
): Mismatch | null {
  if (validator.value.length === 1) return check(validator.value[0]!, value, tableOfId, isDocument);
  // Without the options' messages, which nobody would see.
  return fitsOf(validator, isDocument)(value, tableOfId) ? null : noMatch(validator, value);
}

function checkComposite(
  validator: ValidatorJson & { type: "array" | "object" | "record" },
  value: Value | undefined,
  tableOfId: TableOfId,
  isDocument: boolean,
): Mismatch | null {
  if (validator.type === "array") {
    if (!Array.isArray(value)) return noMatch(validator, value);
    for (let at = 0; at < value.length; at++) {
      const mismatch = check(validator.value, value[at], tableOfId);
      if (mismatch !== null) return within(`[${at}]`, mismatch);
    }
    return null;
  }
  if (!isPlainObject(value)) return noMatch(validator, value);
  if (validator.type === "object") return checkObject(validator, value, tableOfId, isDocument);
  for (const name of Object.keys(value)) {
    if (value[name] === undefined) continue;
    const mismatch =
      within(".keys()", check(validator.keys, name, tableOfId)) ??
      within(".values()", check(validator.values.fieldType, value[name], tableOfId));
    if (mismatch !== null) return mismatch;
  }
  return null;
}

function checkObject(
  validator: ValidatorJson & { type: "object" },
  value: Record<string, Value | undefined>,
  tableOfId: TableOfId,
  isDocument: boolean,
): Mismatch | null {
  const fields = validator.value;
  const shown = () => `\nObject: ${shownValue(value)}\nValidator: ${displayValidator(validator)}`;
  for (const name in fields) {
    const field = fields[name]!;
    // Own fields only; inherited properties are not part of the value.
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found !== undefined) {
      const mismatch = check(field.fieldType, found, tableOfId);
      if (mismatch !== null) return within(`.${name}`, mismatch);
    } else if (!field.optional) {
      return {
        head:
          `Object is missing the required field \`${name}\`. Consider wrapping the field ` +
          "validator in `v.optional(...)` if this is expected.\n",
        tail: shown(),
        path: "",
      };
    }
  }
  for (const name in value) {
    if (value[name] !== undefined && !Object.hasOwn(fields, name)) {
      if (isDocument && (name === "_id" || name === "_creationTime")) continue;
      return {
        head: `Object contains extra field \`${name}\` that is not in the validator.\n`,
        tail: shown(),
        path: "",
      };
    }
  }
  return null;
}

function displayLiteral(value: Value): string {
  if (typeof value === "bigint") return "<bigint>";
  if (typeof value === "number" && !Number.isFinite(value)) return "<number>";
  if (typeof value === "number" && Number.isInteger(value)) return value.toFixed(1);
  return JSON.stringify(value);
}

const SIMPLE_NAMES = {
  null: "v.null()",
  number: "v.float64()",
  bigint: "v.int64()",
  commitTs: "v.commitTs()",
  boolean: "v.boolean()",
  string: "v.string()",
  bytes: "v.bytes()",
  any: "v.any()",
} as const;

/** A validator as the real backend prints it, for example `v.object({a: v.optional(v.string())})`. */
export function displayValidator(validator: ValidatorJson): string {
  switch (validator.type) {
    case "id":
      return `v.id("${validator.tableName}")`;
    case "literal":
      return `v.literal(${displayLiteral(jsonToConvex(validator.value))})`;
    case "array":
      return `v.array(${displayValidator(validator.value)})`;
    case "union":
      return `v.union(${validator.value.map(displayValidator).join(", ")})`;
    case "record":
      return `v.record(${displayValidator(validator.keys)}, ${displayValidator(validator.values.fieldType)})`;
    case "object": {
      const fields = Object.keys(validator.value).sort();
      return `v.object({${fields.map((name) => `${name}: ${displayField(validator.value[name]!)}`).join(", ")}})`;
    }
    default:
      return SIMPLE_NAMES[validator.type];
  }
}

function displayField(field: FieldValidatorJson): string {
  const shown = displayValidator(field.fieldType);
  return field.optional ? `v.optional(${shown})` : shown;
}
