/** Small helpers for tests of the database room. */
import type { JSONValue } from "convex/values";
import { openMemoryDatabase } from "../../../embedded/db/openDatabase";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import type {
  IndexJson,
  QueryJson,
  SchemaJson,
  TableJson,
  Transaction,
  ValidatorJson,
} from "../../../embedded/db/types";

export function table(
  tableName: string,
  indexes: Record<string, string[]> = {},
  documentType: ValidatorJson = { type: "any" },
): TableJson {
  const list: IndexJson[] = Object.entries(indexes).map(([indexDescriptor, fields]) => ({
    indexDescriptor,
    fields,
  }));
  return { tableName, indexes: list, documentType };
}

export function schema(...tables: TableJson[]): SchemaJson {
  return { tables, schemaValidation: true };
}

export async function memoryDatabase(definition: SchemaJson): Promise<EmbeddedDatabase> {
  const db = await openMemoryDatabase();
  await db.applySchema(definition);
  return db;
}

export const scan = (tableName: string, order: "asc" | "desc" = "asc"): QueryJson => ({
  source: { type: "FullTableScan", tableName, order },
  operators: [],
});

type Bound = ["Eq" | "Gt" | "Gte" | "Lt" | "Lte", string, JSONValue];
export const range = (
  indexName: string,
  bounds: Bound[] = [],
  order: "asc" | "desc" = "asc",
): QueryJson => ({
  source: {
    type: "IndexRange",
    indexName,
    range: bounds.map(([type, fieldPath, value]) => ({ type, fieldPath, value })),
    order,
  },
  operators: [],
});

export function collect(transaction: Transaction, query: QueryJson): Record<string, unknown>[] {
  const stream = transaction.openStream(query);
  const found: Record<string, unknown>[] = [];
  for (let doc = stream.next(); doc !== null; doc = stream.next()) found.push(doc.value());
  return found;
}

/** Runs a mutation and waits until it is durable. */
export async function mutate<T>(db: EmbeddedDatabase, body: (tx: Transaction) => T): Promise<T> {
  const tx = db.beginMutation(Date.now());
  try {
    const result = body(tx);
    await db.commit(tx).durable;
    return result;
  } finally {
    tx.close();
  }
}

/** Runs a query on the newest durable state. */
export function read<T>(db: EmbeddedDatabase, body: (tx: Transaction) => T): T {
  const tx = db.beginQuery();
  try {
    return body(tx);
  } finally {
    tx.close();
  }
}
