/**
 * Applies a schema: checks documents, builds new indexes, drops old ones.
 *
 * A change runs on a drained database, directly on the store. Each table records which validator its
 * documents were last checked against, so an unchanged schema is resumed without checking documents, however
 * many there are.
 *
 * Long because checking, planning and building are the steps of one change and share its plan.
 */
import type { OrderedStore, StoreWrite } from "../storage/orderedStore.ts";
import { indexEntryWrite } from "./baseReader.ts";
import type { Catalog, TableInfo } from "./catalog.ts";
import {
  indexRemoval,
  indexWrite,
  readCatalog,
  restoreIndexes,
  stateWrite,
  storedTable,
  tableWrite,
  type IndexRecord,
  type StoredState,
} from "./catalogStore.ts";
import { Doc } from "./document.ts";
import { schemaMismatch } from "./documentRules.ts";
import { SchemaMismatchError } from "./errors.ts";
import { AFTER_PREFIX, indexPrefix } from "./keyEncoding.ts";
import { checkSchema, declaredIndexes, type DeclaredIndex } from "./schemaRules.ts";
import type { SchemaJson, SchemaReport, TableJson, ValidatorJson } from "./types.ts";
import type { TableOfId } from "./validator.ts";

const CHUNK = 1000;

export interface SchemaHost {
  readonly catalog: Catalog;
  readonly store: OrderedStore;
  readonly systemSchema: SchemaJson | null;
  readonly tableNameOfId: TableOfId;
  ensureTable(name: string): TableInfo;
  storeState(): StoredState;
}

/** Every document of a table in the store. */
function* storedDocuments(store: OrderedStore, table: TableInfo): Generator<Doc, void, undefined> {
  const snapshot = store.snapshot();
  const cursor = snapshot.range(table.byId.prefix, table.byId.prefix + AFTER_PREFIX, false);
  try {
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      yield Doc.ofRecord(table, table.idOfKey(entry.key), entry.value);
    }
  } finally {
    cursor.close();
    snapshot.release();
  }
}

function checkDocuments(host: SchemaHost, table: TableInfo): number {
  let checked = 0;
  for (const doc of storedDocuments(host.store, table)) {
    checked++;
    const mismatch = schemaMismatch(table, doc.fields, host.tableNameOfId);
    if (mismatch !== null) {
      throw new SchemaMismatchError(
        `Document with ID "${doc.id}" in table "${table.name}" does not match the schema: ${withoutValue(mismatch)}`,
      );
    }
  }
  return checked;
}

/** The message is printed at start: personal data must not get into a log. */
const withoutValue = (mismatch: string): string => mismatch.replace(/\nObject: [^\n]*/, "");

async function applyInChunks(store: OrderedStore, writes: Iterable<StoreWrite>): Promise<void> {
  let chunk: StoreWrite[] = [];
  for (const write of writes) {
    chunk.push(write);
    if (chunk.length === CHUNK) {
      await store.apply(chunk, store.position);
      chunk = [];
    }
  }
  if (chunk.length > 0) await store.apply(chunk, store.position);
}

function* entriesOfIndex(
  store: OrderedStore,
  table: TableInfo,
  prefix: string,
): Generator<StoreWrite, void, undefined> {
  for (const doc of storedDocuments(store, table)) {
    for (const key of doc.indexKeys()) {
      if (key.startsWith(prefix)) {
        yield indexEntryWrite(key, doc.id);
      }
    }
  }
}

function* removalsOfIndex(
  store: OrderedStore,
  prefix: string,
): Generator<StoreWrite, void, undefined> {
  const snapshot = store.snapshot();
  const cursor = snapshot.range(prefix, prefix + AFTER_PREFIX, false);
  try {
    for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
      yield { key: entry.key, value: null };
    }
  } finally {
    cursor.close();
    snapshot.release();
  }
}

function isSameIndex(record: IndexRecord, wanted: DeclaredIndex): boolean {
  return (
    record.isReady &&
    record.name === wanted.name &&
    JSON.stringify([record.fields, record.search]) ===
      JSON.stringify([wanted.fields, wanted.search])
  );
}

interface Wanted {
  readonly tables: ReadonlyMap<string, TableJson>;
  /** Tables whose documents must fit their validator. */
  readonly enforced: ReadonlySet<string>;
}

/** @throws Error for a schema that the real backend would refuse */
function wantedOf(systemSchema: SchemaJson | null, schema: SchemaJson | null): Wanted {
  if (schema !== null) checkSchema(schema);
  const tables = new Map<string, TableJson>();
  const enforced = new Set<string>();
  for (const part of [systemSchema, schema]) {
    if (part === null) continue;
    for (const table of part.tables) {
      tables.set(table.tableName, table);
      if (part.schemaValidation) enforced.add(table.tableName);
    }
  }
  return { tables, enforced };
}

function validatorOf({ tables, enforced }: Wanted, table: TableInfo): ValidatorJson | null {
  return enforced.has(table.name) ? (tables.get(table.name)?.documentType ?? null) : null;
}

