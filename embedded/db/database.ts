/**
 * The document database: commits and their visibility, tables, import and recovery.
 *
 * A commit is in the newest generation at once (the next mutation sees it). It is durable when its group is
 * in the log (queries see it). It is applied to the store later (storeFollower.ts). Schema changes are in
 * schemaChange.ts, opening in openDatabase.ts.
 *
 * Long because commit and visibility change the same private state.
 */
import type { CommitLog } from "../storage/commitLog.ts";
import { UnwritableStoreError, type OrderedStore } from "../storage/orderedStore.ts";
import type { Applier } from "./applier.ts";
import { CacheTrim } from "./cacheTrim.ts";
import { type Catalog, tableExistenceKey, type TableInfo } from "./catalog.ts";
import { tableRecord } from "./catalogStore.ts";
import { CommitWrites } from "./commitWrites.ts";
import { encodeCommit, type CommitRecord, type CommitStamp } from "./commitRecord.ts";
import type { CursorCodec } from "./cursor.ts";
import { Doc } from "./document.ts";
import { ApplierEndedError, ConflictError, ReadOnlyError, UnknownOutcomeError } from "./errors.ts";
import { GroupCommit, type GroupHost, type PendingCommit } from "./groupCommit.ts";
import { decodeId } from "./ids.ts";
import { TABLES_MAX } from "./limits.ts";
import { changeSchema, resumeSchema, type SchemaHost } from "./schemaChange.ts";
import { RangeCache } from "./rangeCache.ts";
import { SharedBase, Versions, View, type Generation, type ViewHost } from "./snapshot.ts";
import { Tx, type TransactionHost, type Write } from "./transaction.ts";
import { StoreFollower, type FollowerHost } from "./storeFollower.ts";
import type { StoreLag } from "./storeLag.ts";
import type * as Types from "./types.ts";
import type { DurableCommit, IndexKey, SchemaJson, SchemaReport, Ts } from "./types.ts";

/** Bound on the document cache, in approximate heap bytes. */
const CACHED_MAX_BYTES = 24 * 1024 * 1024;

/** The state that opening found, to continue from. */
interface OpenedState {
  readonly catalog: Catalog;
  readonly store: OrderedStore;
  readonly log: CommitLog;
  readonly applier: Applier;
  readonly cursors: CursorCodec;
  readonly systemSchema: SchemaJson | null;
  readonly now: () => number;
  readonly missingMaxBytes: number;
  readonly seq: number;
  readonly ts: Ts;
  readonly creationTime: number;
}

const UNCHANGED: SchemaReport = { documentsChecked: 0, indexesBuilt: [], indexesDropped: [] };

/** Documents written while no schema is in force are unchecked: the next schema has to check their tables. */
function noteUnchecked(writes: ReadonlyMap<string, Write>): void {
  for (const { table, doc } of writes.values()) {
    if (doc !== null && table.validator === null) table.checkedAgainst = null;
  }
}

