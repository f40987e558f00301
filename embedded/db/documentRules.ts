/** Builds documents out of what user code hands in, and refuses what Convex refuses, in its words. */
import type { Value } from "convex/values";
import type { TableInfo } from "./catalog";
import { Doc } from "./document";
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_NESTING } from "./limits";
import type { DocumentValue } from "./types";
import { validate, type TableOfId } from "./validator";
import { displayValue, takeInFields, type Measure } from "./values";

/** Size of the fields `_id` and `_creationTime`, without the id's own characters. */
const SYSTEM_FIELD_BYTES = "_id".length + 1 + 2 + "_creationTime".length + 1 + 9;

const kib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`;

/** User fields that would sort before `_creationTime`; most documents have none. */
const SORTS_BEFORE_SYSTEM = /^[ -^]/;

function withSystemFields(id: string, creationTime: number, body: DocumentValue): DocumentValue {
  const fields: DocumentValue = { _creationTime: creationTime, _id: id, ...body };
  const names = Object.keys(body);
  if (names.length === 0 || !SORTS_BEFORE_SYSTEM.test(names[0]!)) return fields;
  const sorted: DocumentValue = {};
  for (const name of Object.keys(fields).sort()) sorted[name] = fields[name]!;
  return sorted;
}

/**
 * A document of checked fields.
 * @param body user fields; `_id` and `_creationTime` may be among them if they are right
 * @throws Error in this order: a value's own faults, system fields, nesting, size, schema
 */
export function buildDocument(
  table: TableInfo,
  id: string,
  creationTime: number,
  body: Record<string, Value | undefined>,
  tableOfId: TableOfId,
): Doc {
  const measure: Measure = { sizeBytes: 0, nesting: 1 };
  const taken = takeInFields(body, measure, 0);
  const violations: string[] = [];
  for (const name of Object.keys(taken)) {
    if (!name.startsWith("_")) continue;
    const given = taken[name]!;
    if (name === "_id") {
      if (given !== id) {
        violations.push(`The document has id ${id}, but its '_id' field is ${displayValue(given)}`);
      }
    } else if (name === "_creationTime") {
      if (given !== creationTime) {
        violations.push(
          `Provided creation time ${displayValue(creationTime)} doesn't match '_creationTime' field ${displayValue(given)}`,
        );
      }
    } else {
      violations.push(
        `Field '${name}' starts with an underscore, which is only allowed for system fields like '_id'`,
      );
    }
  }
  if ("_id" in taken || "_creationTime" in taken) {
    measure.sizeBytes -= "_id" in taken ? 6 + id.length : 0;
    measure.sizeBytes -= "_creationTime" in taken ? 23 : 0;
    delete taken._id;
    delete taken._creationTime;
  }
  if (measure.nesting > MAX_DOCUMENT_NESTING) {
    violations.push(
      `Document is too nested (nested ${measure.nesting} levels deep > maximum nesting ${MAX_DOCUMENT_NESTING})`,
    );
  }
  const fields = withSystemFields(id, creationTime, taken);
  if (violations.length > 0) {
    const shown = displayValue(fields).slice(0, 4096);
    throw new Error(`Document(value: ${shown}) isn't a valid document: ${violations.join("\n ")}`);
  }
  const sizeBytes = 2 + measure.sizeBytes + SYSTEM_FIELD_BYTES + id.length;
  if (sizeBytes > MAX_DOCUMENT_BYTES) {
    throw new Error(
      `Value is too large (${kib(sizeBytes)} > maximum size ${kib(MAX_DOCUMENT_BYTES)})`,
    );
  }
  const mismatch = schemaMismatch(table, taken, fields, tableOfId);
  if (mismatch !== null) {
    throw new Error(
      `Failed to insert or update a document in table "${table.name}" because it does not match the schema: ${mismatch}`,
    );
  }
  return Doc.ofFields(table, id, sizeBytes, fields);
}

/**
 * Why a document does not fit its table's schema, or null.
 * @param body the fields without the system's
 * @param fields all fields, for schemas that mention the system's
 */
export function schemaMismatch(
  table: TableInfo,
  body: DocumentValue,
  fields: DocumentValue,
  tableOfId: TableOfId,
): string | null {
  const validator = table.validator;
  if (validator === null || validator.type === "any") return null;
  const members = validator.type === "union" ? validator.value : [validator];
  const mentionsSystem = members.some(
    (member) =>
      member.type === "object" && ("_id" in member.value || "_creationTime" in member.value),
  );
  return validate(validator, mentionsSystem ? fields : body, tableOfId);
}
