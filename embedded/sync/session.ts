/**
 * The state of one sync connection as a pure state machine: the versions that client and server have seen,
 * the open queries, the content of the next Transition. No clock, no socket, no database.
 *
 * Not here: executing its orders (worker), results shared between connections (hub).
 */
import type { Entry, Subscriber } from "./hub.ts";
import {
  type AddQuery,
  type ClientMessage,
  type Credentials,
  type StateVersion,
  ProtocolError,
} from "./protocol.ts";

/** One query of this connection. */
export interface LiveQuery {
  readonly queryId: number;
  readonly path: string;
  /** The arguments as JSON text; parsed values can take twenty times as much memory. */
  readonly argsJson: string;
  journal: string | null;
  /** True when the result the client holds may be out of date. */
  isDirty: boolean;
  /** Digest of the last result sent, so that equal results are sent only once; null before the first. */
  sentDigest: string | null;
  /** Set by the hub: the result shown here; null before the first and after the release. */
  entry: Entry | null;
  /** Set by the hub: whom to notify when that result is invalidated. */
  subscriber: Subscriber | null;
}

/** Shared by all queries without arguments, which are most. */
const NO_ARGS = "{}";

/** What the worker has to do for a message. */
type Order =
  | { readonly type: "connect"; readonly message: Extract<ClientMessage, { type: "Connect" }> }
  | { readonly type: "forget"; readonly queries: readonly LiveQuery[] }
  | { readonly type: "authenticate"; readonly credentials: Credentials }
  | {
      readonly type: "run";
      readonly message: Extract<ClientMessage, { type: "Mutation" | "Action" }>;
    };

/** A Transition to compute: its versions and the queries whose results it needs. */
export interface TransitionPlan {
  readonly start: StateVersion;
  readonly querySet: number;
  readonly identity: number;
  readonly dirty: readonly LiveQuery[];
  readonly removedIds: readonly number[];
}

/** Most characters of query names and arguments that an unidentified connection may keep open. */
const UNIDENTIFIED_QUERY_CHARS_MAX = 65_536;
/** Queries one connection may hold open. */
export const QUERIES_PER_CONNECTION_MAX = 2000;
/** What an open query takes of the memory besides its name and arguments: seen were 1,000 to 1,600 bytes. */
const BYTES_PER_QUERY = 1_000;
/** What it takes for each character of these: the hub's keys and both bounds of a range hold them as well. Seen were 3.5 to 5.4 bytes. */
const BYTES_PER_CHAR = 5;
/** Removals without a Transition that confirms them: a client that reads nothing gets none. */
const UNCONFIRMED_REMOVALS_MAX = 5 * QUERIES_PER_CONNECTION_MAX;

/** One per connection. Unusable once `receive` has thrown: the message may be partly applied. */
export class Session {
  private isConnected = false;
  private querySet = 0;
  private identity = 0;
  private sent: StateVersion = { querySet: 0, identity: 0, ts: 0n };
  /** Removed since the last plan; null when there are none, the common case. */
  private removedIds: number[] | null = null;
  private readonly knownQueryCharsMax: number;
  /** Whether the connection has identified itself. */
  private isKnown = false;
  /** Characters of the open queries' names and arguments. */
  private chars = 0;
  readonly queries = new Map<number, LiveQuery>();

  /**
   * @param queryCharsMax limit for the characters of query names and arguments of an identified connection:
   *   without one, a connection could fill the memory
   */
  constructor(queryCharsMax: number) {
    this.knownQueryCharsMax = queryCharsMax;
  }

  /** Version of the identity in the last Transition: AuthErrors refer to it. */
  get sentIdentityVersion(): number {
    return this.sent.identity;
  }

  /** What the open queries take of the memory, roughly. */
  get keptBytes(): number {
    return BYTES_PER_CHAR * this.chars + BYTES_PER_QUERY * this.queries.size;
  }

  /**
   * Processes one message. A Connect may come late or never: with `expectAuth`, the official client sends none on
   * a socket that opened before its `setAuth`.
   * @throws ProtocolError when it violates the protocol; the connection must close
   */
  receive(message: ClientMessage): Order | null {
    if (message.type === "Connect") {
      if (this.isConnected) throw new ProtocolError("Connect was already received");
      this.isConnected = true;
      return { type: "connect", message };
    }
    switch (message.type) {
      case "ModifyQuerySet":
        return { type: "forget", queries: this.modify(message) };
      case "Authenticate":
        if (message.baseVersion !== this.identity) {
          throw new ProtocolError(
            `Base version ${message.baseVersion} passed up doesn't match the current identity version ${this.identity}`,
          );
        }
        return { type: "authenticate", credentials: message.credentials };
      case "Mutation":
      case "Action":
        if (!message.isRootComponent) throw new ProtocolError("components are not supported");
        return { type: "run", message };
      case "Event":
        return null;
    }
  }

