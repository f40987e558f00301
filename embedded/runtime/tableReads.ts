/** Short reads of the backend's own tables. */
import type { JSONValue } from "convex/values";
import type { Order, StoredDocument, Transaction } from "../db/types.ts";

/** Documents of an index whose leading fields equal `equal`, at most `limit`. */
export function readIndex(
  txn: Transaction,
  indexName: string,
  equal: readonly (readonly [fieldPath: string, value: JSONValue])[],
  options: { limit: number; order?: Order; before?: readonly [fieldPath: string, value: number] },
): StoredDocument[] {
  const stream = txn.openStream({
    source: {
      type: "IndexRange",
      indexName,
      range: [
        ...equal.map(([fieldPath, value]) => ({ type: "Eq" as const, fieldPath, value })),
        ...(options.before === undefined
          ? []
          : [{ type: "Lt" as const, fieldPath: options.before[0], value: options.before[1] }]),
      ],
      order: options.order ?? null,
    },
    operators: [],
  });
  const found: StoredDocument[] = [];
  for (let next = stream.next(); next !== null; next = stream.next()) {
    found.push(next);
    if (found.length >= options.limit) break;
  }
  stream.close();
  return found;
}

/** All documents of a small table. */
export function readTable(txn: Transaction, table: string, limit: number): StoredDocument[] {
  return readIndex(txn, `${table}.by_creation_time`, [], { limit });
}

/** The document's encoded JSON, parsed. */
export function parseDocument<T>(document: StoredDocument): T {
  return JSON.parse(document.json) as T;
}
