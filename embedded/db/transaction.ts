/**
 * One transaction: reads of a view with its own writes on top, read set, limits, savepoints. Committing is in
 * database.ts.
 *
 * Long because reads and writes share the overlay, the read set and the undo log of one object.
 */
import type { JSONValue, Value } from "convex/values";
import { BTree, type BTreeSnapshot } from "../storage/btree.ts";
import type { IndexEntry } from "./baseReader.ts";
import { tableExistenceKey, type Catalog, type TableInfo } from "./catalog.ts";
import { fingerprint, type CursorCodec } from "./cursor.ts";
import { changedKeys, type Doc } from "./document.ts";
import { buildDocument } from "./documentRules.ts";
import { decodeId, newId, tableNotFound, undecodableId } from "./ids.ts";
import { AFTER_PREFIX, keyAfter } from "./keyEncoding.ts";
import { Meter } from "./limits.ts";
import { pageRange, readPage } from "./pagination.ts";
import { planQuery, planRange, type RangePlan, type SearchPlan } from "./queryPlan.ts";
import { RowStream } from "./queryStream.ts";
import { ReadTracker } from "./readTracker.ts";
import { RowCursor, type Row, type RowHost } from "./rowCursor.ts";
import { hitsBetween, runSearch } from "./searchQuery.ts";
import { REMOVED, type Layer } from "./entryLog.ts";
import { ListLayer, type View } from "./snapshot.ts";
import type {
  IndexKey,
  IndexRange,
  KeyRange,
  PageRequest,
  PageResult,
  QueryJson,
  QueryStream,
  Savepoint,
  StoredDocument,
  Transaction,
  TransactionLimits,
  TransactionMetrics,
  Ts,
} from "./types.ts";
import { fromUntrustedJson, notFields, patchFromUntrustedJson } from "./values.ts";

/** What a transaction needs from its database. */
export interface TransactionHost {
  readonly catalog: Catalog;
  readonly cursors: CursorCodec;
  /** The table, created if it does not exist. */
  ensureTable(name: string): TableInfo;
  tableNameOfId(id: string): string | null;
  ended(transaction: Tx): void;
}

/** Up to this many written documents are searched linearly for a range; above, a tree of their keys is kept. */
const FEW_WRITES = 64;

/** The next float above a present-day time in milliseconds. */
function nextCreationTime(previous: number): number {
  const next = previous + 2 ** -12;
  return next > previous ? next : previous * (1 + Number.EPSILON);
}

/** A transaction's change to one document. */
export interface Write {
  readonly table: TableInfo;
  /** The version when the transaction began; null when the transaction inserted the document. */
  readonly old: Doc | null;
  /** The new version; null when it was deleted. */
  doc: Doc | null;
}

/** The document has not been written yet. */
const UNWRITTEN = Symbol("unwritten");
type Previous = Doc | null | typeof UNWRITTEN;

/**
 * {@link Transaction}. After it has ended, reads and writes throw; in a query, writes always throw. Invalid
 * encoded values are reported first.
 */
export class Tx implements Transaction, RowHost {
  readonly kind: "query" | "mutation";
  readonly view: View;
  readonly readSet = new ReadTracker();
  /** By document id. */
  readonly writes = new Map<string, Write>();
  writeVersion = 0;
  /** The last creation time assigned; the next one is above it. */
  creationTime: number;

  private readonly host: TransactionHost;
  private readonly meter = new Meter();
  private readonly undoLog: [id: string, previous: Previous][] = [];
  private readonly openStreams = new Set<QueryStream>();
  /** Own index entries, as of `reflected`; updated when a range of their table is read. */
  private readonly entries = new Map<TableInfo, BTree<string>>();
  private readonly reflected = new Map<string, Doc | null>();
  private readonly changed = new Map<string, TableInfo>();
  /** Ids changed and not reflected yet, by table. */
  private readonly unreflected = new Map<TableInfo, Set<string>>();
  private isOpen = true;

  constructor(host: TransactionHost, kind: "query" | "mutation", view: View, creationTime: number) {
    this.host = host;
    this.kind = kind;
    this.view = view;
    this.creationTime = creationTime;
  }

  get beginTs(): Ts {
    return this.view.ts;
  }

  get metrics(): TransactionMetrics {
    return this.meter.metrics();
  }

  get hasWritten(): boolean {
    return this.writes.size > 0;
  }

  // ---- reading ----

  get(id: string): Doc | null {
    return this.read(id, "get");
  }

