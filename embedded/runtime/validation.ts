/** Checks arguments and results against the validators a function declares, with the official messages. */
import { jsonToConvex, type JSONValue, type Value } from "convex/values";
import type { Database } from "../db/types.ts";
import { isPlainObject } from "../db/fits.ts";
import { validate, type TableOfId } from "../db/validator.ts";
import { checkLengths } from "../db/values.ts";
import { messageOf } from "../storage/errorText.ts";
import { displayPath, filePath } from "./deployment.ts";
import { CallRefusal } from "./errors.ts";
import type { FunctionSpec } from "./modules.ts";
import { readNewest } from "./tableReads.ts";

/** 16 MiB, the official limit of arguments and of results. */
const VALUE_MAX_CHARS = 16 * 1024 * 1024;
/** Shorter results cannot have 8,193 elements or 1,025 fields. */
const LONG_FROM_CHARS = 7_000;

function assertLengths(value: unknown, refusal: (reason: string) => string): void {
  try {
    checkLengths(value);
  } catch (error) {
    throw new CallRefusal(refusal(messageOf(error)));
  }
}

/** @throws CallRefusal `Invalid arguments for …`, `ArgumentValidationError: …` */
export function assertArgs(spec: FunctionSpec, args: Value, tableOfId: TableOfId): void {
  assertLengths(args, (reason) => `Invalid arguments for ${filePath(spec.path)}: ${reason}`);
  if (!isPlainObject(args)) {
    throw new CallRefusal("ArgumentValidationError: Arguments must be an object");
  }
  if (spec.args.type === "any") return;
  const mismatch = validate(spec.args, args, tableOfId);
  if (mismatch !== null) throw new CallRefusal(`ArgumentValidationError: ${mismatch}`);
}

/** A function's result: encoded and, if available, decoded. */
export interface CallResult {
  readonly json: string;
  readonly value?: Value;
}

/** @throws CallRefusal `ReturnsValidationError: …`, or when the result is too large. */
export function assertReturns(spec: FunctionSpec, result: CallResult, tableOfId: TableOfId): void {
  if (result.json.length > VALUE_MAX_CHARS) {
    throw new CallRefusal("Function return value is too large (limit: 16 MiB)");
  }
  if (result.json.length >= LONG_FROM_CHARS) {
    const name = displayPath(spec.path);
    assertLengths(
      result.value ?? JSON.parse(result.json),
      (reason) => `Function ${name} return value invalid: ${reason}`,
    );
  }
  if (spec.returns === null || spec.returns.type === "any") return;
  const { value = jsonToConvex(JSON.parse(result.json) as JSONValue) } = result;
  const mismatch = validate(spec.returns, value, tableOfId);
  if (mismatch !== null) throw new CallRefusal(`ReturnsValidationError: ${mismatch}`);
}

/** Finds the table of an id outside of a transaction, for actions. */
export function tableOfIdIn(db: Database): TableOfId {
  return (id) => readNewest(db, (txn) => txn.tableOf(id));
}
