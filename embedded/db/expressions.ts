/**
 * Filter expressions: compiled once per query into a function of the document's fields. Comparisons use the
 * total order of values, in which a missing field is `undefined`.
 */
import { compareValues, type JSONValue, type Value } from "convex/values";
import type { DocumentValue } from "./types.ts";
import { displayValue, fromUntrustedJson, isInt64 } from "./values.ts";

type Evaluate = (fields: DocumentValue) => Value | undefined;

/** Reads a dotted path; undefined when a step is missing or not an object. */
export function fieldAt(fields: DocumentValue, path: readonly string[]): Value | undefined {
  let value: Value | undefined = fields;
  for (const name of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    if (value instanceof ArrayBuffer || !Object.hasOwn(value, name)) return undefined;
    value = (value as DocumentValue)[name];
  }
  return value;
}

function typeName(value: Value | undefined): string {
  if (value === undefined) return "Undefined";
  if (value === null) return "Null";
  if (typeof value === "bigint") return "Int64";
  if (typeof value === "number") return "Float64";
  if (typeof value === "boolean") return "Boolean";
  if (typeof value === "string") return "String";
  if (value instanceof ArrayBuffer) return "Bytes";
  return Array.isArray(value) ? "Array" : "Object";
}

function toBoolean(value: Value | undefined): boolean {
  if (typeof value === "boolean") return value;
  throw new Error(`Cannot use value ${displayValue(value)} (type ${typeName(value)}) as a Boolean`);
}

const COMPARISONS = new Map<string, (order: number) => boolean>([
  ["$eq", (order) => order === 0],
  ["$neq", (order) => order !== 0],
  ["$lt", (order) => order < 0],
  ["$lte", (order) => order <= 0],
  ["$gt", (order) => order > 0],
  ["$gte", (order) => order >= 0],
]);

interface Arithmetic {
  readonly name: string;
  readonly ints: (left: bigint, right: bigint) => bigint;
  readonly floats: (left: number, right: number) => number;
}
const ARITHMETIC = new Map<string, Arithmetic>([
  ["$add", { name: "add", ints: (l, r) => l + r, floats: (l, r) => l + r }],
  ["$sub", { name: "subtract", ints: (l, r) => l - r, floats: (l, r) => l - r }],
  ["$mul", { name: "multiply", ints: (l, r) => l * r, floats: (l, r) => l * r }],
  ["$div", { name: "divide", ints: (l, r) => l / r, floats: (l, r) => l / r }],
  ["$mod", { name: "mod", ints: (l, r) => l % r, floats: (l, r) => l % r }],
]);

function compute(operation: Arithmetic, left: Value | undefined, right: Value | undefined): Value {
  const shown = () =>
    `Cannot ${operation.name} ${displayValue(left)} (type ${typeName(left)}) and ` +
    `${displayValue(right)} (type ${typeName(right)})`;
  if (typeof left === "number" && typeof right === "number") return operation.floats(left, right);
  if (typeof left !== "bigint" || typeof right !== "bigint") throw new Error(shown());
  const isDivision = operation.name === "divide" || operation.name === "mod";
  const result = isDivision && right === 0n ? null : operation.ints(left, right);
  if (result === null || !isInt64(result)) {
    throw new Error(`${shown()}: the result is out of range for Int64`);
  }
  return result;
}

function negate(value: Value | undefined): Value {
  if (typeof value === "number") return -value;
  if (typeof value !== "bigint") {
    throw new Error(`Cannot negate ${displayValue(value)} (type ${typeName(value)})`);
  }
  if (!isInt64(-value)) {
    throw new Error(`Cannot negate ${value}: the result is out of range for Int64`);
  }
  return -value;
}

const invalidOperands = (name: string) => new Error(`Invalid filter: operands of ${name}`);

function operands(name: string, json: JSONValue): Evaluate[] {
  if (!Array.isArray(json)) throw invalidOperands(name);
  return json.map(compile);
}

function twoOperands(name: string, json: JSONValue): [Evaluate, Evaluate] {
  const [left, right, ...others] = operands(name, json);
  if (left === undefined || right === undefined || others.length > 0) throw invalidOperands(name);
  return [left, right];
}

function compileLogic(name: string, json: JSONValue): Evaluate | null {
  switch (name) {
    case "$not": {
      const operand = compile(json);
      return (fields) => !toBoolean(operand(fields));
    }
    case "$neg": {
      const operand = compile(json);
      return (fields) => negate(operand(fields));
    }
    case "$and": {
      const all = operands(name, json);
      return (fields) => all.every((operand) => toBoolean(operand(fields)));
    }
    case "$or": {
      const any = operands(name, json);
      return (fields) => any.some((operand) => toBoolean(operand(fields)));
    }
    default:
      return null;
  }
}

function compile(json: JSONValue): Evaluate {
  if (json === null || typeof json !== "object" || Array.isArray(json)) {
    throw new Error("Invalid filter: expected an expression");
  }
  const names = Object.keys(json);
  const name = names[0];
  if (name === undefined || names.length !== 1) throw new Error("Invalid filter: one operator");
  const operand = json[name]!;
  if (name === "$field") {
    if (typeof operand !== "string") throw new Error("Invalid filter: field path");
    const path = operand.split(".");
    return (fields) => fieldAt(fields, path);
  }
  if (name === "$literal") {
    const literal = fromUntrustedJson(operand);
    return () => literal;
  }
  const comparison = COMPARISONS.get(name);
  if (comparison !== undefined) {
    const [left, right] = twoOperands(name, operand);
    return (fields) => comparison(compareValues(left(fields), right(fields)));
  }
  const arithmetic = ARITHMETIC.get(name);
  if (arithmetic !== undefined) {
    const [left, right] = twoOperands(name, operand);
    return (fields) => compute(arithmetic, left(fields), right(fields));
  }
  const logic = compileLogic(name, operand);
  if (logic === null) throw new Error(`Invalid filter: unknown operator ${name}`);
  return logic;
}

/**
 * @returns the predicate of a filter
 * @throws Error for a malformed expression; the predicate throws Error for a type error
 */
export function compileFilter(json: JSONValue): (fields: DocumentValue) => boolean {
  const evaluate = compile(json);
  return (fields) => toBoolean(evaluate(fields));
}
