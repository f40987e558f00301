/** Whether documents that were stored under an older schema fit the schema of today. */
import type { FieldValidatorJson, ValidatorJson } from "../../embedded/db/types";

type Fields = Readonly<Record<string, FieldValidatorJson>>;

/** The type of a literal's values; null has a validator of its own. */
const LITERAL_TYPES = new Set(["string", "number", "boolean"]);

function acceptsFields(now: Fields, before: Fields): boolean {
  const areKept = Object.entries(before).every(([name, field]) => {
    const known = now[name];
    if (known === undefined) return false;
    return (known.optional || !field.optional) && acceptsAll(known.fieldType, field.fieldType);
  });
  const areNewOnesOptional = Object.entries(now).every(
    ([name, field]) => field.optional || name in before,
  );
  return areKept && areNewOnesOptional;
}

function acceptsLiteral(now: ValidatorJson, value: unknown): boolean {
  if (now.type === "literal") return now.value === value;
  return LITERAL_TYPES.has(now.type) && now.type === typeof value;
}

/** True when every value that fits `before` fits `now`. May be false where only a closer look could tell. */
export function acceptsAll(now: ValidatorJson, before: ValidatorJson): boolean {
  if (now.type === "any") return true;
  if (before.type === "union") return before.value.every((member) => acceptsAll(now, member));
  if (now.type === "union") return now.value.some((member) => acceptsAll(member, before));
  if (before.type === "literal") return acceptsLiteral(now, before.value);
  if (before.type === "object") {
    return now.type === "object" && acceptsFields(now.value, before.value);
  }
  if (before.type === "array") return now.type === "array" && acceptsAll(now.value, before.value);
  if (before.type === "id") return now.type === "id" && now.tableName === before.tableName;
  if (before.type === "record") {
    if (now.type !== "record" || !acceptsAll(now.keys, before.keys)) return false;
    return acceptsAll(now.values.fieldType, before.values.fieldType);
  }
  return now.type === before.type;
}
