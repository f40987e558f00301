/** Checks arguments and results against the validators a function declares, with the official messages. */
import { getConvexSize, jsonToConvex, type JSONValue, type Value } from "convex/values";
import type { Database } from "../db/types.ts";
import { isPlainObject } from "../db/fits.ts";
import { validate, type TableOfId } from "../db/validator.ts";
import { checkLengths } from "../db/values.ts";
import { messageOf } from "../storage/errorText.ts";
import { filePath } from "./deployment.ts";
import { CallRefusal } from "./errors.ts";
import type { FunctionSpec } from "./modules.ts";
import { readNewest } from "./tableReads.ts";

const MIB = 1024 * 1024;
/** The official limit of results. */
const RESULT_MAX_BYTES = 16 * MIB;
/** Bytes take up to 4/3 as many characters. Integers and escaped characters may take more. */
const RESULT_MAX_CHARS = 24 * MIB;
/** No value has more bytes for each of its characters: a digit and a comma are a number of 9 bytes. */
const BYTES_PER_CHAR_MAX = 4.5;
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

/** @throws CallRefusal when a result is too large, as a value or as its text */
function assertSize(spec: FunctionSpec, { json, value }: CallResult): void {
  const chars = json.length;
  if (chars * BYTES_PER_CHAR_MAX <= RESULT_MAX_BYTES) return;
  const isTooLong = chars > RESULT_MAX_CHARS;
  const bytes = isTooLong ? 0 : getConvexSize(value ?? jsonToConvex(JSON.parse(json) as JSONValue));
  if (!isTooLong && bytes <= RESULT_MAX_BYTES) return;
  const actual = `${((isTooLong ? chars : bytes) / MIB).toFixed(2)} MiB`;
  const limit = isTooLong
    ? `${RESULT_MAX_CHARS / MIB} MiB as text`
    : `${RESULT_MAX_BYTES / MIB} MiB`;
  throw new CallRefusal(
    `Function ${filePath(spec.path)} return value is too large (actual: ${actual}, limit: ${limit})`,
  );
}

/** @throws CallRefusal `ReturnsValidationError: …`, or when the result is too large. */
export function assertReturns(spec: FunctionSpec, result: CallResult, tableOfId: TableOfId): void {
  assertSize(spec, result);
  if (result.json.length >= LONG_FROM_CHARS) {
    const name = filePath(spec.path);
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
