/**
 * The interface of an open database, and the official forms of queries, validators and schemas.
 *
 * Only types are here; the behaviour is in database.ts and transaction.ts. Reads are synchronous, because memory and
 * LMDB are; only durability is asynchronous.
 */
import type { JSONValue, Value } from "convex/values";
import type { UnknownOutcomeError } from "./errors.ts";
import type { StoreLag } from "./storeLag.ts";

/** Commit timestamp: nanoseconds since the epoch, strictly increasing, never reused after a restart. */
export type Ts = bigint;

/** A position in an index: order-preserving bytes, held as a string with one character per byte. */
export type IndexKey = string;

/** A document's fields, decoded. */
export type DocumentValue = Record<string, Value>;

/** One version of one document. Immutable. */
export interface StoredDocument {
  readonly id: string;
  /** Encoded JSON text, including `_id` and `_creationTime`, keys sorted. */
  readonly json: string;
  /** Size in bytes as Convex counts it, system fields included. */
  readonly sizeBytes: number;
  /** The decoded document; a new copy on every call, which the caller may change. */
  value(): DocumentValue;
}

/** Half-open byte range `[low, high)` of index keys. */
export interface KeyRange {
  readonly low: IndexKey;
  readonly high: IndexKey;
}

/** What a transaction has read: single keys and ranges. */
export interface ReadSet {
  readonly points: readonly IndexKey[];
  readonly ranges: readonly KeyRange[];
}

/** Usage of a transaction's limits. */
export interface TransactionMetrics {
  readonly bytesRead: Metric;
  readonly bytesWritten: Metric;
  readonly databaseQueries: Metric;
  readonly documentsRead: Metric;
  readonly documentsWritten: Metric;
}
export interface Metric {
  readonly used: number;
  readonly remaining: number;
}
/** How much of each a transaction may use. */
export type TransactionLimits = Readonly<Record<keyof TransactionMetrics, number>>;

export type RangeBoundJson = {
  readonly type: "Eq" | "Gt" | "Gte" | "Lt" | "Lte";
  readonly fieldPath: string;
  readonly value: JSONValue;
};
/** The same, decoded. */
export interface RangeBound {
  readonly type: RangeBoundJson["type"];
  readonly fieldPath: string;
  readonly value: Value | undefined;
}
/** One range of one index, decoded. */
export interface IndexRange {
  readonly tableName: string;
  readonly indexName: string;
  readonly bounds: readonly RangeBound[];
  readonly isReverse: boolean;
}
export type SearchFilterJson =
  | { readonly type: "Search"; readonly fieldPath: string; readonly value: string }
  | { readonly type: "Eq"; readonly fieldPath: string; readonly value: JSONValue };
export type Order = "asc" | "desc";
export type QuerySourceJson =
  | { readonly type: "FullTableScan"; readonly tableName: string; readonly order: Order | null }
  | {
      readonly type: "IndexRange";
      /** `table.index` */
      readonly indexName: string;
      readonly range: readonly RangeBoundJson[];
      readonly order: Order | null;
    }
  | {
      readonly type: "Search";
      readonly indexName: string;
      readonly filters: readonly SearchFilterJson[];
    };
type ExpressionJson = { readonly [operator: string]: JSONValue };
export type QueryOperatorJson = { readonly filter: ExpressionJson } | { readonly limit: number };
/** A query as the official client library encodes it. */
export interface QueryJson {
  readonly source: QuerySourceJson;
  readonly operators: readonly QueryOperatorJson[];
}

export interface QueryStream {
  /** The next document, or null at the end (and from then on). */
  next(): StoredDocument | null;
  close(): void;
}

export interface PageRequest {
  readonly cursor: string | null;
  readonly endCursor: string | null;
  readonly pageSize: number;
  readonly maximumRowsRead?: number | null | undefined;
  readonly maximumBytesRead?: number | null | undefined;
}
export interface PageResult {
  readonly page: readonly StoredDocument[];
  readonly isDone: boolean;
  /** Also the journal: pass it as `endCursor` to read the same page again. */
  readonly continueCursor: string;
  readonly splitCursor: string | null;
  readonly pageStatus: null | "SplitRecommended" | "SplitRequired";
}

