/** The catalog's own entries in the store: tables, indexes, schemas, and what a restart must know. */
import { Catalog, IndexInfo, type TableInfo } from "./catalog";
import { AFTER_PREFIX, indexPrefix } from "./keyEncoding";
import type { StoreSnapshot, StoreWrite } from "../storage/orderedStore";
import type { TableRecord } from "./commitRecord";
import type { SearchIndexJson } from "./types";

const META = indexPrefix(0);
const TABLES = META + "t";
const INDEXES = META + "i";
const STATE = META + "p";
const SECRET = META + "s";

/** An index as it is stored. `isReady` is false while it is being built or taken down. */
export interface IndexRecord {
  readonly table: string;
  readonly name: string;
  readonly id: number;
  readonly fields: readonly string[];
  readonly search: SearchIndexJson | null;
  readonly isReady: boolean;
}

/** A table's entry: its numbers, and the JSON of the validator its documents are known to fit. */
export interface StoredTable extends TableRecord {
  readonly checkedAgainst: string | null;
}

/** Where the store stands: the newest commit in it. */
export interface StoredState {
  readonly ts: string;
  readonly creationTime: number;
  readonly nextIndexId: number;
}

/** What the log says of a table: enough to make it again under the numbers it had. */
export function tableRecord(table: TableInfo): TableRecord {
  return {
    name: table.name,
    number: table.number,
    byIdIndex: table.byId.id,
    byCreationIndex: table.byCreationTime.id,
  };
}

/** A table's entry in the store. */
export function storedTable(table: TableInfo): StoredTable {
  return { ...tableRecord(table), checkedAgainst: table.checkedAgainst };
}

function put(key: string, value: unknown): StoreWrite {
  return { key, value: Buffer.from(JSON.stringify(value)) };
}

/** Puts a table's entry. {@link readCatalog} reads it back, as it does what the writes below put. */
export const tableWrite = (table: StoredTable) => put(TABLES + table.name, table);
/** Puts an index's entry. One that a crash left with `isReady: false` is dropped and built anew. */
export const indexWrite = (index: IndexRecord) => put(`${INDEXES}${index.id}`, index);
/** Removes an index's entry: last, when none of its keys are left. */
export const indexRemoval = (index: IndexRecord): StoreWrite => ({
  key: `${INDEXES}${index.id}`,
  value: null,
});
/** Puts where the store stands: in the batch that takes it there, never before. */
export const stateWrite = (state: StoredState) => put(STATE, state);
/** Puts the secret that seals cursors: once, when the database is made. */
export const secretWrite = (secret: Buffer): StoreWrite => ({ key: SECRET, value: secret });

function readAll<T>(snapshot: StoreSnapshot, prefix: string): T[] {
  const found: T[] = [];
  const cursor = snapshot.range(prefix, prefix + AFTER_PREFIX, false);
  for (let entry = cursor.next(); entry !== null; entry = cursor.next()) {
    found.push(JSON.parse(entry.value.toString()) as T);
  }
  cursor.close();
  return found;
}

export interface StoredCatalog {
  readonly tables: readonly StoredTable[];
  readonly indexes: readonly IndexRecord[];
  readonly state: StoredState | null;
  readonly secret: Buffer | null;
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

/** The catalog that the store's entries describe. */
export function restoreCatalog({ tables, indexes, state }: StoredCatalog): Catalog {
  const catalog = new Catalog();
  for (const { name, number, byIdIndex, byCreationIndex, checkedAgainst } of tables) {
    const table = catalog.restoreTable(name, number, byIdIndex, byCreationIndex);
    restoreIndexes(table, indexes);
    // The log was written under the schema that was in force then: replaying it changes nothing here.
    table.checkedAgainst = checkedAgainst;
  }
  for (const index of indexes) catalog.nextIndexId = Math.max(catalog.nextIndexId, index.id + 1);
  catalog.nextIndexId = Math.max(catalog.nextIndexId, state?.nextIndexId ?? 0);
  return catalog;
}

/**
 * All of the catalog's entries. `secret` is null in an empty store, `state` until something was applied.
 * @throws DamageError when an entry is not as it was written
 */
export function readCatalog(snapshot: StoreSnapshot): StoredCatalog {
  const state = snapshot.get(STATE);
  return {
    tables: readAll<StoredTable>(snapshot, TABLES),
    indexes: readAll<IndexRecord>(snapshot, INDEXES),
    state: state === undefined ? null : (JSON.parse(state.toString()) as StoredState),
    secret: snapshot.get(SECRET) ?? null,
  };
}