  /** The identity changed: all queries must be computed again. Queries that are open already may stay. */
  identityAccepted(isKnown: boolean): void {
    this.identity += 1;
    this.isKnown = isKnown;
    for (const query of this.queries.values()) query.isDirty = true;
  }

  /** Begins a Transition. Its queries are clean until they are invalidated again. */
  plan(): TransitionPlan {
    const dirty: LiveQuery[] = [];
    for (const query of this.queries.values()) {
      if (!query.isDirty) continue;
      query.isDirty = false;
      dirty.push(query);
    }
    const removedIds = this.removedIds ?? [];
    this.removedIds = null;
    const { sent: start, querySet, identity } = this;
    return { start, querySet, identity, dirty, removedIds };
  }

  /** Leaves all but the first `count` queries of a plan to the next one, where they come first. */
  postpone(plan: TransitionPlan, count: number): void {
    for (const query of plan.dirty.slice(count)) query.isDirty = true;
    for (const query of plan.dirty.slice(0, count)) {
      // A query removed meanwhile stays removed.
      if (this.queries.get(query.queryId) !== query) continue;
      this.queries.delete(query.queryId);
      this.queries.set(query.queryId, query);
    }
  }

  /** Returns an unsent plan: its queries are dirty again. */
  abandon(plan: TransitionPlan): void {
    for (const query of plan.dirty) query.isDirty = true;
    const { removedIds } = plan;
    if (removedIds.length > 0) this.removedIds = [...removedIds, ...(this.removedIds ?? [])];
  }

  /** Records that the Transition of `plan` was sent at snapshot `ts`. Returns its end version. */
  finish(plan: TransitionPlan, ts: bigint): StateVersion {
    const end = { querySet: plan.querySet, identity: plan.identity, ts };
    this.sent = end;
    return end;
  }

  private modify(message: Extract<ClientMessage, { type: "ModifyQuerySet" }>): LiveQuery[] {
    if (message.baseVersion !== this.querySet) {
      throw new ProtocolError(
        `Base version ${message.baseVersion} passed up doesn't match the current version ${this.querySet}`,
      );
    }
    if (message.newVersion <= message.baseVersion) {
      throw new ProtocolError("The new query set version must be larger than its base version");
    }
    const forgotten: LiveQuery[] = [];
    try {
      for (const modification of message.modifications) {
        if (modification.type === "Remove") forgotten.push(this.remove(modification.queryId));
        else this.add(modification);
      }
      this.checkKept();
    } catch (error) {
      // The connection closes now, and what it has open is released: that includes these.
      for (const query of forgotten) this.queries.set(query.queryId, query);
      throw error;
    }
    this.querySet = message.newVersion;
    return forgotten;
  }

  private remove(queryId: number): LiveQuery {
    const query = this.queries.get(queryId);
    if (query === undefined) throw new ProtocolError("Removing an unknown query");
    const removedIds = (this.removedIds ??= []);
    if (removedIds.length >= UNCONFIRMED_REMOVALS_MAX) {
      throw new ProtocolError(
        `Too many removed queries on one connection (limit: ${UNCONFIRMED_REMOVALS_MAX} unconfirmed)`,
      );
    }
    this.queries.delete(queryId);
    removedIds.push(queryId);
    return query;
  }

  private checkKept(): void {
    const before = this.chars;
    this.chars = this.keptChars();
    const unidentifiedMax = Math.min(this.knownQueryCharsMax, UNIDENTIFIED_QUERY_CHARS_MAX);
    const max = this.isKnown ? this.knownQueryCharsMax : unidentifiedMax;
    // Who signed out may have more open, and closes them one after the other.
    if (this.chars <= Math.max(max, before)) return;
    throw new ProtocolError(`Too large queries on one connection (limit: ${max} characters)`);
  }

  /** Counted anew: a counter in every query would add to the memory of an idle connection. */
  private keptChars(): number {
    let chars = 0;
    for (const { path, argsJson, journal } of this.queries.values()) {
      chars += path.length + argsJson.length + (journal?.length ?? 0);
    }
    return chars;
  }

  private add(query: AddQuery): void {
    if (this.queries.has(query.queryId)) throw new ProtocolError("Adding a query id twice");
    if (this.queries.size >= QUERIES_PER_CONNECTION_MAX) {
      throw new ProtocolError(
        `Too many queries on one connection (limit: ${QUERIES_PER_CONNECTION_MAX})`,
      );
    }
    const argsJson = JSON.stringify(query.args);
    this.queries.set(query.queryId, {
      queryId: query.queryId,
      path: query.udfPath,
      argsJson: argsJson === NO_ARGS ? NO_ARGS : argsJson,
      journal: query.journal,
      isDirty: true,
      sentDigest: null,
      entry: null,
      subscriber: null,
    });
  }
}
