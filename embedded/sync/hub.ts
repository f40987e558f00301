/**
 * Live query results, shared between connections. Identical queries run once per snapshot. A commit
 * invalidates exactly the results whose read set it touches. The affected connections compute their
 * Transitions one after the other in one turn of the event loop; when it has taken long, the rest of them
 * wait for the next turn.
 *
 * Not here: the state of a connection (session), its socket (worker).
 *
 * Long because running, invalidating and delivering a result share one entry and one turn.
 */
import { hash } from "node:crypto";
import type { JSONValue } from "convex/values";
import { Owned } from "../db/owned.ts";
import { SubscriptionIndex, type Place } from "../db/subscriptions.ts";
import type { Transaction } from "../db/types.ts";
import { clientMessage } from "../runtime/errors.ts";
import { identityKey, type Identity } from "../runtime/identity.ts";
import type { RequestInfo } from "../runtime/execution.ts";
import type { QueryOutcome } from "../runtime/queries.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { queryBody } from "./protocol.ts";
import { inRounds } from "./rounds.ts";
import type { LiveQuery } from "./session.ts";

/** A result that read the clock is not given to new subscribers after this long. */
const CLOCK_RESULT_LIFE_S = 5;
const MS_PER_S = 1000;
/** After this long the hub yields to other calls; the remaining connections follow in the next turn. */
const TURN_SLICE_MS = 8;
/** To read a longer message or body may take 0.1 s or more. */
const LARGE_BYTES = 65_536;
/**
 * Bytes of messages and bodies that are read as they come in one turn of the event loop: to read more takes tens of
 * milliseconds, and hundreds of connections may send as much each.
 */
export const TURN_MAX_BYTES = 262_144;

/** A connection, as the hub sees it. */
export interface Subscriber {
  /** Whose it is, as from `senderOf`. */
  readonly sender: string;
  /** The result of this query is out of date; the connection should ask for a Transition. */
  invalidated(query: LiveQuery): void;
  /** Time to compute a Transition. */
  advance(): void;
}

/** The caller a result is computed for. */
export interface Caller {
  readonly identity: Identity;
  readonly isAdmin: boolean;
  /** Called only when the query has to be run. */
  newRequest(): RequestInfo;
}

/** A query's result as Transitions carry it. */
export interface LiveResult {
  readonly body: string;
  /** Equal for equal results, which are not sent again. */
  readonly digest: string;
  readonly journal: string | null;
}

/** A shared run turned out to depend on the caller: run the query again. */
export const RUN_AGAIN = Symbol("run again");

/** Later than any time. A small integer, which takes no heap object as milliseconds would. */
const NEVER_S = 2 ** 31 - 1;

/** One run of a query, and the connections' queries that show its result. */
export class Entry extends Owned<LiveQuery> {
  /** The key under which others can find it; null when it can no longer be found. */
  key: string | null;
  readonly snapshotTs: bigint;
  /** The frozen clock of the run; `NEVER_S` when the run has not read the clock. */
  private clockS = Math.floor(Date.now() / MS_PER_S);
  /** Its registrations in the index; null before and after. */
  places: readonly Place<Entry>[] | null = null;
  isStale = false;
  isPersonal = false;
  /** The identity it was run for. */
  readonly identity: Identity;
  /** Digest of the result; null until it is computed. */
  digest: string | null = null;
  /** A promise until it is computed; null once it is no longer shared. */
  result: LiveResult | Promise<LiveResult> | null = null;

  constructor(key: string, identity: Identity, snapshotTs: bigint) {
    super();
    this.key = key;
    this.identity = identity;
    this.snapshotTs = snapshotTs;
  }

  /** A result that read the clock is valid only for a while, and not after the clock was set back. */
  get isFresh(): boolean {
    if (this.clockS === NEVER_S) return true;
    const ageS = Date.now() / MS_PER_S - this.clockS;
    return ageS >= 0 && ageS < CLOCK_RESULT_LIFE_S;
  }

