/** Short reads, mostly of system tables. */
import type {
  Database,
  IndexRange,
  Order,
  RangeBound,
  StoredDocument,
  Transaction,
} from "../db/types.ts";

/** Values of the leading fields of an index. */
type Equal = readonly (readonly [fieldPath: string, value: string | number])[];

/** Reads the newest durable state. */
export function readNewest<T>(db: Database, read: (txn: Transaction) => T): T {
  const txn = db.beginQuery();
  try {
    return read(txn);
  } finally {
    txn.close();
  }
}

function rangeOf(indexName: string, equal: Equal): IndexRange & { bounds: RangeBound[] } {
  const bounds = equal.map(([fieldPath, value]): RangeBound => ({ type: "Eq", fieldPath, value }));
  const [tableName = "", name = ""] = indexName.split(".");
  return { tableName, indexName: name, bounds, isReverse: false };
}

/**
 * Documents of an index whose leading fields equal `equal`, at most `limit`. `before` keeps those whose next
 * field is a number below it; documents without the field, which come first in the index, are excluded.
 */
export function readIndex(
  txn: Transaction,
  indexName: string,
  equal: Equal,
  options: { limit: number; order?: Order; before?: readonly [fieldPath: string, value: number] },
): readonly StoredDocument[] {
  const { limit, order, before } = options;
  const range = rangeOf(indexName, equal);
  if (before !== undefined) {
    const [fieldPath, value] = before;
    range.bounds.push({ type: "Gt", fieldPath, value: null }, { type: "Lt", fieldPath, value });
  }
  return txn.openRange({ ...range, isReverse: order === "desc" })(limit);
}

/** Adds a range to the read set for a caller that knows it is empty. */
export function assumeNone(txn: Transaction, indexName: string, equal: Equal): void {
  txn.assumeRead(rangeOf(indexName, equal));
}

/** Adds a table to the read set for a caller that knows its documents. */
export function assumeTable(txn: Transaction, table: string): void {
  txn.assumeRead(rangeOf(`${table}.by_creation_time`, []));
}

/** All documents of a small table. */
export function readTable(
  txn: Transaction,
  table: string,
  limit: number,
): readonly StoredDocument[] {
  return readIndex(txn, `${table}.by_creation_time`, [], { limit });
}

/** The document's encoded JSON, parsed. */
export function parseDocument<T>(document: StoredDocument): T {
  return JSON.parse(document.json) as T;
}
