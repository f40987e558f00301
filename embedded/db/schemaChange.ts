/**
 * Puts a schema in force: checks documents, builds new indexes, takes down old ones.
 *
 * Runs on a drained database, straight on the store. What a table's documents were last checked against
 * is remembered, so an unchanged schema costs nothing however many documents there are.
 *
 * Long because checking, planning and building are the steps of one change and share its plan.
 */
import type { OrderedStore, StoreWrite } from "../storage/orderedStore";
import { indexEntryWrite } from "./baseReader";
import { IndexInfo, type Catalog, type TableInfo } from "./catalog";
import {
  indexRemoval,
  indexWrite,
  readCatalog,
  stateWrite,
  storedTable,
  tableWrite,
  type IndexRecord,
  type StoredState,
} from "./catalogStore";
import { Doc } from "./document";
import { schemaMismatch } from "./documentRules";
import { SchemaMismatchError } from "./errors";
import { AFTER_PREFIX } from "./keyEncoding";
import { MAX_INDEXES_PER_TABLE, MAX_INDEX_FIELDS } from "./limits";
import type { SchemaJson, SchemaReport, TableJson, ValidatorJson } from "./types";
import type { TableOfId } from "./validator";

const CHUNK = 1000;
const INDEX_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

export interface SchemaHost {
  readonly catalog: Catalog;
  readonly store: OrderedStore;
  readonly systemSchema: SchemaJson | null;
  readonly tableNameOfId: TableOfId;
  ensureTable(name: string): TableInfo;
  storeState(): StoredState;
}

/** An index that the schema asks for. */
interface WantedIndex {
  readonly name: string;
  readonly fields: readonly string[];
  readonly search: IndexRecord["search"];
}

function wantedIndexes(table: TableJson): WantedIndex[] {
  if (table.vectorIndexes !== undefined && table.vectorIndexes.length > 0) {
    throw new Error(
      `Table "${table.tableName}" declares a vector index: vector search is not supported here`,
    );
  }
  const plain = [...table.indexes, ...(table.stagedDbIndexes ?? [])];
  const search = [...(table.searchIndexes ?? []), ...(table.stagedSearchIndexes ?? [])];
  const wanted: WantedIndex[] = [
    ...plain.map((index) => ({
      name: index.indexDescriptor,
      // The official client appends the creation time in some versions; the key has it anyway.
      fields: index.fields.filter((field) => field !== "_creationTime" && field !== "_id"),
      search: null,
    })),
    ...search.map((index) => ({
      name: index.indexDescriptor,
      fields: [index.searchField],
      search: index,
    })),
  ];
  checkIndexes(table.tableName, wanted);
  return wanted;
}

function checkIndexes(tableName: string, wanted: readonly WantedIndex[]): void {
  if (wanted.length > MAX_INDEXES_PER_TABLE) {
    throw new Error(
      `Table "${tableName}" has ${wanted.length} indexes (maximum ${MAX_INDEXES_PER_TABLE})`,
    );
  }
  const names = new Set(["by_id", "by_creation_time"]);
  for (const { name, fields } of wanted) {
    if (!INDEX_NAME.test(name)) throw new Error(`Invalid index name "${tableName}.${name}"`);
    if (names.has(name)) throw new Error(`Index "${tableName}.${name}" is defined twice`);
    names.add(name);
    if (fields.length > MAX_INDEX_FIELDS) {
      throw new Error(
        `Index "${tableName}.${name}" has ${fields.length} fields (maximum ${MAX_INDEX_FIELDS})`,
      );
    }
  }
}

/** Every document of a table, as it is in the store. */
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
        `Document with ID "${doc.id}" in table "${table.name}" does not match the schema: ${mismatch}`,
      );
    }
  }
  return checked;
}

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

/** Fills `table.indexes` from what the store says is ready. */
export function restoreIndexes(table: TableInfo, records: readonly IndexRecord[]): void {
  const infos = records
    .filter((record) => record.table === table.name && record.isReady)
    .map((record) => new IndexInfo(record.id, record.name, record.fields, record.search));
  table.setIndexes(
    infos.filter((index) => index.search === null),
    infos.filter((index) => index.search !== null),
  );
}

function isSameIndex(record: IndexRecord, wanted: WantedIndex): boolean {
  return (
    record.isReady &&
    record.name === wanted.name &&
    JSON.stringify([record.fields, record.search]) ===
      JSON.stringify([wanted.fields, wanted.search])
  );
}

