/**
 * The catalog: which tables and indexes exist, by name and number. Numbers are persistent and never reused.
 *
 * The catalog changes only through the database (a commit that creates a table, a schema change); this file
 * neither reads nor writes the store.
 */
import { TABLE_NUMBER_MAX, tableNumberOf } from "./ids.ts";
import { INDEX_PREFIX_LENGTH, encodeKeyValue, indexPrefix } from "./keyEncoding.ts";
import type { IndexKey, SearchIndexJson, ValidatorJson } from "./types.ts";

/** As in a new Convex deployment; smaller numbers are for system tables. */
const FIRST_USER_TABLE = 10_001;
const FIRST_SYSTEM_TABLE = 128;
/** Index id 0 holds the catalog itself. */
const FIRST_INDEX_ID = 1;

const TABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/**
 * Immutable. An index that is defined again gets a new number, so that old entries are never taken for its
 * own.
 */
export class IndexInfo {
  readonly id: number;
  readonly name: string;
  /** Declared fields, without the trailing `_creationTime` and `_id`. */
  readonly fields: readonly string[];
  readonly paths: readonly (readonly string[])[];
  /** All fields of the key, in order, for query ranges and error texts. */
  readonly keyFields: readonly string[];
  readonly prefix: IndexKey;
  /** Set for a search index, whose entries are built by search.ts. */
  readonly search: SearchIndexJson | null;

  constructor(
    id: number,
    name: string,
    fields: readonly string[],
    search: SearchIndexJson | null = null,
  ) {
    this.id = id;
    this.name = name;
    this.fields = fields;
    this.paths = fields.map((field) => field.split("."));
    this.keyFields = name === "by_id" ? ["_id"] : [...fields, "_creationTime", "_id"];
    this.prefix = indexPrefix(id);
    this.search = search;
  }
}

export type SearchIndexInfo = IndexInfo & { readonly search: SearchIndexJson };

/**
 * One table: the same object for as long as the database is open. A schema change sets its indexes and
 * validator.
 */
export class TableInfo {
  readonly name: string;
  readonly number: number;
  readonly byId: IndexInfo;
  readonly byCreationTime: IndexInfo;
  /** Declared indexes in force, without the two built-in ones. */
  indexes: readonly IndexInfo[] = [];
  searchIndexes: readonly SearchIndexInfo[] = [];
  /** Changes with `indexes`: documents cache their keys against it. */
  indexVersion = {};
  /** The validator of its documents, when one is enforced. */
  validator: ValidatorJson | null = null;
  /** JSON of the validator that all its stored documents are known to fit; null when none is known. */
  checkedAgainst: string | null = null;
  /** True for system tables, whose use does not count against the limits. */
  readonly isSystem: boolean;

  constructor(name: string, number: number, byId: IndexInfo, byCreationTime: IndexInfo) {
    this.name = name;
    this.number = number;
    this.byId = byId;
    this.byCreationTime = byCreationTime;
    this.isSystem = name.startsWith("_");
  }

  setIndexes(indexes: readonly IndexInfo[], searchIndexes: readonly SearchIndexInfo[]): void {
    this.indexes = indexes;
    this.searchIndexes = searchIndexes;
    this.indexVersion = {};
  }

  index(name: string): IndexInfo | null {
    if (name === "by_id") return this.byId;
    if (name === "by_creation_time") return this.byCreationTime;
    return this.indexes.find((index) => index.name === name) ?? null;
  }

  /** Key of a document in `by_id`. */
  idKey(id: string): IndexKey {
    return `${this.byId.prefix}\x10${id}\x00`;
  }

  /** The id that {@link idKey} was made from. */
  idOfKey(key: IndexKey): string {
    return key.slice(INDEX_PREFIX_LENGTH + 1, -1);
  }
}

/**
 * Key that stands for the existence of a table: reads of a missing table record it, and the commit that
 * creates the table writes it.
 */
export function tableExistenceKey(name: string): IndexKey {
  return indexPrefix(0) + "T" + encodeKeyValue(name);
}

/** The tables of one open database, by name and by number. Tables are never removed. */
export class Catalog {
  private readonly byName = new Map<string, TableInfo>();
  private readonly byNumber = new Map<number, TableInfo>();
  private nextUserTable = FIRST_USER_TABLE;
  private nextSystemTable = FIRST_SYSTEM_TABLE;
  nextIndexId = FIRST_INDEX_ID;

  table(name: string): TableInfo | null {
    return this.byName.get(name) ?? null;
  }

  tableByNumber(number: number): TableInfo | null {
    return this.byNumber.get(number) ?? null;
  }

  /**
   * The table of a document in the log. Null for one that a commit inserted and removed: it may have been the only one
   * its table ever had. @throws Error for any other document without a table
   */
  tableInLog(id: string, isGone: boolean): TableInfo | null {
    const table = this.tableByNumber(tableNumberOf(id));
    if (table === null && !isGone) throw new Error(`The log writes ${id}, whose table is unknown`);
    return table;
  }

  all(): IterableIterator<TableInfo> {
    return this.byName.values();
  }

  get tableCount(): number {
    return this.byName.size;
  }

  /** A table with the next free numbers. @throws Error for a name that is not allowed, or when none is free */
  createTable(name: string): TableInfo {
    checkTableName(name);
    const number = name.startsWith("_") ? this.nextSystemTable : this.nextUserTable;
    return this.restoreTable(name, number, this.nextIndexId, this.nextIndexId + 1);
  }

  /**
   * Adds a table with the numbers it was given when it was created.
   * @throws Error for a number that no id has room for
   */
  restoreTable(
    name: string,
    number: number,
    byIdIndex: number,
    byCreationIndex: number,
  ): TableInfo {
    if (number > TABLE_NUMBER_MAX) {
      throw new Error(`Table "${name}" cannot have a number above ${TABLE_NUMBER_MAX}`);
    }
    const table = new TableInfo(
      name,
      number,
      new IndexInfo(byIdIndex, "by_id", []),
      new IndexInfo(byCreationIndex, "by_creation_time", []),
    );
    this.byName.set(name, table);
    this.byNumber.set(number, table);
    if (number >= FIRST_USER_TABLE) this.nextUserTable = Math.max(this.nextUserTable, number + 1);
    else this.nextSystemTable = Math.max(this.nextSystemTable, number + 1);
    this.nextIndexId = Math.max(this.nextIndexId, byIdIndex + 1, byCreationIndex + 1);
    return table;
  }
}

/** @throws Error for names that are not identifiers or longer than 64 characters */
export function checkTableName(name: string): void {
  if (!TABLE_NAME.test(name)) {
    throw new Error(
      `Invalid table name "${name}": a table name has at most 64 letters, digits and underscores and does not start with a digit.`,
    );
  }
}