/** A mark inside a mutation; see {@link Transaction.rollbackTo}. */
export interface Savepoint extends Pick<TransactionLimits, "documentsWritten" | "bytesWritten"> {
  /** Number of the changes before it; the limits count so much for them. */
  readonly undoLength: number;
}

export interface Transaction {
  readonly kind: "query" | "mutation";
  /** The newest commit this transaction sees. */
  readonly beginTs: Ts;
  readonly readSet: ReadSet;
  readonly metrics: TransactionMetrics;
  /** Whether it wrote anything, also to system tables, which `metrics` leave out. */
  readonly hasWritten: boolean;

  /** @throws Error for an id that cannot be decoded; null for an id of no table or no document. */
  get(id: string): StoredDocument | null;
  /** Index and range errors are thrown here, not by `next`. */
  openStream(query: QueryJson): QueryStream;
  /** `openStream` for a range read at once: call the returned function once, for at most `limit` documents in order. */
  openRange(range: IndexRange): (limit: number) => readonly StoredDocument[];
  /** Adds a whole range to the read set without reading it, for a caller that already knows its content. */
  assumeRead(range: IndexRange): void;
  /** @throws Error containing `InvalidCursor` when the cursor does not belong to this query */
  paginate(query: QueryJson, page: PageRequest): PageResult;
  /** Number of documents in a table. */
  count(table: string): number;

  /** Inserts encoded JSON; returns the new id. */
  insert(table: string, value: JSONValue): string;
  /** Shallow merge of encoded JSON; `{"$undefined": null}` removes a field. What changes no value writes nothing. */
  patch(id: string, value: JSONValue): StoredDocument;
  replace(id: string, value: JSONValue): StoredDocument;
  /** Deletes and returns the document that was there. */
  remove(id: string): StoredDocument;
  insertValue(table: string, value: Record<string, Value | undefined>): string;
  patchValue(id: string, value: Record<string, Value | undefined>): StoredDocument;
  replaceValue(id: string, value: Record<string, Value | undefined>): StoredDocument;

  /** The id itself when it is one of that table, else null; never throws. */
  normalizeId(table: string, id: string): string | null;
  /** Name of the table an id belongs to; null when it cannot be decoded or has no table. */
  tableOf(id: string): string | null;

  savepoint(): Savepoint;
  /** Undoes the writes since the savepoint; what was read stays in the read set, and counts against the limits. */
  rollbackTo(savepoint: Savepoint): void;
  /** Allows at most this much more, by default what the limits allow, until the returned function is called. */
  restrict(budget: Partial<TransactionLimits>): () => void;
  /** A query transaction on the state at this one's begin (without its writes). Close it. */
  snapshotAtBegin(): Transaction;
  /** Releases the snapshot. Safe to call twice. A committed mutation is closed by its commit. */
  close(): void;
}

/** One commit as subscribers see it, after it is durable. */
export interface DurableCommit {
  readonly ts: Ts;
  /** Every index key the commit touched, old and new; computed on first use. */
  readonly writes: readonly IndexKey[];
  /** Approximate memory it holds, including the documents it wrote. */
  readonly heldBytes: number;
}

export interface SchemaReport {
  readonly documentsChecked: number;
  readonly indexesBuilt: readonly string[];
  readonly indexesDropped: readonly string[];
}

export interface Database {
  /** The newest commit, durable or not. */
  readonly latestTs: Ts;
  /** The newest commit that survives a power cut: what queries see. */
  readonly durableTs: Ts;
  /** Resolves when every commit so far is durable; null when they all are. Rejects with the log's error. */
  durableSoFar(): Promise<void> | null;
  /** Why the database is read-only (for example a full disk), or null. */
  readonly isReadOnly: string | null;
  readonly storeLag: StoreLag;
  /**
   * Set when the log failed in a way that only the next start can tell which commits are durable.
   * `isReadOnly` is set as well.
   */
  readonly unknownOutcome: UnknownOutcomeError | null;