interface Plan {
  readonly keep: IndexRecord[];
  readonly drop: IndexRecord[];
  readonly build: { table: TableInfo; record: IndexRecord }[];
}

function planIndexes(host: SchemaHost, tables: ReadonlyMap<string, TableJson>): Plan {
  const snapshot = host.store.snapshot();
  const existing = readCatalog(snapshot).indexes;
  snapshot.release();
  const plan: Plan = { keep: [], drop: [], build: [] };
  const kept = new Set<number>();
  for (const [name, json] of tables) {
    const table = host.ensureTable(name);
    for (const wanted of wantedIndexes(json)) {
      const record = existing.find((one) => one.table === name && isSameIndex(one, wanted));
      if (record !== undefined) {
        kept.add(record.id);
        plan.keep.push(record);
        continue;
      }
      const id = host.catalog.nextIndexId++;
      plan.build.push({ table, record: { table: name, id, isReady: true, ...wanted } });
    }
  }
  plan.drop.push(...existing.filter((record) => !kept.has(record.id)));
  return plan;
}

/** Sets validators in force and checks the documents of tables whose validator changed. */
function enforceValidators(
  host: SchemaHost,
  tables: ReadonlyMap<string, TableJson>,
  enforced: ReadonlySet<string>,
): number {
  const before = new Map<TableInfo, ValidatorJson | null>();
  let checked = 0;
  try {
    for (const table of host.catalog.all()) {
      before.set(table, table.validator);
      table.validator = enforced.has(table.name)
        ? (tables.get(table.name)?.documentType ?? null)
        : null;
    }
    for (const table of host.catalog.all()) {
      if (table.validator === null) continue;
      const isKnownToFit = table.checkedAgainst === JSON.stringify(table.validator);
      if (!isKnownToFit) checked += checkDocuments(host, table);
    }
  } catch (error) {
    for (const [table, validator] of before) table.validator = validator;
    throw error;
  }
  return checked;
}

/** See `Database.applySchema`; the caller has drained the database. */
export async function changeSchema(
  host: SchemaHost,
  schema: SchemaJson | null,
): Promise<SchemaReport> {
  const tables = new Map<string, TableJson>();
  const enforced = new Set<string>();
  for (const part of [host.systemSchema, schema]) {
    for (const table of part?.tables ?? []) {
      tables.set(table.tableName, table);
      if (part!.schemaValidation) enforced.add(table.tableName);
    }
  }
  const plan = planIndexes(host, tables);
  const documentsChecked = enforceValidators(host, tables, enforced);
  await takeDown(host, plan.drop);
  await build(host, plan);
  const all = [...plan.keep, ...plan.build.map(({ record }) => record)];
  for (const table of host.catalog.all()) restoreIndexes(table, all);
  const writes: StoreWrite[] = [stateWrite(host.storeState())];
  for (const table of host.catalog.all()) {
    const { validator } = table;
    table.checkedAgainst = validator === null ? null : JSON.stringify(validator);
    writes.push(tableWrite(storedTable(table)));
  }
  for (const { record } of plan.build) writes.push(indexWrite(record));
  await host.store.apply(writes, host.store.position);
  const shown = (record: IndexRecord) => `${record.table}.${record.name}`;
  return {
    documentsChecked,
    indexesBuilt: plan.build.map(({ record }) => shown(record)),
    indexesDropped: plan.drop.map(shown),
  };
}

async function takeDown(host: SchemaHost, drop: readonly IndexRecord[]): Promise<void> {
  const { store } = host;
  // Marked first: an index half taken down must never be taken for a whole one.
  const marks = drop.map((record) => indexWrite({ ...record, isReady: false }));
  if (marks.length > 0) await store.apply(marks, store.position);
  for (const record of drop) {
    const { prefix } = new IndexInfo(record.id, record.name, record.fields);
    await applyInChunks(store, removalsOfIndex(store, prefix));
    await store.apply([indexRemoval(record)], store.position);
  }
}

async function build(host: SchemaHost, plan: Plan): Promise<void> {
  const { store } = host;
  const marks = plan.build.map(({ record }) => indexWrite({ ...record, isReady: false }));
  if (marks.length > 0) await store.apply(marks, store.position);
  for (const { table, record } of plan.build) {
    // A description of the table with this index alone computes its keys.
    const partial = Object.assign(Object.create(table) as TableInfo, { indexVersion: {} });
    restoreIndexes(partial, [record]);
    const { prefix } = new IndexInfo(record.id, record.name, record.fields);
    await applyInChunks(store, entriesOfIndex(store, partial, prefix));
  }
}
