/**
 * Queries of the native context: index ranges, order and reading on decoded documents. Filters, search and
 * wrong arguments are passed to the library's own query, which then evaluates expressions and reports errors.
 *
 * Long because every way of reading goes through the states of one query, as in the library. Not here: `get`
 * and writes (nativeContext), running queries (db).
 */
import type { PaginationOptions, PaginationResult } from "convex/server";
import type {
  DocumentValue,
  Order,
  QueryJson,
  QueryOperatorJson,
  QueryStream,
  RangeBoundJson,
  StoredDocument,
} from "../db/types.ts";
import { queryArg, readPage } from "./databaseSyscalls.ts";
import {
  arePlain,
  plainBound,
  rangeJson,
  RangeBuilder,
  type Bound,
  type BoundMethod,
} from "./nativeRange.ts";
import type { TransactionFrame } from "./syscalls.ts";

/** The part of the library's query objects that is used here. */
export interface SdkQuery {
  withIndex(name: unknown, range?: unknown): SdkQuery;
  withSearchIndex(name: unknown, filter: unknown): SdkQuery;
  fullTableScan(): SdkQuery;
  order(order: unknown): SdkQuery;
  filter(predicate: unknown): SdkQuery;
  limit(count: unknown): SdkQuery;
  take(count: unknown): Promise<DocumentValue[]>;
  paginate(options: unknown): Promise<PaginationResult<DocumentValue>>;
  count(): Promise<number>;
}
type SdkRangeBuilder = Record<BoundMethod, (field: string, value: unknown) => SdkRangeBuilder>;

/** What a native query reads, in its own form. */
interface Source {
  readonly table: string;
  readonly index: {
    readonly name: string;
    readonly bounds: readonly Bound[];
    /**
     * Null when all bounds are plain values. Otherwise encoded when the query was built, because the values
     * may change later.
     */
    readonly encoded: readonly RangeBoundJson[] | null;
  } | null;
  readonly order: Order | null;
}

/** What a query needs from its context. */
export interface QueryHost {
  readonly frame: TransactionFrame;
  sdkQuery(table: string): SdkQuery;
}

/** The result of `db.query(table)`. */
export class NativeTable {
  private readonly host: QueryHost;
  private readonly table: string;

  constructor(host: QueryHost, table: string) {
    this.host = host;
    this.table = table;
  }

  withIndex(name: unknown, range?: (q: RangeBuilder) => RangeBuilder): unknown {
    const sdk = () => this.host.sdkQuery(this.table);
    if (typeof name !== "string") return sdk().withIndex(name, range);
    const builder = new RangeBuilder([]);
    const bounds = (range === undefined ? builder : range(builder)).export();
    const index = { name, bounds, encoded: arePlain(bounds) ? null : rangeJson(bounds) };
    return new NativeQuery(this.host, { table: this.table, index, order: null });
  }

  withSearchIndex(name: unknown, filter: unknown): unknown {
    return this.host.sdkQuery(this.table).withSearchIndex(name, filter);
  }
  fullTableScan() {
    return new NativeQuery(this.host, { table: this.table, index: null, order: null });
  }
  order(order: Order) {
    return this.fullTableScan().order(order);
  }
  filter(predicate: unknown) {
    return this.fullTableScan().filter(predicate);
  }
  limit(count: unknown) {
    return this.fullTableScan().limit(count);
  }
  count() {
    return this.host.sdkQuery(this.table).count();
  }
  collect() {
    return this.fullTableScan().collect();
  }
  take(count: number) {
    return this.fullTableScan().take(count);
  }
  paginate(options: PaginationOptions) {
    return this.fullTableScan().paginate(options);
  }
  first() {
    return this.fullTableScan().first();
  }
  unique() {
    return this.fullTableScan().unique();
  }
  [Symbol.asyncIterator]() {
    return this.fullTableScan()[Symbol.asyncIterator]();
  }
}

const valueOf = (document: StoredDocument): DocumentValue => document.value();

type State =
  | { readonly type: "preparing" | "closed" | "consumed" }
  /** A null stream means that a synchronous read is running or has failed. */
  | { readonly type: "executing"; readonly stream: QueryStream | null };

/** Can be chained once or read once, like the library's; after that it throws the library's errors. */
export class NativeQuery {
  private readonly host: QueryHost;
  private readonly source: Source;
  private state: State = { type: "preparing" };

  constructor(host: QueryHost, source: Source) {
    this.host = host;
    this.source = source;
  }

  order(order: Order): unknown {
    const isRight = order === "asc" || order === "desc";
    if (!isRight || this.source.order !== null) return this.chained((sdk) => sdk.order(order));
    this.markChained();
    return new NativeQuery(this.host, { ...this.source, order });
  }

  filter(predicate: unknown): SdkQuery {
    return this.chained((sdk) => sdk.filter(predicate));
  }

  limit(count: unknown): SdkQuery {
    return this.chained((sdk) => sdk.limit(count));
  }

  [Symbol.asyncIterator](): this {
    this.start([]);
    return this;
  }

  async next(): Promise<IteratorResult<DocumentValue | null>> {
    this.assertNotEnded();
    const stream = this.state.type === "executing" ? this.state.stream : this.start([]);
    const document = await this.host.frame.operateInTurn(() => stream?.next() ?? null);
    if (document === null) this.close();
    return document === null
      ? ({ value: null, done: true } as const)
      : { value: document.value(), done: false };
  }

