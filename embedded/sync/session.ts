/**
 * The state of one sync connection as a pure machine: which versions the client and the server have
 * seen, which queries live, what a Transition must carry. No clock, no socket, no database.
 *
 * Not here: executing what it orders (worker), results shared between connections (hub).
 */
import type { Entry, Subscriber } from "./hub.ts";
import type { AddQuery, ClientMessage, Credentials, StateVersion } from "./protocol.ts";
import { ProtocolError } from "./protocol.ts";

/** One query of this connection. */
export interface LiveQuery {
  readonly queryId: number;
  readonly path: string;
  /** The arguments as JSON: parsed, a text can take twenty times its length. */
  readonly argsJson: string;
  journal: string | null;
  /** True when the result the client holds may be out of date. */
  isDirty: boolean;
  /** Digest of the last result sent, to send equal results only once; null before the first. */
  sentDigest: string | null;
  /** The hub's: which result is shown here; null before the first and after the last. */
  entry: Entry | null;
  /** The hub's: whom it tells when that is out of date. */
  subscriber: Subscriber | null;
}

/** Most queries have no arguments: one text for all of them. */
const NO_ARGS = "{}";

function isEmptyObject(args: AddQuery["args"]): boolean {
  return typeof args === "object" && args !== null && Object.keys(args).length === 0;
}

/** What the worker has to do for a message. */
export type Order =
  | { readonly type: "connect"; readonly message: Extract<ClientMessage, { type: "Connect" }> }
  | { readonly type: "forget"; readonly queries: readonly LiveQuery[] }
  | { readonly type: "authenticate"; readonly credentials: Credentials }
  | {
      readonly type: "run";
      readonly message: Extract<ClientMessage, { type: "Mutation" | "Action" }>;
    };

/** A Transition to be computed: its versions and the queries whose results it needs. */
export interface TransitionPlan {
  readonly start: StateVersion;
  readonly querySet: number;
  readonly identity: number;
  readonly dirty: readonly LiveQuery[];
  readonly removedIds: readonly number[];
}

/** Names and arguments that a connection may have kept before it has said whose it is. */
export const STRANGERS_QUERY_CHARS_MAX = 65_536;
/** Queries one connection may hold open. */
export const QUERIES_PER_CONNECTION_MAX = 2000;

/** One per connection. Once `receive` has thrown it is of no more use: half of the message may be in it. */
export class Session {
  private isConnected = false;
  private querySet = 0;
  private identity = 0;
  private sent: StateVersion = { querySet: 0, identity: 0, ts: 0n };
  private removedIds: number[] = [];
  private readonly knownQueryCharsMax: number;
  private queryCharsMax: number;
  readonly queries = new Map<number, LiveQuery>();

  /**
   * @param queryCharsMax names and arguments that may be kept once it is known whose they are: without a limit
   *   one connection would fill the memory
   */
  constructor(queryCharsMax: number) {
    this.knownQueryCharsMax = queryCharsMax;
    this.queryCharsMax = Math.min(queryCharsMax, STRANGERS_QUERY_CHARS_MAX);
  }

  /** Version of the identity in the last Transition: AuthErrors refer to it. */
  get sentIdentityVersion(): number {
    return this.sent.identity;
  }

  /** Takes one message. @throws ProtocolError when it breaks the rules; the connection must close. */
  receive(message: ClientMessage): Order | null {
    if (message.type === "Connect") {
      if (this.isConnected) throw new ProtocolError("Connect was already received");
      this.isConnected = true;
      return { type: "connect", message };
    }
    if (!this.isConnected) throw new ProtocolError("The first message must be Connect");
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

  /** The identity changed: everything must be computed anew under it. What is kept already may stay. */
  identityAccepted(isKnown: boolean): void {
    this.identity += 1;
    this.queryCharsMax = isKnown
      ? this.knownQueryCharsMax
      : Math.min(this.knownQueryCharsMax, STRANGERS_QUERY_CHARS_MAX);
    for (const query of this.queries.values()) query.isDirty = true;
  }

  /** Begins a Transition; queries it computes are clean until something invalidates them again. */
  plan(): TransitionPlan {
    const dirty: LiveQuery[] = [];
    for (const query of this.queries.values()) {
      if (!query.isDirty) continue;
      query.isDirty = false;
      dirty.push(query);
    }
    const removedIds = this.removedIds;
    this.removedIds = [];
    const { sent: start, querySet, identity } = this;
    return { start, querySet, identity, dirty, removedIds };
  }

  /** Leaves all but the first `count` queries of a plan to the next one, in which they come first. */
  postpone(plan: TransitionPlan, count: number): void {
    for (const query of plan.dirty.slice(count)) query.isDirty = true;
    for (const query of plan.dirty.slice(0, count)) {
      // Another one may have left meanwhile, and stays away.
      if (this.queries.get(query.queryId) !== query) continue;
      this.queries.delete(query.queryId);
      this.queries.set(query.queryId, query);
    }
  }

  /** Gives a plan back unsent: its work remains to be done. */
  abandon(plan: TransitionPlan): void {
    for (const query of plan.dirty) query.isDirty = true;
    this.removedIds.unshift(...plan.removedIds);
  }

  /** Records that the Transition of `plan` was sent at snapshot `ts`. Answers its end version. */
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
    for (const modification of message.modifications) {
      const existing = this.queries.get(modification.queryId);
      if (modification.type === "Remove") {
        if (existing === undefined) throw new ProtocolError("Removing an unknown query");
        this.queries.delete(modification.queryId);
        this.removedIds.push(modification.queryId);
        forgotten.push(existing);
      } else {
        if (existing !== undefined) throw new ProtocolError("Adding a query id twice");
        this.add(modification);
      }
    }
    if (this.keptChars() > this.queryCharsMax) {
      throw new ProtocolError(
        `Too large queries on one connection (limit: ${this.queryCharsMax} characters)`,
      );
    }
    this.querySet = message.newVersion;
    return forgotten;
  }

  /** Added up when asked: a number kept with every query would be a part of what an idle connection costs. */
  private keptChars(): number {
    let chars = 0;
    for (const { path, argsJson, journal } of this.queries.values()) {
      chars += path.length + argsJson.length + (journal?.length ?? 0);
    }
    return chars;
  }

  private add(query: AddQuery): void {
    if (this.queries.size >= QUERIES_PER_CONNECTION_MAX) {
      throw new ProtocolError(
        `Too many queries on one connection (limit: ${QUERIES_PER_CONNECTION_MAX})`,
      );
    }
    const argsJson = isEmptyObject(query.args) ? NO_ARGS : JSON.stringify(query.args);
    this.queries.set(query.queryId, {
      queryId: query.queryId,
      path: query.udfPath,
      argsJson,
      journal: query.journal,
      isDirty: true,
      sentDigest: null,
      entry: null,
      subscriber: null,
    });
  }
}
