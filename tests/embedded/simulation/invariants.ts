/**
 * The invariants of every state of a simulation.
 *
 * After each durable commit: the product's ledger check of what it wrote and of the documents that depend on
 * that (ledgerChecks), and the simulation's own numbers. On every frame to a client: everything it
 * acknowledges is durable, and all its queries show one durable snapshot. After each restart: every document
 * is as the commits left it, except for commits in the log after the last known one (mirror). So nothing that
 * was verified can change unnoticed. The full ledger check, which takes longer as the history grows, runs at
 * the beginning, whenever the number of commits has doubled, and at the end.
 */
import { jsonToConvex, type JSONValue } from "convex/values";
import type { QueryCtx } from "../../../convex/_generated/server";
import { checkPage, CHECK_START, type CheckPosition } from "../../../convex/model/ledgerCheckPages";
import type { DocumentValue } from "../../../embedded/db/types";
import { COUNTER, PAIR } from "./functions";
import { LedgerChecks } from "./ledgerChecks";
import { Mirror, type Change } from "./mirror";
import type { Connection } from "./network";
import type { Seen, Server } from "./server";

const MOMENTS_KEPT = 3_000;
const FIRST_FULL_CHECK_COMMITS = 100;

class InvariantError extends Error {}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each));

/** The state of one connection's queries: query id to path and newest value. */
type Shown = Map<number, { path: string; value: string | null }>;

export class Invariants implements Seen {
  private readonly mirror = new Mirror();
  private readonly ledger = new LedgerChecks();
  /** Durable snapshots by timestamp: the numbers and all balances, as queries show them. */
  private readonly moments = new Map<bigint, ReadonlyMap<string, string>>();
  private readonly newest = new Map<string, string>();
  private readonly counters = new Map<string, bigint>();
  /** Numbers of the durable events, by key. */
  private readonly events = new Map<string, bigint>();
  private readonly shown = new WeakMap<Connection, Shown>();
  readonly written = new Set<string>();
  lastTs = 0n;
  private restarts = 0;
  private fullCheckAt = FIRST_FULL_CHECK_COMMITS;
  checkedCommits = 0;
  checkedFrames = 0;

  /**
   * Checks a restarted server: everything is as it was when it became durable; newer commits are recorded.
   * Call it before anything is sent by the server.
   */
  restarted(server: Server): void {
    this.mirror.compare(server.db, this.restarts, this.written);
    this.restarts += 1;
    this.follow(server);
  }

  /** Records what became durable. Call it for each group before anything is sent by the server. */
  follow(server: Server): void {
    const ts = server.db.durableTs;
    if (ts < this.lastTs) throw new InvariantError(`time went back: ${ts} after ${this.lastTs}`);
    this.lastTs = ts;
    const changes = this.mirror.take(server.db, this.written);
    this.written.clear();
    this.judge(this.ledger.take(changes));
    this.takeEvents(changes);
    this.takeNumbers(changes);
    this.moments.set(ts, new Map(this.newest));
    if (this.moments.size > MOMENTS_KEPT) this.moments.delete(this.moments.keys().next().value!);
  }

  /** Runs the product's own check on what became durable since the last call. */
  async checkNew(server: Server): Promise<void> {
    this.judge(await server.inside("query", (ctx: QueryCtx) => this.ledger.judge(ctx)));
    this.checkedCommits += 1;
    if (this.checkedCommits < this.fullCheckAt) return;
    this.fullCheckAt *= 2;
    await this.checkAll(server);
  }

  /** Checks the whole ledger from the beginning. */
  async checkAll(server: Server): Promise<void> {
    let position: CheckPosition | null = CHECK_START;
    while (position !== null) {
      const from: CheckPosition = position;
      const page: Awaited<ReturnType<typeof checkPage>> = await server.inside(
        "query",
        (ctx: QueryCtx) => checkPage(ctx, from),
      );
      this.judge(page.problems);
      position = page.next;
    }
  }

  /** The final check: the whole ledger, and every document through every index. */
  async checkEnd(server: Server): Promise<void> {
    await this.checkAll(server);
    this.mirror.compareAll(server.db);
  }

  /** A client was told that its event has this number: it must have it, also after every restart. */
  acknowledge(key: string, seq: bigint): void {
    if (this.events.get(key) === seq) return;
    throw new InvariantError(`${key} was acknowledged as ${seq} and is not durable as that`);
  }