/** The form in which a table records what its documents were checked against. */
const textOf = (validator: ValidatorJson | null): string | null =>
  validator === null ? null : JSON.stringify(validator);

interface Plan {
  readonly keep: IndexRecord[];
  readonly drop: IndexRecord[];
  readonly build: { table: string; wanted: DeclaredIndex }[];
}

function planIndexes(host: SchemaHost, tables: ReadonlyMap<string, TableJson>): Plan {
  const existing = readCatalog(host.store).indexes;
  const plan: Plan = { keep: [], drop: [], build: [] };
  for (const [name, json] of tables) {
    for (const wanted of declaredIndexes(json)) {
      const record = existing.find((one) => one.table === name && isSameIndex(one, wanted));
      if (record === undefined) plan.build.push({ table: name, wanted });
      else plan.keep.push(record);
    }
  }
  plan.drop.push(...existing.filter((record) => !plan.keep.includes(record)));
  return plan;
}

/**
 * Resumes the schema that the store was last used with. Returns false, with nothing changed, when the schema
 * is different or documents have yet to be checked.
 */
export function resumeSchema(host: SchemaHost, schema: SchemaJson | null): boolean {
  const wanted = wantedOf(host.systemSchema, schema);
  const { drop, build } = planIndexes(host, wanted.tables);
  if (drop.length > 0 || build.length > 0) return false;
  for (const name of wanted.tables.keys()) {
    if (host.catalog.table(name) === null) return false;
  }
  const tables = [...host.catalog.all()];
  if (tables.some((table) => table.checkedAgainst !== textOf(validatorOf(wanted, table)))) {
    return false;
  }
  for (const table of tables) table.validator = validatorOf(wanted, table);
  return true;
}

/** Sets validators and checks the documents of tables whose validator changed. Returns how many were checked. */
function enforceValidators(host: SchemaHost, wanted: Wanted): number {
  const before = new Map<TableInfo, ValidatorJson | null>();
  let checked = 0;
  try {
    for (const table of host.catalog.all()) {
      before.set(table, table.validator);
      table.validator = validatorOf(wanted, table);
    }
    for (const table of host.catalog.all()) {
      if (table.validator === null) continue;
      const isKnownToFit = table.checkedAgainst === textOf(table.validator);
      if (!isKnownToFit) checked += checkDocuments(host, table);
    }
  } catch (error) {
    for (const [table, validator] of before) table.validator = validator;
    throw error;
  }
  return checked;
}

interface Building {
  readonly table: TableInfo;
  readonly record: IndexRecord;
}

/** See `Database.applySchema`; the caller has drained the database. */
export async function changeSchema(
  host: SchemaHost,
  schema: SchemaJson | null,
): Promise<SchemaReport> {
  const wanted = wantedOf(host.systemSchema, schema);
  const plan = planIndexes(host, wanted.tables);
  for (const name of wanted.tables.keys()) host.ensureTable(name);
  const building: Building[] = plan.build.map(({ table, wanted: index }) => ({
    table: host.ensureTable(table),
    record: { table, id: host.catalog.nextIndexId++, isReady: true, ...index },
  }));
  const documentsChecked = enforceValidators(host, wanted);
  await dropIndexes(host, plan.drop);
  await buildIndexes(host, building);
  const all = [...plan.keep, ...building.map(({ record }) => record)];
  for (const table of host.catalog.all()) restoreIndexes(table, all);
  const writes: StoreWrite[] = [stateWrite(host.storeState())];
  for (const table of host.catalog.all()) {
    table.checkedAgainst = textOf(table.validator);
    writes.push(tableWrite(storedTable(table)));
  }
  for (const { record } of building) writes.push(indexWrite(record));
  await host.store.apply(writes, host.store.position);
  const shown = (record: IndexRecord) => `${record.table}.${record.name}`;
  return {
    documentsChecked,
    indexesBuilt: building.map(({ record }) => shown(record)),
    indexesDropped: plan.drop.map(shown),
  };
}

async function dropIndexes(host: SchemaHost, drop: readonly IndexRecord[]): Promise<void> {
  const { store } = host;
  // Marked first: a partly dropped index must never be taken for a complete one.
  const marks = drop.map((record) => indexWrite({ ...record, isReady: false }));
  if (marks.length > 0) await store.apply(marks, store.position);
  for (const record of drop) {
    await applyInChunks(store, removalsOfIndex(store, indexPrefix(record.id)));
    await store.apply([indexRemoval(record)], store.position);
  }
}

async function buildIndexes(host: SchemaHost, building: readonly Building[]): Promise<void> {
  const { store } = host;
  const marks = building.map(({ record }) => indexWrite({ ...record, isReady: false }));
  if (marks.length > 0) await store.apply(marks, store.position);
  for (const { table, record } of building) {
    // A copy of the table's description with only this index, to compute its keys.
    const partial = Object.assign(Object.create(table) as TableInfo, { indexVersion: {} });
    restoreIndexes(partial, [record]);
    await applyInChunks(store, entriesOfIndex(store, partial, indexPrefix(record.id)));
  }
}
