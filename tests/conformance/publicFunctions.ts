/**
 * Every function of convex/ as built: path, kind, guard, arguments, result. And sample arguments that
 * its validators accept.
 */
import type { JSONValue } from "convex/values";
import { MODULES } from "../convex/support";

/** The JSON form of a validator, as far as these tests use it. */
export type ValidatorJson =
  | { type: "null" | "number" | "bigint" | "boolean" | "string" | "bytes" | "any" }
  | { type: "literal"; value: JSONValue }
  | { type: "id"; tableName: string }
  | { type: "array"; value: ValidatorJson }
  | { type: "record"; keys: ValidatorJson; values: { fieldType: ValidatorJson } }
  | { type: "union"; value: ValidatorJson[] }
  | { type: "object"; value: Record<string, { fieldType: ValidatorJson; optional: boolean }> };

export type BuiltFunction = {
  /** As clients name it, e.g. "admin/users:list". */
  path: string;
  kind: "query" | "mutation" | "action";
  guard: string | undefined;
  args: ValidatorJson;
  returns: ValidatorJson | null;
};

type Exported = {
  isPublic?: boolean;
  isQuery?: boolean;
  isMutation?: boolean;
  isAction?: boolean;
  _guard?: string;
  exportArgs?: () => string;
  exportReturns?: () => string;
};

function kindOf(exported: Exported): BuiltFunction["kind"] | null {
  if (exported.isQuery) return "query";
  if (exported.isMutation) return "mutation";
  return exported.isAction ? "action" : null;
}

function moduleName(file: string): string {
  return file.replace(/^.*\/convex\//u, "").replace(/\.[jt]s$/u, "");
}

/** All public functions, by path. */
export async function publicFunctions(): Promise<BuiltFunction[]> {
  const found: BuiltFunction[] = [];
  for (const [file, load] of Object.entries(MODULES)) {
    if (file.includes("/_generated/")) continue;
    const exports = (await load()) as Record<string, Exported | null>;
    for (const [name, exported] of Object.entries(exports)) {
      const isFunction = typeof exported === "function" || typeof exported === "object";
      const kind = isFunction && exported !== null ? kindOf(exported) : null;
      if (exported === null || kind === null || exported.isPublic !== true) continue;
      found.push({
        path: `${moduleName(file)}:${name}`,
        kind,
        guard: exported._guard,
        args: JSON.parse(exported.exportArgs?.() ?? '{"type":"any"}') as ValidatorJson,
        returns: JSON.parse(exported.exportReturns?.() ?? "null") as ValidatorJson | null,
      });
    }
  }
  return found.sort((one, two) => (one.path < two.path ? -1 : 1));
}

/** A validator in a short notation, for the frozen list. */
export function notation(validator: ValidatorJson): string {
  switch (validator.type) {
    case "literal":
      return JSON.stringify(validator.value);
    case "id":
      return `Id<${validator.tableName}>`;
    case "array":
      return `${notation(validator.value)}[]`;
    case "record":
      return `Record<${notation(validator.keys)}, ${notation(validator.values.fieldType)}>`;
    case "union":
      return `(${validator.value.map(notation).join(" | ")})`;
    case "object":
      return `{ ${Object.entries(validator.value)
        .map(([name, field]) => `${name}${field.optional ? "?" : ""}: ${notation(field.fieldType)}`)
        .join("; ")} }`;
    default:
      return validator.type;
  }
}

/** Every validator inside a validator, including itself, with its field path. */
export function* parts(
  validator: ValidatorJson,
  path: readonly string[] = [],
): Generator<{ validator: ValidatorJson; path: readonly string[] }> {
  yield { validator, path };
  if (validator.type === "array") yield* parts(validator.value, path);
  if (validator.type === "record") yield* parts(validator.values.fieldType, path);
  if (validator.type === "union") {
    for (const member of validator.value) yield* parts(member, path);
  }
  if (validator.type === "object") {
    for (const [name, field] of Object.entries(validator.value)) {
      yield* parts(field.fieldType, [...path, name]);
    }
  }
}

/** A value that the validator accepts; `idOf` gives an id of a table. Optional fields are left out. */
export function sampleOf(validator: ValidatorJson, idOf: (tableName: string) => string): unknown {
  switch (validator.type) {
    case "null":
      return null;
    case "number":
      return 1;
    case "bigint":
      return 1n;
    case "boolean":
      return true;
    case "string":
    case "any":
      return "x";
    case "bytes":
      return new ArrayBuffer(1);
    case "literal":
      return validator.value;
    case "id":
      return idOf(validator.tableName);
    case "array":
      return [sampleOf(validator.value, idOf)];
    case "record":
      return {};
    case "union": {
      const member = validator.value.find(({ type }) => type === "null") ?? validator.value[0];
      if (member === undefined) throw new Error("A union without members");
      return sampleOf(member, idOf);
    }
    case "object":
      return Object.fromEntries(
        Object.entries(validator.value)
          .filter(([, field]) => !field.optional)
          .map(([name, field]) => [name, sampleOf(field.fieldType, idOf)]),
      );
  }
}
