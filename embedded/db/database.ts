/**
 * The document database: commits, visibility, and the way of commits into the store.
 *
 * A commit is in the newest generation at once (the next mutation sees it), durable when its group is in
 * the log (queries see it), and applied to the store behind, generation by generation. Schema changes are
 * in schemaChange.ts, opening and recovery in openDatabase.ts.
 *
 * Long because commit, visibility and applying change the same private state, which no other file may see.
 */
import type { CommitLog } from "../storage/commitLog";
import { UnwritableStoreError, type OrderedStore } from "../storage/orderedStore";
import type { Applier } from "./applier";
import type { Catalog } from "./catalog";
import { checkTableName, tableExistenceKey, type TableInfo } from "./catalog";
import { storedTable, tableRecord } from "./catalogStore";
import { CommitWrites } from "./commitWrites";
import { encodeCommit, type CommitRecord, type CommitStamp } from "./commitRecord";
import type { CursorCodec } from "./cursor";
import { Doc } from "./document";
import { ApplierEndedError, ConflictError, ReadOnlyError, UnknownOutcomeError } from "./errors";
import { GroupCommit, type GroupHost, type PendingCommit } from "./groupCommit";
import { decodeId, tableNumberOf } from "./ids";
import { MAX_TABLES } from "./limits";
import { changeSchema, resumeSchema, type SchemaHost } from "./schemaChange";
import { RangeCache } from "./rangeCache";
import { EntryLog } from "./entryLog";
import { SharedBase, Versions, View, type Generation, type ViewHost } from "./snapshot";
import { Tx, type TransactionHost, type Write } from "./transaction";
import type { StoreLag } from "./storeLag";
import type * as Types from "./types";
import type { DurableCommit, IndexKey, SchemaJson, SchemaReport, Ts } from "./types";

/** A generation is applied when it is this old … */
const MAX_GENERATION_AGE_MS = 2000;
/** … or holds this much. */
const MAX_GENERATION_BYTES = 16 * 1024 * 1024;
/** Documents in memory, about as much as they take on the heap. */
const MAX_CACHED_BYTES = 24 * 1024 * 1024;

/** What opening found: the state to go on from. */
export interface OpenedState {
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
  /** Runs last in `close`, for example to give up the lock on the folder. */
  readonly onClosed: () => Promise<void>;
}

const UNCHANGED: SchemaReport = { documentsChecked: 0, indexesBuilt: [], indexesDropped: [] };

function newGeneration(before?: Generation): Generation {
  return {
    entries: new EntryLog(before?.entries.tablesRead),
    lastSeq: 0,
    firstCommitAtMs: 0,
    writtenBytes: 0,
  };
}

/** Documents that nobody has checked, because no schema is in force yet: the next one is to check their tables. */
function noteUnchecked(writes: ReadonlyMap<string, Write>): void {
  for (const { table, doc } of writes.values()) {
    if (doc !== null && table.validator === null) table.checkedAgainst = null;
  }
}

/**
 * {@link Types.Database} on a store and its log, both of which `close` closes. Whoever opened it closes
 * it.
 */