  private read(id: string, operation: string): Doc | null {
    this.checkOpen();
    const found = this.peek(id);
    const table = found?.table ?? this.tableOfUnread(id, operation);
    if (table === null) return null;
    if (!table.isSystem) this.meter.countRange();
    this.readSet.addPoint(table.idKey(id));
    if (found !== null) this.countRead(found);
    return found;
  }

  private tableOfUnread(id: string, operation: string): TableInfo | null {
    const decoded = decodeId(id);
    if (decoded === null) throw undecodableId(operation, id);
    return this.host.catalog.tableByNumber(decoded.tableNumber);
  }

  peek(id: string): Doc | null {
    const own = this.writes.size > 0 ? this.writes.get(id) : undefined;
    return own === undefined ? this.view.get(id) : own.doc;
  }

  private readonly countRead = (doc: Doc): void => {
    if (!doc.table.isSystem) this.meter.countRead(doc.sizeBytes);
  };

  openStream(query: QueryJson): QueryStream {
    this.checkOpen();
    const plan = planQuery(this.host.catalog, query);
    let stream: QueryStream;
    if (plan.kind === "absent") {
      this.readSet.addPoint(tableExistenceKey(plan.tableName));
      stream = new RowStream(hitsBetween([]), [], this.countRead);
    } else {
      const rows =
        plan.kind === "search" ? hitsBetween(this.search(plan)) : this.openRows(plan, plan.range);
      stream = new RowStream(rows, plan.operators, this.countRead);
    }
    this.openStreams.add(stream);
    return stream;
  }

  openRange(range: IndexRange): (limit: number) => readonly Doc[] {
    this.checkOpen();
    const plan = planRange(this.host.catalog, range);
    return (limit) => {
      this.checkOpen();
      if (plan.kind === "range")
        return this.readUntouched(plan, limit) ?? this.readRows(plan, limit);
      this.readSet.addPoint(tableExistenceKey(plan.tableName));
      return [];
    };
  }

  assumeRead(range: IndexRange): void {
    this.checkOpen();
    const plan = planRange(this.host.catalog, range);
    if (plan.kind === "absent") this.readSet.addPoint(tableExistenceKey(plan.tableName));
    else this.readSet.openRange(plan.range.low, plan.range.low, true).high = plan.range.high;
  }

  /** Reads a range that no commit has touched since the store snapshot, so there are no layers to merge. */
  private readUntouched(plan: RangePlan, limit: number): Doc[] | null {
    const { table, isReverse } = plan;
    const { low, high } = plan.range;
    if (plan.index === table.byId || limit === 0) return null;
    if (this.writes.size > 0 && this.ownEntries(table, low, high, isReverse) !== null) return null;
    const entries = this.view.untouchedEntries(low, high, isReverse, limit);
    if (entries === null) return null;
    if (!table.isSystem) this.meter.countRange();
    const tracked = this.readSet.openRange(low, high, isReverse);
    const docs: Doc[] = [];
    for (const { key, id } of entries) {
      if (isReverse) tracked.low = key;
      else tracked.high = keyAfter(key);
      const doc = this.peek(id) ?? this.view.resolve(id);
      this.countRead(doc);
      if (docs.push(doc) === limit) return docs;
    }
    if (isReverse) tracked.low = low;
    else tracked.high = high;
    return docs;
  }

  private readRows(plan: RangePlan, limit: number): Doc[] {
    const rows = this.openRows(plan, plan.range);
    const docs: Doc[] = [];
    try {
      while (docs.length < limit) {
        const row = rows.next();
        if (row === null) break;
        this.countRead(row.doc);
        docs.push(row.doc);
      }
    } finally {
      rows.close();
    }
    return docs;
  }

  private openRows(
    plan: Pick<RangePlan, "table" | "index" | "isReverse">,
    range: KeyRange,
  ): RowCursor {
    if (!plan.table.isSystem) this.meter.countRange();
    const tracked = this.readSet.openRange(range.low, range.high, plan.isReverse);
    return new RowCursor(this, plan.table, plan.index, range, plan.isReverse, tracked);
  }

  private *rows(
    table: TableInfo,
    index: RangePlan["index"],
    range: KeyRange,
  ): Generator<Row, void, undefined> {
    const cursor = this.openRows({ table, index, isReverse: false }, range);
    for (let row = cursor.next(); row !== null; row = cursor.next()) yield row;
  }

  private search(plan: SearchPlan): Row[] {
    return runSearch(plan, (range) => this.rows(plan.table, plan.index, range));
  }

