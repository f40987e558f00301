/** Short reads of the backend's own tables. */
import type { Order, RangeBound, StoredDocument, Transaction } from "../db/types.ts";

/** Documents of an index whose leading fields equal `equal`, at most `limit`. */
export function readIndex(
  txn: Transaction,
  indexName: string,
  equal: readonly (readonly [fieldPath: string, value: string | number])[],
  options: { limit: number; order?: Order; before?: readonly [fieldPath: string, value: number] },
): readonly StoredDocument[] {
  const { limit, order, before } = options;
  const bounds: RangeBound[] = equal.map(([fieldPath, value]) => ({
    type: "Eq",
    fieldPath,
    value,
  }));
  if (before !== undefined) bounds.push({ type: "Lt", fieldPath: before[0], value: before[1] });
  const [tableName = "", name = ""] = indexName.split(".");
  const isReverse = order === "desc";
  return txn.openRange({ tableName, indexName: name, bounds, isReverse })(limit);
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