  /** A transaction on the newest durable state. Close it. */
  beginQuery(): Transaction;
  /**
   * A transaction on everything committed so far, durable or not.
   * @param nowMs wall clock, the floor of the creation times it assigns
   */
  beginMutation(nowMs: number): Transaction;
  /**
   * Commits: visible to the next mutation at once, to queries once `durable` has resolved. `durable` rejects,
   * and the database becomes read-only, when the log fails; with an UnknownOutcomeError when the next start
   * may find the commit nevertheless. Without writes, `durable` waits for the commits the transaction has
   * seen.
   * @throws UnknownOutcomeError when there is one, else ReadOnlyError when `isReadOnly`
   * @throws ConflictError when something it read has been written since it began
   */
  commit(transaction: Transaction): { readonly ts: Ts; readonly durable: Promise<void> };
  /**
   * Calls `listener` once per durable group, in commit order; returns the function that unsubscribes. An
   * error thrown by the listener becomes an uncaught exception of the process.
   */
  onDurable(listener: (commits: readonly DurableCommit[]) => void): () => void;
  /**
   * Applies a schema (the JSON of `schema.export()`): checks every existing document, then builds new indexes
   * and drops old ones. When it throws one of these errors, validators and indexes are unchanged. `onChange` is
   * called before a change to a database that has tables, which takes time in proportion to its documents.
   * @throws Error for indexes that may not be declared, ReadOnlyError when `isReadOnly`
   * @throws SchemaMismatchError for the first document that does not fit
   */
  applySchema(schema: SchemaJson | null, onChange?: () => void): Promise<SchemaReport>;
  tables(): readonly { readonly name: string; readonly number: number }[];
  /** Resolves when no commit is waiting for the log, whether the last ones succeeded or failed. */
  settled(): Promise<void>;
  /**
   * Backpressure for mutations: null, or a promise to await before starting one. It resolves when the lag of
   * the store is below its limit again, or when the database becomes read-only.
   */
  room(): Promise<void> | null;
  /** Waits for all commits to be durable, then closes. */
  close(): Promise<void>;
}

export type ValidatorJson =
  | { readonly type: "null" | "number" | "bigint" | "boolean" | "string" | "bytes" | "any" }
  | { readonly type: "commitTs" }
  | { readonly type: "literal"; readonly value: JSONValue }
  | { readonly type: "id"; readonly tableName: string }
  | { readonly type: "array"; readonly value: ValidatorJson }
  | { readonly type: "union"; readonly value: readonly ValidatorJson[] }
  | { readonly type: "object"; readonly value: { readonly [field: string]: FieldValidatorJson } }
  | {
      readonly type: "record";
      readonly keys: ValidatorJson;
      readonly values: { readonly fieldType: ValidatorJson; readonly optional?: boolean };
    };
export interface FieldValidatorJson {
  readonly fieldType: ValidatorJson;
  readonly optional: boolean;
}

export interface IndexJson {
  readonly indexDescriptor: string;
  readonly fields: readonly string[];
}
export interface SearchIndexJson {
  readonly indexDescriptor: string;
  readonly searchField: string;
  readonly filterFields: readonly string[];
}
export interface TableJson {
  readonly tableName: string;
  readonly indexes: readonly IndexJson[];
  readonly stagedDbIndexes?: readonly IndexJson[];
  readonly searchIndexes?: readonly SearchIndexJson[];
  readonly stagedSearchIndexes?: readonly SearchIndexJson[];
  readonly vectorIndexes?: readonly { readonly indexDescriptor: string }[];
  readonly documentType?: ValidatorJson | null;
}
/** The parsed output of the official library's `schema.export()`. */
export interface SchemaJson {
  readonly tables: readonly TableJson[];
  readonly schemaValidation: boolean;
}

export interface DatabaseOptions {
  /** System tables (their names start with `_`); always in effect together with the schema. */
  readonly systemSchema?: SchemaJson;
  /** Wall clock in milliseconds; tests inject theirs. */
  readonly now?: () => number;
  /** Bytes of commits that may be unapplied before mutations wait (128 MiB). */
  readonly missingMaxBytes?: number;
}
