/**
 * What the real backend demands of a schema before it accepts it: a schema that is refused there must not run
 * here for months first.
 *
 * Not here: whether stored documents fit it (schemaChange).
 */
import { INDEXES_PER_TABLE_MAX, INDEX_FIELDS_MAX } from "./limits.ts";
import type { SchemaJson, SearchIndexJson, TableJson, ValidatorJson } from "./types.ts";

/** A name in a validator; documents whose fields no validator names may have others. */
const FIELD_NAME = /^(?=.*[a-zA-Z0-9])[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const BUILT_IN_FIELDS = ["_id", "_creationTime"];
/** Fields that a search may filter by, of which one query may name half. */
const FILTER_FIELDS_MAX = 16;
const INDEX_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

/** An index that a schema declares, staged or not. */
export interface DeclaredIndex {
  readonly name: string;
  /** Without the creation time, which some versions of the official client append. */
  readonly fields: readonly string[];
  /** Set for a search index, whose only field is the text that is searched. */
  readonly search: SearchIndexJson | null;
}

/** The indexes of a table: first the plain ones, then those for search. */
export function declaredIndexes(table: TableJson): DeclaredIndex[] {
  const plain = [...table.indexes, ...(table.stagedDbIndexes ?? [])];
  const search = [...(table.searchIndexes ?? []), ...(table.stagedSearchIndexes ?? [])];
  return [
    ...plain.map(({ indexDescriptor, fields }) => ({
      name: indexDescriptor,
      fields: fields.filter((field) => field !== "_creationTime"),
      search: null,
    })),
    ...search.map((index) => ({
      name: index.indexDescriptor,
      fields: [index.searchField],
      search: index,
    })),
  ];
}

/** Fields that documents must be able to have. */
const fieldsUsed = ({ fields, search }: DeclaredIndex): readonly string[] =>
  search === null ? fields : [...fields, ...search.filterFields];

/** Equal for two indexes that would hold the same. */
const contentOf = ({ fields, search }: DeclaredIndex): string =>
  JSON.stringify(search === null ? fields : { fields, by: [...search.filterFields].sort() });

/** Whether a document that fits the validator may have a field at this path. */
function canHold(validator: ValidatorJson, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  switch (validator.type) {
    case "any":
      return true;
    case "union":
      return validator.value.some((option) => canHold(option, path));
    case "object": {
      const field = Object.hasOwn(validator.value, name) ? validator.value[name] : undefined;
      return field !== undefined && canHold(field.fieldType, rest);
    }
    default:
      return false;
  }
}

/** The first field in a validator whose name the real backend would refuse; null for none. */
export function wrongFieldIn(validator: ValidatorJson): string | null {
  switch (validator.type) {
    case "array":
      return wrongFieldIn(validator.value);
    case "record":
      return wrongFieldIn(validator.values.fieldType);
    case "union":
      return firstOf(validator.value, wrongFieldIn);
    case "object":
      return firstOf(Object.entries(validator.value), ([name, { fieldType }]) =>
        FIELD_NAME.test(name) ? wrongFieldIn(fieldType) : name,
      );
    default:
      return null;
  }
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function faultOf(index: DeclaredIndex, documentType: ValidatorJson | null): string | null {
  const { name } = index;
  const fields = fieldsUsed(index);
  if (name === "by_id" || name === "by_creation_time") return "has a reserved name";
  if (!INDEX_NAME.test(name)) return "has an invalid name";
  if (fields.length === 0) return "has no fields";
  if (fields.includes("_id")) return "names `_id`, which ends every index anyway";
  const missing = fields.find(
    (field) =>
      field !== "_creationTime" &&
      documentType !== null &&
      !canHold(documentType, field.split(".")),
  );
  return missing === undefined ? null : `names the field "${missing}", which no document can have`;
}

/** Why the real backend would refuse an index for its fields as they are declared; null when it would not. */
function faultAsDeclared(fields: readonly string[]): string | null {
  // At the end it changes nothing; elsewhere it would, but the real backend accepts it nowhere.
  if (fields.slice(0, -1).includes("_creationTime")) {
    return "names `_creationTime`, which is added to the end of every index";
  }
  const ofSystem = (field: string) => /(?:^|\.)_/.test(field) && !BUILT_IN_FIELDS.includes(field);
  const reserved = fields.find(ofSystem);
  return reserved === undefined ? null : `names the reserved field "${reserved}"`;
}

function checkIndexes(table: TableJson, isEnforced: boolean): void {
  const { tableName } = table;
  for (const { indexDescriptor, fields } of [...table.indexes, ...(table.stagedDbIndexes ?? [])]) {
    const fault = faultAsDeclared(fields);
    if (fault !== null) throw new Error(`Index "${tableName}.${indexDescriptor}" ${fault}`);
  }
  const indexes = declaredIndexes(table);
  if (indexes.length > INDEXES_PER_TABLE_MAX) {
    throw new Error(
      `Table "${tableName}" has ${indexes.length} indexes (maximum ${INDEXES_PER_TABLE_MAX})`,
    );
  }
  for (const { name, fields, search } of indexes) {
    const shown = `Index "${tableName}.${name}"`;
    const filters = new Set(search?.filterFields).size;
    if (filters > FILTER_FIELDS_MAX) {
      throw new Error(`${shown} filters by ${filters} fields (maximum ${FILTER_FIELDS_MAX})`);
    }
    if (fields.length > INDEX_FIELDS_MAX) {
      throw new Error(`${shown} has ${fields.length} fields (maximum ${INDEX_FIELDS_MAX})`);
    }
    if (new Set(fields).size < fields.length) throw new Error(`${shown} names a field twice`);
  }
  const names = new Set<string>();
  const nameByContent = new Map<string, string>();
  for (const index of indexes) {
    const shown = `Index "${tableName}.${index.name}"`;
    const fault = faultOf(index, isEnforced ? (table.documentType ?? null) : null);
    if (fault !== null) throw new Error(`${shown} ${fault}`);
    if (names.has(index.name)) throw new Error(`${shown} is defined twice`);
    names.add(index.name);
    const content = contentOf(index);
    const other = nameByContent.get(content);
    if (other !== undefined) throw new Error(`${shown} has the same fields as "${other}"`);
    nameByContent.set(content, index.name);
  }
}

/** @throws Error for the first table or index that the real backend would refuse, or that is for vectors */
export function checkSchema({ tables, schemaValidation }: SchemaJson): void {
  for (const table of tables) {
    if (table.tableName.startsWith("_")) {
      throw new Error(`"${table.tableName}" is a reserved table name`);
    }
    if ((table.vectorIndexes ?? []).length > 0) {
      throw new Error(
        `Table "${table.tableName}" declares a vector index: vector search is not supported here`,
      );
    }
    const wrong = wrongFieldIn(table.documentType ?? { type: "any" });
    if (wrong !== null) {
      throw new Error(`Table "${table.tableName}" has a field with the invalid name "${wrong}"`);
    }
    checkIndexes(table, schemaValidation);
  }
}