  /** The run has not read the clock: its result does not age. */
  hasNotReadClock(): void {
    this.clockS = NEVER_S;
  }
}

/**
 * True when the client already holds this valid result, and asks only because it authenticated again, which
 * clients do at every start and whenever their token is about to expire.
 */
function isHeld(
  entry: Entry,
  query: LiveQuery,
  identity: Identity,
): entry is Entry & { readonly digest: string } {
  if (entry.isStale || entry.digest === null || entry.digest !== query.sentDigest) return false;
  return entry.isFresh && identityKey(entry.identity) === identityKey(identity);
}

/** One per server. `close` unsubscribes from commits; call it when no connection is left. */
export class QueryHub {
  private readonly runtime: Runtime;
  private readonly index = new SubscriptionIndex<Entry>();
  private readonly entries = new Map<string, Entry>();
  private shownCount = 0;
  private waiting = new Set<Subscriber>();
  private atTurnEnd: (() => void)[] = [];
  private isTurnScheduled = false;
  private turnStartMs = 0;
  /** Whether who was advanced last started the run of a query. */
  private hasStarted = false;
  /** Bytes that were read as they came since the last turn. */
  private readBytes = 0;
  private readonly stopListening: () => void;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
    this.stopListening = runtime.db.onDurable((commits) => {
      for (const entry of this.index.onCommits(commits)) this.invalidate(entry);
    });
  }

  close(): void {
    this.stopListening();
  }

  /** Number of live queries of all connections: for diagnostics and tests. */
  get liveCount(): number {
    return this.shownCount;
  }

  /** Schedules one call of `subscriber.advance()` in the next turn, or a later one (see the file comment). */
  requestTurn(subscriber: Subscriber): void {
    this.waiting.add(subscriber);
    this.scheduleTurn();
  }

  /** Runs a part of what `sender` asked for in a turn of its own, scheduled as by `requestTurn`. */
  inTurn<T>(sender: string, part: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      // Errors are passed to the caller through the promise.
      const advance = () => resolve((async () => await part())());
      this.requestTurn({ sender, advance, invalidated: () => undefined });
    });
  }

  /** Whether a message or body of this length may be read as it comes, whoever else waits. Otherwise: `inTurn`. */
  mayReadNow(bytes: number): boolean {
    if (bytes > LARGE_BYTES || this.readBytes >= TURN_MAX_BYTES) return false;
    this.readBytes += bytes;
    this.scheduleTurn();
    return true;
  }

  /** Calls `callback` once, after the next turn, so that everything sent until then can leave together. */
  afterTurn(callback: () => void): void {
    this.atTurnEnd.push(callback);
    this.scheduleTurn();
  }

  private scheduleTurn(): void {
    if (this.isTurnScheduled) return;
    this.isTurnScheduled = true;
    // Answers of durable mutations are sent in microtasks, so they precede the Transitions.
    setImmediate(() => {
      this.isTurnScheduled = false;
      this.readBytes = 0;
      const callbacks = this.atTurnEnd;
      this.atTurnEnd = [];
      const turn = inRounds(this.waiting);
      this.waiting.clear();
      this.turnStartMs = performance.now();
      this.advance(turn, 0, () => {
        for (const callback of callbacks) callback();
      });
    });
  }

  /** Whether whoever is computed in this turn may go on in it. */
  get hasTime(): boolean {
    return performance.now() - this.turnStartMs < TURN_SLICE_MS;
  }

  /** Advances one after the other; those for whom there is no time come first in the next turn. Then calls `done`. */
  private advance(turn: readonly Subscriber[], from: number, done: () => void): void {
    let at = from;
    for (; at < turn.length && (at === 0 || this.hasTime); at += 1) {
      this.hasStarted = false;
      turn[at]!.advance();
      if (this.hasStarted) return afterMicrotasks(() => this.advance(turn, at + 1, done));
    }
    if (at < turn.length) {
      this.waiting = new Set([...turn.slice(at), ...this.waiting]);
      this.scheduleTurn();
    }
    done();
  }

  /** Releases the result of a query that is no longer shown. */
  release(query: LiveQuery): void {
    const { entry } = query;
    if (entry === null) return;
    query.entry = null;
    this.shownCount -= 1;
    this.leave(query, entry);
  }

  private leave(query: LiveQuery, entry: Entry): void {
    if (entry.removeOwner(query)) this.drop(entry);
  }

  /**
   * The query's result on the newest durable snapshot: a valid shared one, one being computed on that
   * snapshot, or a new run. Called for all queries of a Transition in one turn, so that all see the same
   * snapshot; in later turns with the `snapshot` (an open query) of the first one. The body is empty when the
   * client already holds this result. {@link RUN_AGAIN} when a shared run turned out to depend on another
   * caller's identity.
   */
  fetch(
    query: LiveQuery,
    subscriber: Subscriber,
    caller: Caller,
    snapshot: Transaction | null = null,
  ): LiveResult | Promise<LiveResult | typeof RUN_AGAIN> {
    // Security: an administrator's runs can reach internal functions, so nobody else may share their results.
    const audience = caller.isAdmin ? "admin" : "client";
    const everyoneKey = `${audience}\n${query.path}\n${query.argsJson}\n${query.journal ?? ""}\n`;
    const personalKey = everyoneKey + identityKey(caller.identity);
    const snapshotTs = snapshot?.beginTs ?? this.runtime.db.durableTs;
    const known = this.entries.get(everyoneKey) ?? this.entries.get(personalKey);
    const usable = known !== undefined && this.isUsable(known, snapshotTs) ? known : null;
    const previous = query.entry;
    const mayHold = usable === null && previous !== null && !caller.isAdmin;
    if (mayHold && isHeld(previous, query, caller.identity)) {
      return { body: "", digest: previous.digest, journal: query.journal };
    }
    // Queries that did not read the identity the last time run once for everyone.
    const isForEveryone = previous !== null && !previous.isPersonal;
    const key = isForEveryone ? everyoneKey : personalKey;
    const entry = usable ?? this.start(query, caller, { key, everyoneKey, snapshot });
    this.attach(query, subscriber, entry);
    const { result } = entry;
    if (result === null) throw new Error("A result that nobody may ask for was asked for");
    if (!(result instanceof Promise)) return result;
    const wasForEveryone = entry.key === everyoneKey;
    const isOwnRun = usable === null;
    return result.then((computed) =>
      wasForEveryone && entry.isPersonal && !isOwnRun ? RUN_AGAIN : computed,
    );
  }

  private isUsable(entry: Entry, snapshotTs: bigint): boolean {
    if (entry.isStale) return false;
    if (entry.result instanceof Promise) return entry.snapshotTs === snapshotTs;
    return entry.isFresh && entry.snapshotTs <= snapshotTs;
  }

  private attach(query: LiveQuery, subscriber: Subscriber, entry: Entry): void {
    const before = query.entry;
    if (before === entry) return;
    if (before === null) this.shownCount += 1;
    else this.leave(query, before);
    query.entry = entry;
    query.subscriber = subscriber;
    entry.addOwner(query);
  }

  private start(
    query: LiveQuery,
    caller: Caller,
    as: { key: string; everyoneKey: string; snapshot: Transaction | null },
  ): Entry {
    const { key, everyoneKey, snapshot } = as;
    this.hasStarted = true;
    const txn = snapshot === null ? this.runtime.db.beginQuery() : snapshot.snapshotAtBegin();
    const request = caller.newRequest();
    const run = this.runtime.executeClientQuery(
      {
        path: query.path,
        args: JSON.parse(query.argsJson) as JSONValue,
        identity: caller.identity,
        request,
        mayCallInternal: caller.isAdmin,
      },
      txn,
      query.journal,
    );
    const entry = new Entry(key, caller.identity, txn.beginTs);
    const isAwaited = query.entry?.isShared === true;
    const ran = { requestId: request.requestId, everyoneKey, isAwaited, ...caller };
    entry.result = run.then((outcome) => this.complete(entry, outcome, ran));
    this.entries.set(key, entry);
    return entry;
  }

  private complete(
    entry: Entry,
    outcome: QueryOutcome,
    ran: Pick<Caller, "identity"> & {
      readonly requestId: string;
      readonly everyoneKey: string;
      /** Other queries that showed the previous result will ask for this one next. */
      readonly isAwaited: boolean;
    },
  ): LiveResult {
    entry.isPersonal = outcome.hasReadIdentity;
    if (!outcome.hasReadClock) entry.hasNotReadClock();
    const result = this.liveResult(outcome, ran.requestId);
    entry.digest = result.digest;
    entry.result = result;
    if (!outcome.hasReadIdentity) this.rename(entry, ran.everyoneKey);
    else {
      this.rename(entry, ran.everyoneKey + identityKey(ran.identity));
      if (!ran.isAwaited) this.afterTurn(() => this.unshare(entry));
    }
    if (!entry.isOwned) {
      this.drop(entry);
    } else {
      // A commit after the snapshot may already have touched it: then it is stale from the start.
      entry.places = this.index.add(outcome.readSet, outcome.snapshotTs, entry);
      if (entry.places === null) this.invalidate(entry);
    }
    return result;
  }

  /** A personal result is held by the page it is sent to, and hardly ever asked for later: it is not kept here. */
  private unshare(entry: Entry): void {
    if (entry.isShared) return;
    this.hide(entry);
    entry.result = null;
  }

  private rename(entry: Entry, key: string): void {
    if (key === entry.key) return;
    this.hide(entry);
    entry.key = key;
    // Replaces an entry that is too old for new subscribers.
    if (this.entries.get(key)?.isFresh !== true) this.entries.set(key, entry);
  }

  /** Makes the entry invisible to new queries. */
  private hide(entry: Entry): void {
    if (entry.key !== null && this.entries.get(entry.key) === entry) {
      this.entries.delete(entry.key);
    }
    entry.key = null;
  }

  private liveResult(outcome: QueryOutcome, requestId: string): LiveResult {
    const { isRedacting } = this.runtime.deployment.settings;
    const logLines = isRedacting ? [] : outcome.logLines;
    const { result, journal } = outcome;
    if ("json" in result) {
      const body = queryBody({ valueJson: result.json }, logLines, journal);
      return { body, digest: digestOf(body), journal };
    }
    const { failure } = result;
    const shown = {
      message: clientMessage(failure, requestId, isRedacting),
      ...(failure.data !== undefined && { data: failure.data }),
    };
    // The digest leaves out the request id, which differs between equal failures.
    const digest = digestOf(JSON.stringify([failure, logLines, journal]));
    return { body: queryBody(shown, logLines, journal), digest, journal };
  }

  private invalidate(entry: Entry): void {
    if (entry.isStale) return;
    entry.isStale = true;
    this.unlist(entry);
    entry.visitOwners((query) => query.subscriber?.invalidated(query));
  }

  private drop(entry: Entry): void {
    entry.isStale = true;
    this.unlist(entry);
  }

  private unlist(entry: Entry): void {
    this.hide(entry);
    if (entry.places !== null) this.index.remove(entry.places, entry);
    entry.places = null;
  }
}

/**
 * Most of a query runs in microtasks after it was started, and tells the time it takes only then. Ticks come when no
 * microtask is left, still in the same turn of the event loop.
 */
function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}

function digestOf(text: string): string {
  // A binary string, not base64: every open query holds one.
  return hash("sha1", text, "binary");
}