/** {@link Types.Database} on a store and its log. `close` closes both. */
export class EmbeddedDatabase
  implements Types.Database, TransactionHost, ViewHost, GroupHost, FollowerHost, SchemaHost
{
  readonly catalog: Catalog;
  readonly cursors: CursorCodec;
  readonly store: OrderedStore;
  readonly follower: StoreFollower;
  readonly versions = new Versions(CACHED_MAX_BYTES);
  readonly cacheTrim = new CacheTrim(this.versions, () => this.appliedEverywhere());
  readonly ranges = new RangeCache();
  newestBase: SharedBase;
  isReadOnly: string | null = null;
  unknownOutcome: UnknownOutcomeError | null = null;
  readonly systemSchema: SchemaJson | null;
  /** Called whenever the store's file has changed. */
  onApplied: () => void = () => undefined;
  /**
   * Called when the store accepts no more writes from this process. Opening it again in another process
   * helps.
   */
  onUnwritable: (error: UnwritableStoreError | ApplierEndedError) => void = () => undefined;
  /** Called before any caller is rejected. Ending the process here means that no caller is given an outcome. */
  onUnknownOutcome: (error: UnknownOutcomeError) => void = () => undefined;
  /** Called at the end of `close`, for example to release the folder's lock. */
  onClosed: () => Promise<void> = () => Promise.resolve();

  private readonly log: CommitLog;
  private readonly applier: Applier;
  private readonly now: () => number;
  private readonly groups: GroupCommit;
  private readonly listeners = new Set<(commits: readonly DurableCommit[]) => void>();
  private headSeq: number;
  private headTs: Ts;
  private headCreationTime: number;
  private durable: View;
  private nextDurable: View | null = null;
  private readonly views = new Set<View>();
  private readonly mutations = new Set<Tx>();
  /** Commits since the oldest open mutation began. */
  private recent: { seq: number; commit: DurableCommit }[] = [];
  private newTables: TableInfo[] = [];
  private readonly loggedTables = new Set<number>();
  private lastDurable: Promise<void> = Promise.resolve();
  private closing: Promise<void> | null = null;
  private isClosed = false;

  constructor(opened: OpenedState) {
    this.catalog = opened.catalog;
    this.store = opened.store;
    this.log = opened.log;
    this.applier = opened.applier;
    this.cursors = opened.cursors;
    this.systemSchema = opened.systemSchema;
    this.now = opened.now;
    this.headSeq = opened.seq;
    this.headTs = opened.ts;
    this.headCreationTime = opened.creationTime;
    this.groups = new GroupCommit(opened.log, this);
    this.follower = new StoreFollower(this, opened);
    this.newestBase = new SharedBase(opened.store.snapshot());
    this.durable = this.headView();
  }

  get latestTs(): Ts {
    return this.headTs;
  }
  get latestSeq(): number {
    return this.headSeq;
  }
  get durableTs(): Ts {
    return this.durable.ts;
  }
  get durableSeq(): number {
    return this.durable.seq;
  }

  durableSoFar(): Promise<void> | null {
    return this.headSeq <= this.durable.seq ? null : this.lastDurable;
  }

  // ---- transactions ----

  beginQuery(): Tx {
    this.checkOpen();
    return new Tx(this, "query", this.durable.retain(), 0);
  }

  beginMutation(nowMs: number): Tx {
    this.checkOpen();
    const transaction = new Tx(
      this,
      "mutation",
      this.headView(),
      Math.max(nowMs, this.headCreationTime),
    );
    this.mutations.add(transaction);
    return transaction;
  }

  ended(transaction: Tx): void {
    this.mutations.delete(transaction);
    // Mutations are in the order in which they began, so the first one has the oldest view.
    const [oldest] = this.mutations;
    if (oldest === undefined) this.recent = [];
    else this.forgetCommitsUntil(oldest.view.seq);
  }

  private forgetCommitsUntil(seq: number): void {
    const { recent } = this;
    let count = 0;
    while (count < recent.length && recent[count]!.seq <= seq) count += 1;
    if (count > 0) recent.splice(0, count);
  }

  commit(transaction: Types.Transaction): { ts: Ts; durable: Promise<void> } {
    const tx = transaction as Tx;
    this.checkOpen();
    // Otherwise a caller that keeps committing would keep the database open.
    if (this.closing !== null) throw new Error("The database is being closed");
    if (!this.mutations.has(tx)) throw new Error("Only an open mutation can be committed");
    if (tx.writes.size === 0) {
      const durable = tx.view.seq <= this.durable.seq ? Promise.resolve() : this.lastDurable;
      const { ts } = tx.view;
      tx.close();
      return { ts, durable };
    }
    if (this.isReadOnly !== null) throw this.unknownOutcome ?? new ReadOnlyError(this.isReadOnly);
    this.checkConflicts(tx);
    const seq = this.headSeq + 1;
    const nowTs = BigInt(Math.floor(this.now())) * 1_000_000n;
    const ts = nowTs > this.headTs ? nowTs : this.headTs + 1n;
    const stamp = { seq, ts, creationTime: tx.creationTime };
    const tableKeys = this.newTables.map((table) => tableExistenceKey(table.name));
    // Encoding can fail, so it comes before any change of state.
    const record = this.encode(stamp, tx.writes);
    noteUnchecked(tx.writes);
    const commit = this.addToMemory(stamp, tx.writes, record.length, tableKeys);
    tx.close();
    if (this.mutations.size > 0) this.recent.push({ seq, commit });
    return { ts, durable: this.untilDurable(seq, commit, record) };
  }

  private untilDurable(seq: number, commit: CommitWrites, record: Buffer): Promise<void> {
    const durable = new Promise<void>((resolve, reject) => {
      this.groups.add({ seq, commit, record, resolve, reject });
    });
    // A caller may ignore this promise; a failure is reported through `isReadOnly` as well.
    durable.catch(() => undefined);
    this.lastDurable = durable;
    return durable;
  }

  private checkConflicts(tx: Tx): void {
    const since = tx.view.seq;
    if (since === this.headSeq) return;
    for (const { seq, commit } of this.recent) {
      if (seq > since && tx.readSet.isHitBy(commit.writes)) throw new ConflictError();
    }
  }

  /**
   * Encodes a commit for the log. The record declares new tables, and tables that this process has not logged
   * yet, so that the log alone can rebuild the store.
   */
  private encode(stamp: CommitStamp, documents: ReadonlyMap<string, Write>): Buffer {
    const introduced = new Set(this.newTables);
    for (const { table } of documents.values()) {
      if (!this.loggedTables.has(table.number)) introduced.add(table);
    }
    const tables = [...introduced].map(tableRecord);
    const record = encodeCommit({ tables, documents, ...stamp });
    for (const { number } of tables) this.loggedTables.add(number);
    this.newTables = [];
    return record;
  }

  /**
   * Adds a commit to memory: versions, index entries, the newest state.
   *
   * @param bytes the size of its log record, which counts as not yet applied from now on
   */
  private addToMemory(
    { seq, ts, creationTime }: CommitStamp,
    writes: ReadonlyMap<string, Write>,
    bytes: number,
    tableKeys: readonly IndexKey[] = [],
  ): CommitWrites {
    const { entries } = this.follower.active;
    const commit = new CommitWrites(ts, tableKeys);
    entries.oldestSeq = this.oldestSeq();
    for (const [id, { table, doc, old }] of writes) {
      // Inserted and removed in the same transaction.
      if (doc === null && old === null) continue;
      this.versions.write(id, seq, doc, entries.oldestSeq);
      const change = { table, id, doc, old, seq };
      commit.add(change);
      entries.write(change);
      doc?.committed(old === null);
    }
    this.headSeq = seq;
    this.headTs = ts;
    this.headCreationTime = Math.max(this.headCreationTime, creationTime);
    this.follower.added(seq, bytes);
    return commit;
  }

  private oldestSeq(): number {
    let oldest = this.durable.seq;
    for (const view of this.views) if (view.seq < oldest) oldest = view.seq;
    return oldest;
  }

  /** A view of the newest state. */
  private headView(): View {
    const { generations } = this.follower;
    return this.addView(new View(this, this.headSeq, this.headTs, this.newestBase, generations));
  }

  private addView(view: View): View {
    this.views.add(view);
    return view;
  }

  forget(view: View): void {
    this.views.delete(view);
  }

  // ---- durability ----

  groupCut(): void {
    this.nextDurable?.release();
    this.nextDurable = this.headView();
  }

  groupDurable(group: readonly PendingCommit[]): void {
    this.show(this.nextDurable!);
    this.nextDurable = null;
    this.notify(group.map((pending) => pending.commit));
    this.follower.wake();
  }

  /** Replaces the view that queries get. */
  private show(durable: View): void {
    const before = this.durable;
    this.durable = durable;
    before.release();
  }

  /**
   * A listener's error becomes an uncaught exception. It must not reach the committers: their commits are
   * durable.
   */
  private notify(commits: readonly DurableCommit[]): void {
    for (const listener of this.listeners) {
      try {
        listener(commits);
      } catch (error) {
        setImmediate(() => {
          throw error;
        });
      }
    }
  }

  logFailed(error: Error): void {
    this.isReadOnly ??= `The log cannot be written (${error.message}); nothing more is accepted.`;
    if (error instanceof UnknownOutcomeError) {
      this.unknownOutcome = error;
      this.onUnknownOutcome(error);
    }
    this.follower.wake();
  }

  settled(): Promise<void> {
    return this.groups.idle();
  }

  onDurable(listener: (commits: readonly DurableCommit[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // ---- the store ----

  get storeLag(): StoreLag {
    return this.follower.lag;
  }

  room(): Promise<void> | null {
    return this.follower.room();
  }

  /** Applies everything committed so far to the store. @throws ReadOnlyError when that is impossible */
  async drain(): Promise<void> {
    await this.groups.idle();
    await this.follower.applyAll();
  }

  storeFailed(error: Error): void {
    this.isReadOnly ??= `The store cannot be written (${error.message}); nothing more is accepted.`;
    // A database that closes leaves the rest to the next start.
    const isEnded = error instanceof ApplierEndedError && this.closing === null;
    if (isEnded || error instanceof UnwritableStoreError) this.onUnwritable(error);
  }

  generationApplied(generation: Generation): void {
    const oldBase = this.newestBase;
    this.newestBase = new SharedBase(this.store.snapshot());
    const { position } = this.newestBase.snapshot;
    const { entries, writtenBytes } = generation;
    this.ranges.changed(oldBase.snapshot.position, position, entries, writtenBytes);
    // Replaces the durable view by one without the applied generation, which the new base contains.
    this.show(this.addView(this.durable.without(generation, this.newestBase)));
    // The view of a group that is being flushed must not bring the applied generation back either.
    const next = this.nextDurable;
    if (next !== null) {
      this.nextDurable = this.addView(next.without(generation, this.newestBase));
      next.release();
    }
    oldBase.release();
    this.cacheTrim.request();
  }

  /** Evicts everything from memory that the store holds. */
  emptyCache(): void {
    this.cacheTrim.empty();
    this.ranges.clear();
  }

  private appliedEverywhere(): number {
    let position = this.newestBase.snapshot.position;
    for (const { base } of this.views) position = Math.min(position, base.snapshot.position);
    return position;
  }

  /**
   * A query for long reads such as an export. It sees every commit made before this call and reads the store
   * snapshot alone, so newer versions are not kept in memory for it, however long it stays open.
   */
  async beginLongQuery(): Promise<Tx> {
    this.checkOpen();
    // Unapplied commits stay in memory, and no new ones come.
    if (this.isReadOnly !== null) return this.beginQuery();
    const { view } = await this.follower.atRest(() => {
      const base = this.newestBase;
      // Not added to `views`: that would delay the eviction of old versions.
      const view = new View(this, base.snapshot.position, this.durable.ts, base, []);
      return { view, begun: Promise.resolve() };
    });
    return new Tx(this, "query", view, 0);
  }

  // ---- tables and schema ----

  ensureTable(name: string): TableInfo {
    const known = this.catalog.table(name);
    if (known !== null) return known;
    if (this.catalog.tableCount >= TABLES_MAX) throw new Error(`Too many tables (${TABLES_MAX})`);
    const table = this.catalog.createTable(name);
    this.newTables.push(table);
    return table;
  }

  readonly tableNameOfId = (id: string): string | null => {
    const known = this.versions.anyDoc(id);
    if (known !== null) return known.table.name;
    const decoded = decodeId(id);
    return decoded && (this.catalog.tableByNumber(decoded.tableNumber)?.name ?? null);
  };

  tables(): TableInfo[] {
    return [...this.catalog.all()];
  }

  async applySchema(schema: SchemaJson | null, onChange?: () => void): Promise<SchemaReport> {
    this.checkOpen();
    // The usual start: replayed commits may then be applied while calls are already served.
    if (resumeSchema(this, schema)) return UNCHANGED;
    if (this.tables().length > 0) onChange?.();
    await this.drain();
    const report = await changeSchema(this, schema);
    this.applier.schemaChanged();
    this.refreshBase();
    this.onApplied();
    return report;
  }

  /** Makes changes visible that were written to the store without a commit (only while drained). */
  refreshBase(): void {
    const oldBase = this.newestBase;
    this.newestBase = new SharedBase(this.store.snapshot());
    this.ranges.clear();
    this.show(this.headView());
    oldBase.release();
  }

  storeState() {
    return {
      ts: String(this.headTs),
      creationTime: this.headCreationTime,
      nextIndexId: this.catalog.nextIndexId,
    };
  }

  // ---- import, recovery and end ----

  /** Creates a table with the number it has elsewhere (import). */
  createNumberedTable(name: string, number: number): void {
    const next = this.catalog.nextIndexId;
    this.newTables.push(this.catalog.restoreTable(name, number, next, next + 1));
  }

  /**
   * Commits whole documents with their own ids and creation times (import); resolves when durable.
   * @throws Error when one of them exists already; nothing is written then
   */
  async commitDocuments(docs: readonly Doc[], newestCreationTime: number): Promise<void> {
    if (this.isReadOnly !== null) throw new ReadOnlyError(this.isReadOnly);
    const seq = this.headSeq + 1;
    const creationTime = Math.max(this.headCreationTime, newestCreationTime);
    const stamp = { seq, ts: this.headTs + 1n, creationTime };
    const view = this.headView();
    const writes = new Map<string, Write>();
    const twice = docs.find((doc) => {
      const { table, id } = doc;
      const isThere = writes.has(id) || view.getFrom(table, id) !== null;
      writes.set(id, { table, old: null, doc });
      return isThere;
    });
    view.release();
    if (twice !== undefined) throw new Error(`Document ${twice.id} is there twice`);
    const record = this.encode(stamp, writes);
    noteUnchecked(writes);
    const commit = this.addToMemory(stamp, writes, record.length);
    await this.untilDurable(seq, commit, record);
  }

  /**
   * Adds commits that were read back from the log.
   * @param isApplyingLater they are applied in the background, like any commit; otherwise `drain` follows at
   *   once
   */
  replay(records: Iterable<CommitRecord>, isApplyingLater: boolean): void {
    for (const record of records) this.replayOne(record);
    if (isApplyingLater) this.follower.schedule();
  }

  private replayOne(record: CommitRecord): void {
    for (const table of record.tables) {
      if (this.catalog.table(table.name) === null) {
        this.catalog.restoreTable(table.name, table.number, table.byIdIndex, table.byCreationIndex);
      }
    }
    const view = this.headView();
    const writes = new Map<string, Write>();
    for (const [id, stored] of record.documents) {
      const table = this.catalog.tableInLog(id, stored === null);
      if (table === null) continue;
      const doc = stored === null ? null : Doc.ofRecord(table, id, stored);
      writes.set(id, { table, old: view.getFrom(table, id), doc });
    }
    view.release();
    this.addToMemory(record, writes, 0);
    this.show(this.headView());
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeOnce());
  }

  private async closeOnce(): Promise<void> {
    this.applier.endPauses();
    try {
      await this.drain();
    } catch (error) {
      // What cannot be applied is in the log; the next start replays it.
      if (!(error instanceof ReadOnlyError)) throw error;
    }
    this.isClosed = true;
    this.cacheTrim.stop();
    await this.follower.stop();
    this.durable.release();
    this.nextDurable?.release();
    this.newestBase.release();
    await this.applier.close();
    try {
      await this.log.close();
    } finally {
      await this.store.close();
      await this.onClosed();
    }
  }

  private checkOpen(): void {
    if (this.isClosed) throw new Error("The database is closed");
  }
}