  return(): Promise<IteratorResult<undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  async paginate(options: PaginationOptions): Promise<PaginationResult<DocumentValue>> {
    const pageSize: unknown = (options as PaginationOptions | undefined)?.numItems;
    if (typeof pageSize !== "number" || !(pageSize >= 0)) return this.toSdk().paginate(options);
    this.markChained();
    const query = this.json([]);
    const { cursor, endCursor, maximumRowsRead, maximumBytesRead } = options;
    const args = { query, cursor, endCursor, pageSize, maximumRowsRead, maximumBytesRead };
    const { frame } = this.host;
    const found = await frame.operateInTurn(() => readPage(frame, args));
    return { ...found, page: found.page.map((document) => document.value()) };
  }

  // `async` like the library's `collect`: failures are rejections.
  async collect(): Promise<DocumentValue[]> {
    return this.readNow(Infinity) ?? this.read([]);
  }

  async take(count: number): Promise<DocumentValue[]> {
    if (!Number.isInteger(count) || count < 0) return this.toSdk().take(count);
    return this.readUpTo(count);
  }

  async first(): Promise<DocumentValue | null> {
    const [first] = this.readNow(1) ?? (await this.readUpTo(1));
    return first ?? null;
  }

  async unique(): Promise<DocumentValue | null> {
    const [first, second] = this.readNow(2) ?? (await this.readUpTo(2));
    if (first !== undefined && second !== undefined) {
      throw new Error(`unique() query returned more than one result from table ${this.source.table}:
 [${first._id as string}, ${second._id as string}, ...]`);
    }
    return first ?? null;
  }

  private readUpTo(count: number): DocumentValue[] | Promise<DocumentValue[]> {
    this.assertPreparing();
    return this.readNow(count) ?? this.read([{ limit: count }]);
  }

  /** Reads an index range synchronously; null when that is not possible. */
  private readNow(limit: number): DocumentValue[] | null {
    const { table, index, order } = this.source;
    const { frame } = this.host;
    if (this.state.type !== "preparing" || frame.isBusy) return null;
    // The library's form splits `table.index` at the first dot, so a table name with a dot takes the other
    // path.
    if (index === null || index.encoded !== null || table.includes(".")) return null;
    const bounds = index.bounds.map(plainBound);
    const range = { tableName: table, indexName: index.name, bounds, isReverse: order === "desc" };
    const read = frame.operate(() => frame.scope.txn.openRange(range));
    this.state = { type: "executing", stream: null };
    const found = frame.operateNow(() => read(limit));
    this.state = { type: "consumed" };
    return found.map(valueOf);
  }

  private async read(operators: readonly QueryOperatorJson[]): Promise<DocumentValue[]> {
    const { frame } = this.host;
    const stream = this.start(operators);
    const found = await frame.operateInTurn(() => {
      const documents: DocumentValue[] = [];
      for (let next = stream.next(); next !== null; next = stream.next()) {
        documents.push(next.value());
      }
      return documents;
    });
    this.close();
    return found;
  }

  private json(operators: readonly QueryOperatorJson[]): QueryJson {
    const { table, index, order } = this.source;
    return {
      source:
        index === null
          ? { type: "FullTableScan", tableName: table, order }
          : {
              type: "IndexRange",
              indexName: `${table}.${index.name}`,
              range: index.encoded ?? rangeJson(index.bounds),
              order,
            },
      operators,
    };
  }

  private start(operators: readonly QueryOperatorJson[]): QueryStream {
    if (this.state.type === "executing") {
      throw new Error("Iteration can only begin on a query once.");
    }
    this.assertNotEnded();
    const { frame } = this.host;
    const stream = frame.operate(() =>
      frame.scope.txn.openStream(queryArg({ query: this.json(operators) })),
    );
    this.state = { type: "executing", stream };
    return stream;
  }

  private close(): void {
    if (this.state.type === "executing") this.state.stream?.close();
    this.state = { type: "consumed" };
  }

  private assertNotEnded(): void {
    if (this.state.type === "consumed") {
      throw new Error("This query is closed and can't emit any more values.");
    }
    if (this.state.type === "closed") {
      throw new Error("This query has been chained with another operator and can't be reused.");
    }
  }

  private assertPreparing(): void {
    if (this.state.type !== "preparing") {
      throw new Error(
        "A query can only be chained once and can't be chained after iteration begins.",
      );
    }
  }

  private markChained(): void {
    this.assertPreparing();
    this.state = { type: "closed" };
  }

  private chained<T>(chain: (sdk: SdkQuery) => T): T {
    this.assertPreparing();
    const next = chain(this.toSdk());
    this.state = { type: "closed" };
    return next;
  }

  /** This query as an object of the library. */
  private toSdk(): SdkQuery {
    const { table, index, order } = this.source;
    const base = this.host.sdkQuery(table);
    const source =
      index === null
        ? base.fullTableScan()
        : base.withIndex(index.name, (q: SdkRangeBuilder) =>
            index.bounds.reduce((built, { method, field, value }) => {
              return built[method](field, value);
            }, q),
          );
    return order === null ? source : source.order(order);
  }
}
