/** The catalog's entries in the store: tables, indexes, and the state needed after a restart. */
import { Catalog, IndexInfo, type SearchIndexInfo, type TableInfo } from "./catalog.ts";
import { AFTER_PREFIX, indexPrefix } from "./keyEncoding.ts";
import type { OrderedStore, StoreSnapshot, StoreWrite } from "../storage/orderedStore.ts";
import type { TableRecord } from "./commitRecord.ts";
import type { SearchIndexJson } from "./types.ts";

const META = indexPrefix(0);
const TABLES = META + "t";
const INDEXES = META + "i";
const STATE = META + "p";
const SECRET = META + "s";

/** An index as it is stored. `isReady` is false while it is being built or dropped. */
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

/** The state of the database as of the newest commit in the store. */
export interface StoredState {
  readonly ts: string;
  readonly creationTime: number;
  readonly nextIndexId: number;
}

/** A table as the log records it: enough to recreate it with the same numbers. */
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

/** Writes a table's entry. {@link readCatalog} reads these entries back. */
export const tableWrite = (table: StoredTable) => put(TABLES + table.name, table);
/** Writes an index's entry. An index left with `isReady: false` by a crash is dropped and built again. */
export const indexWrite = (index: IndexRecord) => put(`${INDEXES}${index.id}`, index);
/** Removes an index's entry; only after all of its keys. */
export const indexRemoval = (index: IndexRecord): StoreWrite => ({
  key: `${INDEXES}${index.id}`,
  value: null,
});
/** Writes the state; always in the batch that reaches it. */
export const stateWrite = (state: StoredState) => put(STATE, state);
/** Writes the secret that protects cursors; once, when the database is created. */
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

interface StoredCatalog {
  readonly tables: readonly StoredTable[];
  readonly indexes: readonly IndexRecord[];
  readonly state: StoredState | null;
  readonly secret: Buffer | null;
}

/** Sets the table's indexes from the records that are ready. */
export function restoreIndexes(table: TableInfo, records: readonly IndexRecord[]): void {
  const infos = records
    .filter((record) => record.table === table.name && record.isReady)
    .map((record) => new IndexInfo(record.id, record.name, record.fields, record.search));
  table.setIndexes(
    infos.filter((index) => index.search === null),
    infos.filter((index): index is SearchIndexInfo => index.search !== null),
  );
}

/** The catalog that the store's entries describe. */
export function restoreCatalog({ tables, indexes, state }: StoredCatalog): Catalog {
  const catalog = new Catalog();
  for (const { name, number, byIdIndex, byCreationIndex, checkedAgainst } of tables) {
    const table = catalog.restoreTable(name, number, byIdIndex, byCreationIndex);
    restoreIndexes(table, indexes);
    // The log's commits were checked against this schema, so replaying them does not change it.
    table.checkedAgainst = checkedAgainst;
  }
  for (const index of indexes) catalog.nextIndexId = Math.max(catalog.nextIndexId, index.id + 1);
  catalog.nextIndexId = Math.max(catalog.nextIndexId, state?.nextIndexId ?? 0);
  return catalog;
}

/**
 * All of the catalog's entries as they are now. `secret` is null in an empty store, `state` until something was
 * applied.
 * @throws DamageError when an entry is not as it was written
 */
export function readCatalog(store: OrderedStore): StoredCatalog {
  const snapshot = store.snapshot();
  try {
    const state = snapshot.get(STATE);
    return {
      tables: readAll<StoredTable>(snapshot, TABLES),
      indexes: readAll<IndexRecord>(snapshot, INDEXES),
      state: state === undefined ? null : (JSON.parse(state.toString()) as StoredState),
      secret: snapshot.get(SECRET) ?? null,
    };
  } finally {
    snapshot.release();
  }
}
