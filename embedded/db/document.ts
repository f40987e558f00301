/** One version of one document, with its text, fields and index keys. Each is computed on first use. */
import { compareValues, type Value } from "convex/values";
import type { IndexInfo, TableInfo } from "./catalog.ts";
import { fieldAt } from "./expressions.ts";
import { encodeKeyValue, INDEX_PREFIX_LENGTH } from "./keyEncoding.ts";
import { searchKeys } from "./search.ts";
import type { DocumentValue, IndexKey, StoredDocument } from "./types.ts";
import { cloneFields, parseStoredDocument, toJsonText } from "./values.ts";

/** Heap bytes of a document besides its values: objects, field slots, its id, the map entry. */
const OVERHEAD_BYTES = 512;
/** Bytes before the JSON text in a stored record: the size as Convex counts it, 32 bits. */
const HEADER_BYTES = 4;
/** The most UTF-8 bytes of one UTF-16 code unit. */
const UTF8_MAX_BYTES = 3;

/** About what a version takes of the heap; null stands for a deletion. */
export const heapBytesOf = (doc: Doc | null): number => OVERHEAD_BYTES + (doc?.sizeBytes ?? 0);

/** The part of an index key that comes from the declared fields. */
function keyOf(index: IndexInfo, fields: DocumentValue): IndexKey {
  let key = index.prefix;
  for (const path of index.paths) {
    const name = path[0]!;
    let value: Value | undefined;
    if (path.length > 1) value = fieldAt(fields, path);
    else if (Object.hasOwn(fields, name)) value = fields[name];
    key += encodeKeyValue(value);
  }
  return key;
}

interface ChangedKeys {
  readonly added: readonly IndexKey[];
  readonly removed: readonly IndexKey[];
}

const NO_KEYS: readonly IndexKey[] = [];

/** The index keys that a new version adds and removes; null stands for no version. */
export function changedKeys(old: Doc | null, doc: Doc | null): ChangedKeys {
  if (old === null) return { added: doc?.indexKeys() ?? NO_KEYS, removed: NO_KEYS };
  if (doc === null) return { added: NO_KEYS, removed: old.indexKeys() };
  if (doc.table.searchIndexes.length > 0) return comparedKeys(old, doc);
  const added: IndexKey[] = [];
  const removed: IndexKey[] = [];
  for (const index of doc.table.indexes) {
    if (isUntouched(index, doc.fields, old.fields)) continue;
    const [key, before] = [doc.indexKey(index), old.indexKey(index)];
    if (key === before) continue;
    added.push(key);
    removed.push(before);
  }
  return { added, removed };
}

function comparedKeys(old: Doc, doc: Doc): ChangedKeys {
  const [keys, before] = [doc.indexKeys(), old.indexKeys()];
  return { added: without(keys, before), removed: without(before, keys) };
}

/** By a set: a text has as many keys in a search index as it has words. */
function without(keys: readonly IndexKey[], others: readonly IndexKey[]): readonly IndexKey[] {
  const known = new Set(others);
  return keys.filter((key) => !known.has(key));
}

/** 0 and -0 are different values in an index. Objects are compared by their keys instead. */
const isSame = (value: Value | undefined, before: Value | undefined): boolean =>
  Object.is(value, before);

/** True when the index has the same key for both. False for some that are equal: see {@link isSame}. */
const isUntouched = (index: IndexInfo, fields: DocumentValue, before: DocumentValue): boolean =>
  index.paths.every(([name]) => isSame(fields[name!], before[name!]));

/**
 * Created by {@link Doc.ofFields} when written and by {@link Doc.ofRecord} when read. A change is a new
 * object.
 */
export class Doc implements StoredDocument {
  readonly table: TableInfo;
  readonly id: string;
  readonly sizeBytes: number;
  private text: string | null;
  private decoded: DocumentValue | null;
  private keys: readonly IndexKey[] | null = null;
  private keysVersion: object | null = null;

  private constructor(
    table: TableInfo,
    id: string,
    sizeBytes: number,
    text: string | null,
    decoded: DocumentValue | null,
  ) {
    this.table = table;
    this.id = id;
    this.sizeBytes = sizeBytes;
    this.text = text;
    this.decoded = decoded;
  }