  paginate(query: QueryJson, request: PageRequest): PageResult {
    this.checkOpen();
    const plan = planQuery(this.host.catalog, query);
    if (!(request.pageSize > 0)) {
      throw new Error(`Invalid page size ${request.pageSize}: it must be positive`);
    }
    const index = plan.kind === "range" ? plan.index : null;
    const parts = [query.source, query.operators, index?.fields ?? []];
    const print = fingerprint(JSON.stringify(parts));
    const cursors = index === null ? this.host.cursors : this.host.cursors.within(index.prefix);
    const start = request.cursor === null ? undefined : cursors.decode(print, request.cursor);
    const end = request.endCursor === null ? undefined : cursors.decode(print, request.endCursor);
    if (plan.kind === "absent") {
      this.readSet.addPoint(tableExistenceKey(plan.tableName));
      const continueCursor = cursors.encode(print, null);
      return { page: [], isDone: true, continueCursor, splitCursor: null, pageStatus: null };
    }
    const isSearch = plan.kind === "search";
    return readPage({
      rows: isSearch
        ? hitsBetween(this.search(plan), start, end)
        : this.openRows(plan, pageRange(plan, start, end)),
      operators: plan.operators,
      isSplittable: !isSearch,
      request,
      codec: cursors,
      query: print,
      meter: this.meter,
      onRead: this.countRead,
    });
  }

  count(name: string): number {
    this.checkOpen();
    const table = this.host.catalog.table(name);
    if (table === null) {
      this.readSet.addPoint(tableExistenceKey(name));
      return 0;
    }
    const { prefix } = table.byCreationTime;
    const range = { low: prefix, high: prefix + AFTER_PREFIX };
    const tracked = this.readSet.openRange(range.low, range.high, false);
    tracked.high = range.high;
    const own = this.ownEntries(table, range.low, range.high, false);
    const cursor = this.view.scan(range.low, range.high, false, own);
    let count = 0;
    while (cursor.next() !== null) count++;
    cursor.close();
    return count;
  }

  normalizeId(table: string, id: string): string | null {
    return this.host.tableNameOfId(id) === table ? id : null;
  }

  tableOf(id: string): string | null {
    return this.host.tableNameOfId(id);
  }

  // ---- writing ----

  insert(table: string, value: JSONValue): string {
    return this.insertValue(table, fieldsOf(value, "insert"));
  }

  insertValue(tableName: string, value: Record<string, Value | undefined>): string {
    this.checkWritable();
    const table = this.host.ensureTable(tableName);
    const id = newId(table.number);
    const creationTime = nextCreationTime(this.creationTime);
    const doc = buildDocument(table, id, creationTime, value, this.tableOfId);
    this.creationTime = creationTime;
    this.write(id, { table, old: null, doc }, doc);
    return id;
  }

  patch(id: string, value: JSONValue): StoredDocument {
    return this.patchValue(id, patchFromUntrustedJson(value));
  }

  patchValue(id: string, patch: Record<string, Value | undefined>): StoredDocument {
    const old = this.forUpdate(id, "patch", "Update");
    const merged: Record<string, Value | undefined> = { ...old.fields };
    for (const name of Object.keys(patch)) merged[name] = patch[name];
    return this.update(old, merged);
  }

  replace(id: string, value: JSONValue): StoredDocument {
    return this.replaceValue(id, fieldsOf(value, "replace"));
  }

  replaceValue(id: string, value: Record<string, Value | undefined>): StoredDocument {
    return this.update(this.forUpdate(id, "replace", "Replace"), value);
  }

  remove(id: string): StoredDocument {
    const old = this.forUpdate(id, "delete", "Delete");
    this.write(id, { table: old.table, old, doc: null }, old);
    return old;
  }

  private forUpdate(id: string, operation: string, verb: string): Doc {
    this.checkWritable();
    const old = this.read(id, operation);
    if (old !== null) return old;
    if (this.tableOfId(id) === null) throw tableNotFound(operation, id);
    throw new Error(`${verb} on nonexistent document ID ${id}`);
  }

  private update(old: Doc, fields: Record<string, Value | undefined>): Doc {
    const doc = buildDocument(old.table, old.id, old.creationTime, fields, this.tableOfId);
    if (doc.hasFieldsOf(old)) return old;
    doc.reuseKeysOf(old);
    this.write(old.id, { table: old.table, old, doc }, doc);
    return doc;
  }

