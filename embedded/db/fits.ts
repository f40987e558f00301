/**
 * Whether a value fits a validator. Compiled once per validator, because nearly every value fits. The error
 * messages are in validator.ts, which must decide the same.
 */
import { jsonToConvex, type Value } from "convex/values";
import type { ValidatorJson } from "./types.ts";

type Fits = (value: Value | undefined, tableOfId: (id: string) => string | null) => boolean;

const compiled = new WeakMap<ValidatorJson, Fits>();
const compiledForDocuments = new WeakMap<ValidatorJson, Fits>();

/** The compiled test of a validator. With `isDocument`, objects may also have `_id` and `_creationTime`. */
export function fitsOf(validator: ValidatorJson, isDocument: boolean): Fits {
  const known = isDocument ? compiledForDocuments : compiled;
  let fits = known.get(validator);
  if (fits === undefined) known.set(validator, (fits = compile(validator, isDocument)));
  return fits;
}

/** An object with fields: neither null nor an array nor bytes. */
export function isPlainObject(value: unknown): value is Record<string, Value | undefined> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ArrayBuffer)
  );
}

function compile(validator: ValidatorJson, isDocument: boolean): Fits {
  switch (validator.type) {
    case "any":
      return (value) => value !== undefined;
    case "null":
      return (value) => value === null;
    case "bigint":
    case "commitTs":
      return (value) => typeof value === "bigint";
    case "number":
      return (value) => typeof value === "number";
    case "boolean":
      return (value) => typeof value === "boolean";
    case "string":
      return (value) => typeof value === "string";
    case "bytes":
      return (value) => value instanceof ArrayBuffer;
    case "id":
      return (value, tableOfId) =>
        typeof value === "string" && tableOfId(value) === validator.tableName;
    case "literal": {
      const literal = jsonToConvex(validator.value);
      return (value) => Object.is(literal, value);
    }
    case "union": {
      const options = validator.value.map((option) => compile(option, isDocument));
      return (value, tableOfId) => options.some((fits) => fits(value, tableOfId));
    }
    case "array": {
      const fits = compile(validator.value, false);
      return (value, tableOfId) => {
        if (!Array.isArray(value)) return false;
        // Not `every`, which skips holes.
        for (const element of value) if (!fits(element, tableOfId)) return false;
        return true;
      };
    }
    case "record":
      return compileRecord(validator);
    case "object":
      return compileObject(validator, isDocument);
  }
}

function compileRecord(validator: ValidatorJson & { type: "record" }): Fits {
  const fitsKey = compile(validator.keys, false);
  const fitsValue = compile(validator.values.fieldType, false);
  return (value, tableOfId) =>
    isPlainObject(value) &&
    Object.keys(value).every(
      (name) =>
        value[name] === undefined ||
        (fitsKey(name, tableOfId) && fitsValue(value[name], tableOfId)),
    );
}

function compileObject(validator: ValidatorJson & { type: "object" }, isDocument: boolean): Fits {
  const fields = Object.entries(validator.value).map(([name, { fieldType, optional }]) => ({
    name,
    fits: compile(fieldType, false),
    isOptional: optional,
  }));
  const allowed = new Set(Object.keys(validator.value));
  if (isDocument) allowed.add("_id").add("_creationTime");
  return (value, tableOfId) => {
    if (!isPlainObject(value)) return false;
    for (const { name, fits, isOptional } of fields) {
      // Own fields only; inherited properties are not part of the value.
      const found = Object.hasOwn(value, name) ? value[name] : undefined;
      if (found === undefined ? !isOptional : !fits(found, tableOfId)) return false;
    }
    for (const name in value) {
      if (value[name] !== undefined && !allowed.has(name)) return false;
    }
    return true;
  };
}
