/**
 * What must hold in every state of a simulation: after each durable commit the new journals, postings,
 * rows and requests and all accounts (the product's own ledger check), the simulation's own numbers, and
 * on every frame to a client that all its queries show one durable moment. Everything again at the end.
 */
import { jsonToConvex, type JSONValue } from "convex/values";
import type { QueryCtx } from "../../../convex/_generated/server";
import { checkPage, CHECK_START, type CheckPosition } from "../../../convex/model/ledgerCheckPages";
import { COUNTER, PAIR } from "./functions";
import type { Connection } from "./network";
import type { Server } from "./server";

/** Phases of the ledger check that may start after the last document seen, and the accounts. */
const NEW_ONLY_PHASES = [0, 1, 4, 6];
const ACCOUNTS_PHASE = 2;
const MOMENTS_KEPT = 3_000;

export class InvariantError extends Error {}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each));

/** What one connection shows: query id to path and newest value. */
type Shown = Map<number, { path: string; value: string | null }>;

export class Invariants {
  /** Durable moments by timestamp: the numbers and everyone's balances, as queries show them. */
  private readonly moments = new Map<bigint, Map<string, string>>();
  private readonly shown = new WeakMap<Connection, Shown>();
  private readonly since = new Map<number, number>();
  private readonly acknowledged = new Map<string, bigint>();
  private lastTs = 0n;
  checkedCommits = 0;
  checkedFrames = 0;

  /** Takes note of what became durable; call it for each group before anything leaves the server. */
  remember(server: Server): void {
    const ts = server.backend.db.durableTs;
    if (ts < this.lastTs) throw new InvariantError(`time went back: ${ts} after ${this.lastTs}`);
    this.lastTs = ts;
    const moment = new Map<string, string>();
    const values = new Map(server.documents("simCounters").map((one) => [one.name, one.value]));
    moment.set("sim:numbers", text([values.get(COUNTER), ...PAIR.map((name) => values.get(name))]));
    const sum = PAIR.reduce((total, name) => total + ((values.get(name) ?? 0n) as bigint), 0n);
    if (sum < 0n) throw new InvariantError(`write skew: the pair holds ${sum}`);
    for (const { userId, type, balanceCents } of server.documents("accounts")) {
      moment.set(`${userId as string} ${type as string}`, text(balanceCents));
    }
    this.moments.set(ts, moment);
    if (this.moments.size > MOMENTS_KEPT) this.moments.delete(this.moments.keys().next().value!);
  }

  /** The new documents since the last call, and all accounts. */
  async checkNew(server: Server): Promise<void> {
    for (const phase of [...NEW_ONLY_PHASES, ACCOUNTS_PHASE]) {
      const after = phase === ACCOUNTS_PHASE ? -1 : (this.since.get(phase) ?? -1);
      let position: CheckPosition | null = { phase, after };
      while (position?.phase === phase) {
        const from: CheckPosition = position;
        const page: Awaited<ReturnType<typeof checkPage>> = await server.inside(
          "query",
          (ctx: QueryCtx) => checkPage(ctx, from),
        );
        this.judge(page.problems);
        position = page.next;
      }
      const newest = server.newestCreation(TABLE_OF_PHASE[phase] ?? "accounts");
      // Pairs of documents are judged together: look at the newest one again the next time.
      if (newest !== null) this.since.set(phase, newest - 1);
    }
    this.checkedCommits += 1;
  }

  /** Everything from the beginning, and that what was acknowledged is there, once. */
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
    const events = server.documents("simEvents");
    const byKey = new Map(events.map(({ key, seq }) => [key as string, seq as bigint]));
    if (byKey.size !== events.length) throw new InvariantError("a mutation was applied twice");
    const numbers = events.map(({ seq }) => seq as bigint).sort((a, b) => (a < b ? -1 : 1));
    if (numbers.some((seq, at) => seq !== BigInt(at + 1))) {
      throw new InvariantError("an update was lost: the numbers of the events have gaps");
    }
    for (const [key, seq] of this.acknowledged) {
      if (byKey.get(key) !== seq) throw new InvariantError(`${key} was acknowledged and is lost`);
    }
  }

  /** A client was told that its event has this number. */
  acknowledge(key: string, seq: bigint): void {
    const earlier = this.acknowledged.get(key);
    if (earlier !== undefined && earlier !== seq) throw new InvariantError(`${key} answered twice`);
    this.acknowledged.set(key, seq);
  }

  /** Which query has which number on a connection. */
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

  /** A Transition leaves: all its client's queries must show the durable moment it names. */
  serverSent(connection: Connection, frame: string, userId: string): void {
    const message = JSON.parse(frame) as {
      type: string;
      endVersion: { ts: string };
      modifications: { type: string; queryId: number; value?: JSONValue }[];
    };
    if (message.type !== "Transition") return;
    const shown = this.shown.get(connection) ?? (new Map() as Shown);
    for (const { type, queryId, value } of message.modifications) {
      const query = shown.get(queryId);
      if (query === undefined) continue;
      query.value = type === "QueryUpdated" ? text(jsonToConvex(value ?? null)) : null;
    }
    const ts = Buffer.from(message.endVersion.ts, "base64").readBigUInt64LE();
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

const TABLE_OF_PHASE: Readonly<Record<number, string>> = {
  0: "journals",
  1: "postings",
  4: "transactions",
  6: "requests",
};