  private write(id: string, write: Write, charged: Doc): void {
    if (!write.table.isSystem) this.meter.countWrite(charged.sizeBytes);
    const earlier = this.writes.get(id);
    if (earlier === undefined) {
      this.undoLog.push([id, UNWRITTEN]);
      this.writes.set(id, write);
    } else {
      this.undoLog.push([id, earlier.doc]);
      earlier.doc = write.doc;
    }
    this.changed.set(id, write.table);
    this.writeVersion++;
  }

  private readonly tableOfId = (id: string): string | null => {
    return this.writes.get(id)?.table.name ?? this.host.tableNameOfId(id);
  };

  ownEntries(table: TableInfo, low: IndexKey, high: IndexKey, isReverse: boolean): Layer | null {
    if (this.writes.size > FEW_WRITES) {
      const entries = this.allOwnEntries(table);
      return entries.isEmpty ? null : entries.range(low, high, isReverse);
    }
    const isInside = (key: IndexKey): boolean => key >= low && key < high;
    const found: IndexEntry[] = [];
    for (const [id, { table: itsTable, old, doc }] of this.writes) {
      if (itsTable !== table) continue;
      for (const key of doc?.indexKeys() ?? []) if (isInside(key)) found.push({ key, id });
      for (const key of changedKeys(old, doc).removed) {
        if (isInside(key)) found.push({ key, id: REMOVED });
      }
    }
    if (found.length === 0) return null;
    const sign = isReverse ? -1 : 1;
    return new ListLayer(found.sort((a, b) => (a.key < b.key ? -sign : sign)));
  }

  /** All index entries of a table that this transaction added or removed, kept in a tree. */
  private allOwnEntries(table: TableInfo): BTreeSnapshot<string> {
    let entries = this.entries.get(table);
    if (entries === undefined) this.entries.set(table, (entries = new BTree<string>()));
    this.sortChanged();
    for (const id of this.unreflected.get(table) ?? []) {
      const write = this.writes.get(id);
      // Undone by a rollback: back to the version of the view.
      const old = write === undefined ? this.view.get(id) : write.old;
      const reflected = this.reflected.get(id);
      const shown = reflected === undefined ? old : reflected;
      const now = write === undefined ? old : write.doc;
      if (shown !== null) for (const key of shown.indexKeys()) entries.set(key, REMOVED);
      if (now !== null) for (const key of now.indexKeys()) entries.set(key, id);
      this.reflected.set(id, now);
    }
    this.unreflected.delete(table);
    return entries.peek();
  }

  private sortChanged(): void {
    for (const [id, table] of this.changed) {
      const ids = this.unreflected.get(table);
      if (ids === undefined) this.unreflected.set(table, new Set([id]));
      else ids.add(id);
    }
    this.changed.clear();
  }

  *ownIds(table: TableInfo): Iterable<string> {
    for (const [id, write] of this.writes) if (write.table === table) yield id;
  }

  savepoint(): Savepoint {
    const { documentsWritten, bytesWritten } = this.meter;
    return { undoLength: this.undoLog.length, documentsWritten, bytesWritten };
  }

  rollbackTo({ undoLength, documentsWritten, bytesWritten }: Savepoint): void {
    this.meter.documentsWritten = documentsWritten;
    this.meter.bytesWritten = bytesWritten;
    while (this.undoLog.length > undoLength) {
      const [id, previous] = this.undoLog.pop()!;
      const write = this.writes.get(id)!;
      if (previous === UNWRITTEN) this.writes.delete(id);
      else write.doc = previous;
      this.changed.set(id, write.table);
    }
    this.writeVersion++;
  }

  restrict(budget: Partial<TransactionLimits>): () => void {
    return this.meter.restrict(budget);
  }

  snapshotAtBegin(): Transaction {
    return new Tx(this.host, "query", this.view.retain(), this.creationTime);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const stream of this.openStreams) stream.close();
    this.openStreams.clear();
    this.view.release();
    this.host.ended(this);
  }

  private checkOpen(): void {
    if (!this.isOpen) throw new Error("The transaction has ended");
  }

  private checkWritable(): void {
    this.checkOpen();
    if (this.kind === "query") throw new Error("Queries cannot write");
  }
}

function fieldsOf(
  json: JSONValue,
  operation: "insert" | "replace",
): Record<string, Value | undefined> {
  if (json === null || typeof json !== "object" || Array.isArray(json)) {
    throw notFields(operation);
  }
  const value = fromUntrustedJson(json);
  if (typeof value !== "object" || value === null || value instanceof ArrayBuffer) {
    throw notFields(operation);
  }
  return value as Record<string, Value | undefined>;
}
