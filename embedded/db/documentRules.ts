/** Builds documents from values of user code and rejects what Convex rejects, with the official messages. */
import type { Value } from "convex/values";
import type { TableInfo } from "./catalog.ts";
import { Doc } from "./document.ts";
import { DOCUMENT_MAX_BYTES, DOCUMENT_NESTING_MAX } from "./limits.ts";
import type { DocumentValue } from "./types.ts";
import { validate, type TableOfId } from "./validator.ts";
import { displayValue, sortedNames, checkedCopyOfFields, type Measure } from "./values.ts";

/** Sizes of the system fields, without the id's own characters. */
const ID_FIELD_BYTES = "_id".length + 1 + 2;
const CREATION_TIME_FIELD_BYTES = "_creationTime".length + 1 + 9;
const UNDERSCORE = 95;

const inMebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`;

/** Why a system field given by user code is wrong or not allowed; null when it is right. */
function systemFieldViolation(
  name: string,
  given: Value | undefined,
  id: string,
  creationTime: number,
): string | null {
  if (name === "_id") {
    if (given === id) return null;
    return `Provided document ID ${displayValue(id)} doesn't match '_id' field ${displayValue(given)}`;
  }
  if (name === "_creationTime") {
    if (given === creationTime) return null;
    return `Provided creation time ${displayValue(creationTime)} doesn't match '_creationTime' field ${displayValue(given)}`;
  }
  return `Field '${name}' starts with an underscore, which is only allowed for system fields like '_id'`;
}

function inOrder(fields: DocumentValue): DocumentValue {
  const names = sortedNames(fields);
  if (names[0] === "_creationTime") return fields;
  const sorted: DocumentValue = {};
  for (const name of names) sorted[name] = fields[name]!;
  return sorted;
}

/**
 * Builds a document, with all checks.
 * @param body user fields; `_id` and `_creationTime` may be among them if they are right
 * @throws Error in this order: invalid values, system fields, nesting, size, schema
 */
export function buildDocument(
  table: TableInfo,
  id: string,
  creationTime: number,
  body: Record<string, Value | undefined>,
  tableOfId: TableOfId,
): Doc {
  const violations: string[] = [];
  for (const name in body) {
    if (name.charCodeAt(0) !== UNDERSCORE || body[name] === undefined) continue;
    const violation = systemFieldViolation(name, body[name], id, creationTime);
    if (violation !== null) violations.push(violation);
  }
  const measure: Measure = { sizeBytes: 0, nesting: 1 };
  const start: DocumentValue = { _creationTime: creationTime, _id: id };
  const fields = inOrder(checkedCopyOfFields(body, measure, 0, start));
  let sizeBytes = 2 + measure.sizeBytes;
  if (body._id === undefined) sizeBytes += ID_FIELD_BYTES + id.length;
  if (body._creationTime === undefined) sizeBytes += CREATION_TIME_FIELD_BYTES;
  if (measure.nesting > DOCUMENT_NESTING_MAX) {
    violations.push(
      `Document is too nested (nested ${measure.nesting} levels deep > maximum nesting ${DOCUMENT_NESTING_MAX})`,
    );
  }
  if (violations.length > 0) {
    const shown = displayValue(fields).slice(0, 4096);
    throw new Error(`Document(value: ${shown}) isn't a valid document: ${violations.join("\n ")}`);
  }
  if (sizeBytes > DOCUMENT_MAX_BYTES) {
    throw new Error(
      `Value is too large (${inMebibytes(sizeBytes)} > maximum size ${inMebibytes(DOCUMENT_MAX_BYTES)})`,
    );
  }
  const mismatch = schemaMismatch(table, fields, tableOfId);
  if (mismatch !== null) {
    throw new Error(
      `Failed to insert or update a document in table "${table.name}" because it does not match the schema: ${mismatch}`,
    );
  }
  return Doc.ofFields(table, id, sizeBytes, fields);
}

/** Why a document (all its fields) does not fit its table's schema, or null. */
export function schemaMismatch(
  table: TableInfo,
  fields: DocumentValue,
  tableOfId: TableOfId,
): string | null {
  const validator = table.validator;
  if (validator === null || validator.type === "any") return null;
  const fault = validate(validator, fields, tableOfId, true);
  if (fault === null) return null;
  // The message shows user fields only, as the real backend does.
  const { _id: _, _creationTime: __, ...body } = fields;
  return validate(validator, body, tableOfId) ?? fault;
}