  /** @param fields complete, checked and sorted by name; never changed from now on */
  static ofFields(table: TableInfo, id: string, sizeBytes: number, fields: DocumentValue): Doc {
    return new Doc(table, id, sizeBytes, null, fields);
  }

  /** @param record bytes written by {@link Doc.writeRecord} */
  static ofRecord(table: TableInfo, id: string, record: Buffer): Doc {
    const text = record.toString("utf8", HEADER_BYTES);
    return new Doc(table, id, record.readUInt32LE(0), text, null);
  }

  /** The most bytes {@link writeRecord} can need. */
  get recordMaxBytes(): number {
    return HEADER_BYTES + UTF8_MAX_BYTES * this.json.length;
  }

  /** Writes the stored form at offset `at`. Returns the offset of its end. */
  writeRecord(bytes: Buffer, at: number): number {
    bytes.writeUInt32LE(this.sizeBytes, at);
    return at + HEADER_BYTES + bytes.write(this.json, at + HEADER_BYTES, "utf8");
  }

  /**
   * Called once the document's commit is encoded: drops one of its two forms, to spare the garbage collector
   * until the commit is applied. A new document is rarely read before that, so it keeps its text, from which
   * everything else can be computed. A changed document is mostly changed again, so it keeps its fields.
   */
  committed(isNew: boolean): void {
    if (this.decoded === null || this.text === null) return;
    if (isNew) this.decoded = this.keys = null;
    else this.text = null;
  }

  get json(): string {
    return (this.text ??= toJsonText(this.decoded));
  }

  /** The decoded fields. Shared: do not change them. */
  get fields(): DocumentValue {
    if (this.decoded === null) {
      this.decoded = parseStoredDocument(this.json);
      // Most readers need only one form; caching both would cost memory.
      this.text = null;
    }
    return this.decoded;
  }

  /** Whether another version holds the same values. */
  hasFieldsOf(other: Doc): boolean {
    if (this.sizeBytes !== other.sizeBytes) return false;
    const [fields, others] = [this.fields, other.fields];
    // Own fields only; inherited properties are not part of the value.
    return Object.keys(fields).every(
      (name) =>
        Object.hasOwn(others, name) &&
        (isSame(fields[name], others[name]) || compareValues(fields[name], others[name]) === 0),
    );
  }

  value(): DocumentValue {
    return cloneFields(this.fields);
  }

  get creationTime(): number {
    return this.fields._creationTime as number;
  }

  /** Copies the keys of the previous version, if known, for indexes whose fields did not change. */
  reuseKeysOf(previous: Doc): void {
    const { table, fields } = this;
    const known = previous.keysVersion === table.indexVersion ? previous.keys : null;
    if (known === null || table.searchIndexes.length > 0) return;
    const before = previous.fields;
    const [byCreationTime = "", ...keys] = known;
    for (let at = 0; at < keys.length; at++) {
      const index = table.indexes[at]!;
      if (isUntouched(index, fields, before)) continue;
      keys[at] = keyOf(index, fields) + byCreationTime.slice(INDEX_PREFIX_LENGTH);
    }
    this.keys = [byCreationTime, ...keys];
    this.keysVersion = table.indexVersion;
  }

  /** Its key in one declared index. */
  indexKey(index: IndexInfo): IndexKey {
    return keyOf(index, this.fields) + this.keySuffix(this.fields);
  }

  private keySuffix(fields: DocumentValue): string {
    return encodeKeyValue(fields._creationTime) + `\x10${this.id}\x00`;
  }

  /**
   * Keys in every index except `by_id`: `by_creation_time`, the declared indexes in order, then those of the
   * search indexes (any number).
   */
  indexKeys(): readonly IndexKey[] {
    const table = this.table;
    if (this.keys !== null && this.keysVersion === table.indexVersion) return this.keys;
    // Computing keys only (replay, deletion) does not change which form is kept.
    const fields = this.decoded ?? parseStoredDocument(this.json);
    const suffix = this.keySuffix(fields);
    const keys: IndexKey[] = [table.byCreationTime.prefix + suffix];
    for (const index of table.indexes) keys.push(keyOf(index, fields) + suffix);
    for (const index of table.searchIndexes) searchKeys(index, fields, this.id, keys);
    this.keys = keys;
    this.keysVersion = table.indexVersion;
    return keys;
  }
}