  /** Each event must appear once, with consecutive numbers. */
  private takeEvents(changes: readonly Change[]): void {
    const added = changes
      .filter(({ table }) => table === "simEvents")
      .map(({ value, before }) => ({ value: value ?? {}, before }))
      .sort((one, two) => ((one.value.seq as bigint) < (two.value.seq as bigint) ? -1 : 1));
    for (const { value, before } of added) {
      const [key, seq] = [value.key as string, value.seq as bigint];
      if (before !== null) throw new InvariantError(`the event ${key} has changed`);
      if (this.events.has(key)) throw new InvariantError(`${key} was applied twice`);
      this.events.set(key, seq);
      if (seq !== BigInt(this.events.size)) {
        throw new InvariantError(`an update was lost: event ${this.events.size} has number ${seq}`);
      }
    }
  }

  private takeNumbers(changes: readonly Change[]): void {
    for (const { table, value } of changes) {
      if (value === null) continue;
      if (table === "simCounters") this.counters.set(value.name as string, value.value as bigint);
      if (table === "accounts") this.newest.set(balanceKey(value), text(value.balanceCents));
    }
    const numbers = [COUNTER, ...PAIR].map((name) => this.counters.get(name));
    this.newest.set("sim:numbers", text(numbers));
    const sum = PAIR.reduce((total, name) => total + (this.counters.get(name) ?? 0n), 0n);
    if (sum < 0n) throw new InvariantError(`write skew: the pair holds ${sum}`);
  }

  /** Records the query ids of a connection. */
  clientSent(connection: Connection, frame: string): void {
    const message = JSON.parse(frame) as {
      type: string;
      modifications?: { type: string; queryId: number; udfPath: string }[];
    };
    if (message.type !== "ModifyQuerySet") return;
    const shown = this.shown.get(connection) ?? new Map<number, { path: string; value: null }>();
    for (const { type, queryId, udfPath } of message.modifications ?? []) {
      if (type === "Add") shown.set(queryId, { path: udfPath, value: null });
      else shown.delete(queryId);
    }
    this.shown.set(connection, shown);
  }

  /**
   * A frame is sent: what it acknowledges must be durable, and what it shows must be from one durable
   * snapshot.
   */
  serverSent(connection: Connection, frame: string, userId: string): void {
    const message = JSON.parse(frame) as {
      type: string;
      ts?: string;
      endVersion: { ts: string };
      modifications: { type: string; queryId: number; value?: JSONValue }[];
    };
    if (message.type === "MutationResponse" && message.ts !== undefined) {
      const ts = timestampOf(message.ts);
      if (ts > this.lastTs) throw new InvariantError(`${ts} acknowledged, durable ${this.lastTs}`);
    }
    if (message.type !== "Transition") return;
    const shown = this.shown.get(connection) ?? (new Map() as Shown);
    for (const { type, queryId, value } of message.modifications) {
      const query = shown.get(queryId);
      if (query === undefined) continue;
      query.value = type === "QueryUpdated" ? text(jsonToConvex(value ?? null)) : null;
    }
    const ts = timestampOf(message.endVersion.ts);
    const moment = this.moments.get(ts);
    if (moment === undefined) return;
    for (const { path, value } of shown.values()) {
      if (value !== null) this.judgeShown(path, value, moment, userId, ts);
    }
    this.checkedFrames += 1;
  }

  private judgeShown(
    path: string,
    value: string,
    moment: ReadonlyMap<string, string>,
    userId: string,
    ts: bigint,
  ): void {
    if (path === "sim:numbers") {
      if (value !== moment.get(path)) {
        throw new InvariantError(`${path} showed ${value} at ${ts}, not ${moment.get(path)}`);
      }
      return;
    }
    if (path !== "accounts:listMine") return;
    const accounts = JSON.parse(value) as { type: string; balanceCents: string }[];
    for (const { type, balanceCents } of accounts) {
      const wanted = moment.get(`${userId} ${type}`);
      if (JSON.stringify(balanceCents) === wanted) continue;
      throw new InvariantError(`${userId} saw ${balanceCents} in ${type} at ${ts}, not ${wanted}`);
    }
  }

  private judge(problems: readonly string[]): void {
    if (problems.length > 0) throw new InvariantError(problems.join("; "));
  }
}

const timestampOf = (base64: string): bigint => Buffer.from(base64, "base64").readBigUInt64LE();

const balanceKey = ({ userId, type }: DocumentValue): string =>
  `${userId as string} ${type as string}`;