export class EmbeddedDatabase
  implements Types.Database, TransactionHost, ViewHost, GroupHost, SchemaHost
{
  readonly catalog: Catalog;
  readonly cursors: CursorCodec;
  readonly store: OrderedStore;
  readonly versions = new Versions(MAX_CACHED_BYTES);
  readonly ranges = new RangeCache();
  newestBase: SharedBase;
  isReadOnly: string | null = null;
  unknownOutcome: UnknownOutcomeError | null = null;
  readonly systemSchema: SchemaJson | null;
  /** Called whenever the store has changed on the disk. */
  onApplied: () => void = () => undefined;
  /** Called when the store takes no more writes from this process; opening it again, in another, helps. */
  onUnwritable: (error: UnwritableStoreError | ApplierEndedError) => void = () => undefined;
  /** Called before anybody learns of it: who ends the process here keeps everybody from being told. */
  onUnknownOutcome: (error: UnknownOutcomeError) => void = () => undefined;

  private readonly log: CommitLog;
  private readonly applier: Applier;
  private readonly now: () => number;
  private readonly missingMaxBytes: number;
  private readonly onClosed: () => Promise<void>;
  private readonly groups: GroupCommit;
  private readonly listeners = new Set<(commits: readonly DurableCommit[]) => void>();
  private headSeq: number;
  private headTs: Ts;
  private headCreationTime: number;
  private active = newGeneration();
  private frozen: Generation | null = null;
  /** By the clock that nobody sets. */
  private frozenAtMs = 0;
  private durable: View;
  private nextDurable: View | null = null;
  private readonly views = new Set<View>();
  private readonly mutations = new Set<Tx>();
  /** Commits since the oldest open mutation began. */
  private recent: { seq: number; commit: DurableCommit }[] = [];
  private newTables: TableInfo[] = [];
  private readonly loggedTables = new Set<number>();
  private lastDurable: Promise<void> = Promise.resolve();
  private applying: Promise<void> | null = null;
  /** Wakes the applier, which waits for its generation to be in the log. */
  private durableWaiter: (() => void) | null = null;
  private applyTimer: NodeJS.Timeout | null = null;
  private trimTimer: NodeJS.Immediate | null = null;
  /** Callers of `atRest` who wait for their turn. */
  private restsWanted = 0;
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
    this.missingMaxBytes = opened.missingMaxBytes;
    this.onClosed = opened.onClosed;
    this.headSeq = opened.seq;
    this.headTs = opened.ts;
    this.headCreationTime = opened.creationTime;
    this.groups = new GroupCommit(opened.log, this);
    this.newestBase = new SharedBase(opened.store.snapshot());
    this.durable = this.headView();
  }

  get latestTs(): Ts {
    return this.headTs;
  }
  get durableTs(): Ts {
    return this.durable.ts;
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
    // In the order in which they began: no other one looks further back.
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
    // Else whoever goes on committing would keep it open.
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
    // It comes first because it could fail.
    const record = this.encode(stamp, tx.writes);
    noteUnchecked(tx.writes);
    const commit = this.takeIn(stamp, tx.writes, record.length, tableKeys);
    tx.close();
    if (this.mutations.size > 0) this.recent.push({ seq, commit });
    const durable = new Promise<void>((resolve, reject) => {
      this.groups.add({ seq, commit, record, resolve, reject });
    });
    // Callers may care about the answer only; a refusal is reported through `isReadOnly` as well.
    durable.catch(() => undefined);
    this.lastDurable = durable;
    return { ts, durable };
  }

  private checkConflicts(tx: Tx): void {
    const since = tx.view.seq;
    if (since === this.headSeq) return;
    for (const { seq, commit } of this.recent) {
      if (seq > since && tx.readSet.isHitBy(commit.writes)) throw new ConflictError();
    }
  }

  /**
   * A commit for the log. It introduces new tables, and those that this process has not logged yet, so that the log
   * alone can rebuild the store.
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

  /** @param bytes that it takes in the log and are missing in the store from now on */
  private takeIn(
    { seq, ts, creationTime }: CommitStamp,
    writes: ReadonlyMap<string, Write>,
    bytes: number,
    tableKeys: readonly IndexKey[] = [],
  ): CommitWrites {
    const { entries } = this.active;
    const commit = new CommitWrites(ts, tableKeys);
    entries.oldestSeq = this.oldestSeq();
    for (const [id, { table, doc, old }] of writes) {
      // Inserted and removed again.
      if (doc === null && old === null) continue;
      this.versions.write(id, seq, doc, entries.oldestSeq);
      const change = { table, id, doc, old, seq };
      commit.add(change);
      entries.write(change);
      doc?.committed(old === null);
    }
    this.advance(seq, ts, creationTime, bytes);
    return commit;
  }

  private advance(seq: number, ts: Ts, creationTime: number, bytes: number): void {
    this.headSeq = seq;
    this.headTs = ts;
    this.headCreationTime = Math.max(this.headCreationTime, creationTime);
    if (this.active.lastSeq === 0) this.active.firstCommitAtMs = this.now();
    this.active.lastSeq = seq;
    this.active.writtenBytes += bytes;
  }

  private oldestSeq(): number {
    let oldest = this.durable.seq;
    for (const view of this.views) if (view.seq < oldest) oldest = view.seq;
    return oldest;
  }

  /** The newest state. */
  private headView(): View {
    const { active, frozen } = this;
    const generations = frozen === null ? [active] : [active, frozen];
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
    this.durable.release();
    this.durable = this.nextDurable!;
    this.nextDurable = null;
    this.tell(group.map((pending) => pending.commit));
    this.durableWaiter?.();
    this.scheduleApply();
  }

  /** A listener that throws does so for itself: the commits are durable, and whoever made them is told so. */
  private tell(commits: readonly DurableCommit[]): void {
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
    this.durableWaiter?.();
  }

  settled(): Promise<void> {
    return this.groups.idle();
  }

  onDurable(listener: (commits: readonly DurableCommit[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // ---- applying to the store ----

  private scheduleApply(): void {
    if (this.applying !== null || this.isReadOnly !== null || this.isClosed) return;
    if (this.restsWanted > 0) return;
    const { active } = this;
    if (active.lastSeq === 0) return;
    const ageMs = this.now() - active.firstCommitAtMs;
    if (active.writtenBytes >= MAX_GENERATION_BYTES || ageMs >= MAX_GENERATION_AGE_MS) {
      this.startApply();
    } else if (this.applyTimer === null) {
      this.applyTimer = setTimeout(() => {
        this.applyTimer = null;
        if (this.applying === null && this.active.lastSeq > 0 && !this.isClosed) this.startApply();
      }, MAX_GENERATION_AGE_MS);
      this.applyTimer.unref();
    }
  }

  private startApply(): void {
    if (this.isReadOnly !== null) return;
    this.applying = this.applyGeneration().then(
      () => {
        this.applying = null;
        this.scheduleApply();
      },
      (error: Error) => {
        this.applying = null;
        this.isReadOnly ??= `The store cannot be written (${error.message}); nothing more is accepted.`;
        if (error instanceof UnwritableStoreError || error instanceof ApplierEndedError) {
          this.onUnwritable(error);
        }
      },
    );
  }

  private async applyGeneration(): Promise<void> {
    const generation = this.active;
    this.frozen = generation;
    this.frozenAtMs = performance.now();
    this.active = newGeneration(generation);
    // Only what is in the log may reach the store.
    if (this.durable.seq < generation.lastSeq) await this.lastDurableOf(generation.lastSeq);
    await this.applier.apply({
      until: generation.lastSeq,
      tables: generation.entries.tablesWritten.map(storedTable),
      state: { ...this.storeState(), ts: String(this.durable.ts) },
    });
    this.generationApplied();
    this.log.applied(generation.lastSeq);
    this.onApplied();
  }

  private async lastDurableOf(seq: number): Promise<void> {
    while (this.durable.seq < seq && this.isReadOnly === null) {
      await new Promise<void>((resolve) => (this.durableWaiter = resolve));
    }
    this.durableWaiter = null;
    if (this.durable.seq < seq) throw new Error("the log stopped first");
  }

  private generationApplied(): void {
    const oldBase = this.newestBase;
    this.newestBase = new SharedBase(this.store.snapshot());
    const generation = this.frozen!;
    this.frozen = null;
    const { position } = this.newestBase.snapshot;
    const { entries, writtenBytes } = generation;
    this.ranges.changed(oldBase.snapshot.position, position, entries, writtenBytes);
    // The durable view sheds the applied generation; what it has of the active one stays.
    const old = this.durable;
    this.durable = this.addView(old.without(generation, this.newestBase));
    old.release();
    // A group that is on its way into the log: its view must not bring the generation back.
    const next = this.nextDurable;
    if (next !== null) {
      this.nextDurable = this.addView(next.without(generation, this.newestBase));
      next.release();
    }
    oldBase.release();
    this.trimCache();
  }

  /** Keeps the documents in memory within their bound: some at a time, so that nobody waits for all of them. */
  trimCache(): void {
    // Before the last time was over: who brings documents that fast waits, else they would pile up.
    if (this.trimTimer !== null) this.versions.trimAll(this.appliedEverywhere);
    this.versions.beginTrim();
    this.trimTimer ??= setImmediate(this.trimOn).unref();
  }

  private readonly trimOn = (): void => {
    this.trimTimer = null;
    if (this.isClosed || this.versions.trimSome(this.appliedEverywhere)) return;
    this.trimTimer = setImmediate(this.trimOn).unref();
  };

  /** Lets go of everything in memory that the store has. */
  emptyCache(): void {
    this.versions.beginTrim(0);
    this.versions.trimAll(this.appliedEverywhere);
    this.ranges.clear();
  }

  /** Commits up to here are in every store snapshot that is still open. */
  private get appliedEverywhere(): number {
    let position = this.newestBase.snapshot.position;
    for (const { base } of this.views) position = Math.min(position, base.snapshot.position);
    return position;
  }

  private get missingBytes(): number {
    return (this.frozen?.writtenBytes ?? 0) + this.active.writtenBytes;
  }

  get storeLag(): StoreLag {
    return {
      bytes: this.missingBytes,
      batchMs: this.frozen === null ? 0 : performance.now() - this.frozenAtMs,
      isFull: this.missingBytes > this.missingMaxBytes,
    };
  }

  room(): Promise<void> | null {
    if (this.missingBytes <= this.missingMaxBytes) return null;
    // Why it takes no more is said to who writes.
    return this.caughtUp(this.missingMaxBytes).catch(() => undefined);
  }

  /**
   * Waits until at most `maxBytes` of commits are missing in the store: what has not been applied is held in
   * memory, so a bulk load must not outrun the store. @throws ReadOnlyError when it takes no more
   */
  async caughtUp(maxBytes: number): Promise<void> {
    while (this.missingBytes > maxBytes) {
      if (this.isReadOnly !== null) throw new ReadOnlyError(this.isReadOnly);
      if (this.applying === null) this.startApply();
      await this.applying;
    }
  }

  /** Puts everything committed so far into the store. @throws ReadOnlyError when that is impossible */
  async drain(): Promise<void> {
    await this.groups.idle();
    for (;;) {
      if (this.isReadOnly !== null) throw new ReadOnlyError(this.isReadOnly);
      if (this.applying === null && this.active.lastSeq === 0) return;
      if (this.applying === null) this.startApply();
      await this.applying;
    }
  }

  /**
   * Calls `begin` while nothing is being put into the store, which then holds every commit of now, whole.
   * Nothing is put into it until `begun` is settled; commits go on meanwhile.
   * @returns what `begin` answered, once it has begun
   * @throws ReadOnlyError when the store takes no more
   */
  async atRest<T extends { readonly begun: Promise<void> }>(begin: () => T): Promise<T> {
    const target = this.headSeq;
    this.restsWanted += 1;
    try {
      while (this.applying !== null || this.store.position < target) {
        if (this.isReadOnly !== null) throw new ReadOnlyError(this.isReadOnly);
        if (this.applying === null) this.startApply();
        await this.applying;
      }
    } finally {
      this.restsWanted -= 1;
    }
    this.checkOpen();
    const started = begin();
    const resume = () => {
      this.applying = null;
      this.scheduleApply();
    };
    this.applying = started.begun.then(resume, resume);
    await started.begun;
    return started;
  }

  /**
   * A query for who reads everything: it sees every commit of now, and reads the store alone, so that nothing
   * written since is kept in memory however long it stays open.
   */
  async beginLongQuery(): Promise<Tx> {
    this.checkOpen();
    // What the store lacks stays in memory then, and nothing is written any more.
    if (this.isReadOnly !== null) return this.beginQuery();
    const { view } = await this.atRest(() => {
      const base = this.newestBase;
      // Among the views it would hold up what they let go of.
      const view = new View(this, base.snapshot.position, this.durable.ts, base, []);
      return { view, begun: Promise.resolve() };
    });
    return new Tx(this, "query", view, 0);
  }

  // ---- tables and schema ----

  ensureTable(name: string): TableInfo {
    const known = this.catalog.table(name);
    if (known !== null) return known;
    if (this.catalog.tableCount >= MAX_TABLES) throw new Error(`Too many tables (${MAX_TABLES})`);
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

  tables(): Types.TableInfo[] {
    return [...this.catalog.all()].map(({ name, number }) => ({ name, number }));
  }

  async applySchema(schema: SchemaJson | null): Promise<SchemaReport> {
    this.checkOpen();
    // The usual start: what the log brought back may then reach the store while calls are answered.
    if (resumeSchema(this, schema)) return UNCHANGED;
    await this.drain();
    const report = await changeSchema(this, schema);
    this.applier.schemaChanged();
    this.refreshBase();
    this.onApplied();
    return report;
  }

  /** Lets readers see what was put into the store beside the commits (only while drained). */
  refreshBase(): void {
    const oldBase = this.newestBase;
    this.newestBase = new SharedBase(this.store.snapshot());
    this.ranges.clear();
    const old = this.durable;
    this.durable = this.headView();
    old.release();
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

  /**
   * Gives tables the numbers they had elsewhere (import).
   * @throws Error, table by table: a name that is not allowed, another number here, a number that belongs to
   *   another table, documents
   */
  adoptTables(numbers: ReadonlyMap<string, number>): void {
    for (const [name, number] of numbers) {
      checkTableName(name);
      const table = this.catalog.table(name);
      if (table !== null && table.number !== number) {
        throw new Error(`Table "${name}" has the number ${table.number} here, not ${number}`);
      }
      const taken = this.catalog.tableByNumber(number);
      if (taken !== null && taken.name !== name) {
        throw new Error(`The number ${number} of table "${name}" belongs to "${taken.name}" here`);
      }
      if (table !== null) {
        const tx = this.beginQuery();
        const count = tx.count(name);
        tx.close();
        if (count > 0) throw new Error(`Table "${name}" is not empty`);
        continue;
      }
      const next = this.catalog.nextIndexId;
      this.newTables.push(this.catalog.restoreTable(name, number, next, next + 1));
    }
  }

  /**
   * Commits whole documents with their own ids and creation times (import); resolves when durable.
   * @throws Error, with nothing written, when one of them is there already
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
    const commit = this.takeIn(stamp, writes, record.length);
    await new Promise<void>((resolve, reject) => {
      this.groups.add({ seq, commit, record, resolve, reject });
    });
  }

  /**
   * Takes in commits that were read back from the log.
   * @param isApplyingLater they reach the store as others do; else `drain` follows at once
   */
  replay(records: Iterable<CommitRecord>, isApplyingLater: boolean): void {
    for (const record of records) this.replayOne(record);
    if (isApplyingLater) this.scheduleApply();
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
      const table = this.catalog.tableByNumber(tableNumberOf(id));
      // What came and went within one commit may have been all there ever was of its table.
      if (table === null && stored === null) continue;
      if (table === null) throw new Error(`The log writes ${id}, whose table is unknown`);
      const doc = stored === null ? null : Doc.ofRecord(table, id, stored);
      writes.set(id, { table, old: view.getFrom(table, id), doc });
    }
    view.release();
    this.takeIn(record, writes, 0);
    const old = this.durable;
    this.durable = this.headView();
    old.release();
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeOnce());
  }

  private async closeOnce(): Promise<void> {
    try {
      await this.drain();
    } catch (error) {
      // What the store does not take is in the log; the next start replays it.
      if (!(error instanceof ReadOnlyError)) throw error;
    }
    this.isClosed = true;
    if (this.applyTimer !== null) clearTimeout(this.applyTimer);
    await this.applying;
    this.durable.release();
    this.nextDurable?.release();
    this.newestBase.release();
    await this.applier.close();
    await this.log.close();
    await this.store.close();
    await this.onClosed();
  }

  private checkOpen(): void {
    if (this.isClosed) throw new Error("The database is closed");
  }
}
