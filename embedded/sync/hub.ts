/**
 * Live query results, shared between connections: identical queries run once per snapshot, a commit
 * invalidates exactly the results whose read set it touches, and the connections it concerns compute their
 * Transitions in one turn of the event loop, or in the next when one of them runs what others show as well, or
 * when the turn has become long.
 *
 * Not here: the state of a connection (session), its socket (worker).
 *
 * Long because running, invalidating and handing out a result share one entry and one turn.
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
import type { LiveQuery } from "./session.ts";

/** A result that read the clock is not handed to new subscribers after this long. */
const CLOCK_RESULT_LIFE_S = 5;
const MS_PER_S = 1000;
/** Then calls of others get their turn, before the remaining connections do. */
const TURN_SLICE_MS = 8;

/** What connections tell the hub about themselves. */
export interface Subscriber {
  /** A result of this query is out of date; a Transition will be asked for. */
  invalidated(query: LiveQuery): void;
  /** Time to compute a Transition. */
  advance(): void;
}

/** Who asks for a result. */
export interface Caller {
  readonly identity: Identity;
  readonly isAdmin: boolean;
  /** For a run of its own: most results are there already. */
  newRequest(): RequestInfo;
}

/** A query's result as Transitions carry it. */
export interface LiveResult {
  readonly body: string;
  /** Equal for equal results: such are not sent again. */
  readonly digest: string;
  readonly journal: string | null;
}

/** The same query was run for everyone, but its result turned out to depend on who asks. */
export const RUN_AGAIN = Symbol("run again");

/** A second after all others: a number that is no object of its own, as milliseconds would be. */
const NEVER_S = 2 ** 31 - 1;

/** One run of a query, and the queries of connections that show its result. */
export class Entry extends Owned<LiveQuery> {
  /** Under which others may find it; null once nobody may. */
  key: string | null;
  readonly snapshotTs: bigint;
  /** When the clock stood still for it; never, once it has not looked at the clock. */
  private clockS = Math.floor(Date.now() / MS_PER_S);
  /** Where it is registered, once it is. */
  places: readonly Place<Entry>[] | null = null;
  isStale = false;
  isPersonal = false;
  /** For whom it was run. */
  readonly identity: Identity;
  /** Of the result, once it is computed. */
  digest: string | null = null;
  /** A promise until it is computed; null once nobody may ask for it any more. */
  result: LiveResult | Promise<LiveResult> | null = null;

  constructor(key: string, identity: Identity, snapshotTs: bigint) {
    super();
    this.key = key;
    this.identity = identity;
    this.snapshotTs = snapshotTs;
  }

  /** A result that read the clock is as good as a new one only for a while, and not once the clock was set back. */
  get isFresh(): boolean {
    if (this.clockS === NEVER_S) return true;
    const ageS = Date.now() / MS_PER_S - this.clockS;
    return ageS >= 0 && ageS < CLOCK_RESULT_LIFE_S;
  }

  /** It is the same at any time. */
  hasNotReadClock(): void {
    this.clockS = NEVER_S;
  }
}

/**
 * True when the client holds this valid result already, and only asks again because it authenticated
 * again: clients do so at every start and whenever their token ends.
 */
function isHeld(
  entry: Entry,
  query: LiveQuery,
  identity: Identity,
): entry is Entry & { readonly digest: string } {
  if (entry.isStale || entry.digest === null || entry.digest !== query.sentDigest) return false;
  return entry.isFresh && identityKey(entry.identity) === identityKey(identity);
}

/** One per server. `close` ends its listening to commits, once no connection is left to tell. */
export class QueryHub {
  private readonly runtime: Runtime;
  private readonly index = new SubscriptionIndex<Entry>();
  private readonly entries = new Map<string, Entry>();
  private shownCount = 0;
  private readonly waiting = new Set<Subscriber>();
  private atTurnEnd: (() => void)[] = [];
  private isTurnScheduled = false;
  /** A result that others show as well is being computed: in the next turn they have it without waiting. */
  private isAwaited = false;
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

  /** Queries of all connections that show a result, shared ones each time: for diagnostics and tests. */
  get liveCount(): number {
    return this.shownCount;
  }

  /** Asks for `subscriber.advance()` once: in the next turn, or in the one behind it (see the head). */
  requestTurn(subscriber: Subscriber): void {
    this.waiting.add(subscriber);
    this.scheduleTurn();
  }

  /** Does a part of a Transition that takes long, in a turn as `requestTurn` has it. */
  inTurn<T>(part: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      // What it throws, too, goes to who asked.
      const advance = () => resolve((async () => await part())());
      this.requestTurn({ advance, invalidated: () => undefined });
    });
  }

  /** Calls back once, after the next turn: what is sent until then may leave together. */
  afterTurn(callback: () => void): void {
    this.atTurnEnd.push(callback);
    this.scheduleTurn();
  }

  private scheduleTurn(): void {
    if (this.isTurnScheduled) return;
    this.isTurnScheduled = true;
    // Answers of durable mutations leave in microtasks, so they come before the Transitions.
    setImmediate(() => {
      this.isTurnScheduled = false;
      const callbacks = this.atTurnEnd;
      this.atTurnEnd = [];
      this.advanceWaiting();
      for (const callback of callbacks) callback();
    });
  }

  private advanceWaiting(): void {
    const turn = [...this.waiting];
    this.waiting.clear();
    // One such wait, however many results are shared: all others are computed in the next turn.
    const mayWait = !this.isAwaited;
    this.isAwaited = false;
    const startMs = performance.now();
    for (const [at, subscriber] of turn.entries()) {
      subscriber.advance();
      const hasToWait = this.isAwaited && mayWait;
      if (!hasToWait && performance.now() - startMs < TURN_SLICE_MS) continue;
      for (const later of turn.slice(at + 1)) this.requestTurn(later);
      return;
    }
    this.isAwaited = false;
  }

  /** Forgets a query nobody shows any more. */
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
   * The query's result on the newest durable snapshot: a shared one that is still valid, one being
   * computed on that snapshot, or a new run started now. Called for all queries of a Transition in one
   * turn, so that all see the same snapshot, or with the `snapshot` (an open query) of its first turn. The body
   * is empty when the client holds this result already; {@link RUN_AGAIN} when a run that was shared turned out
   * to be somebody else's own.
   */
  fetch(
    query: LiveQuery,
    subscriber: Subscriber,
    caller: Caller,
    snapshot: Transaction | null = null,
  ): LiveResult | Promise<LiveResult | typeof RUN_AGAIN> {
    // An administrator's own runs also reach internal functions: nobody else may share their results.
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
    // Queries that did not ask who is there the last time run once for everyone.
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
    if (isAwaited) this.isAwaited = true;
    const ran = { requestId: request.requestId, everyoneKey, isAwaited, ...caller };
    entry.result = run.then((outcome) => this.complete(entry, outcome, ran));
    this.entries.set(key, entry);
    return entry;
  }

  private complete(
    entry: Entry,
    outcome: QueryOutcome,
    ran: Pick<Caller, "identity" | "isAdmin"> & {
      readonly requestId: string;
      readonly everyoneKey: string;
      /** Others who showed the result before this one come for it next. */
      readonly isAwaited: boolean;
    },
  ): LiveResult {
    entry.isPersonal = outcome.hasReadIdentity;
    if (!outcome.hasReadClock) entry.hasNotReadClock();
    const result = this.liveResult(outcome, ran.requestId);
    // Without one it is not held for whoever the connection belongs to next.
    entry.digest = ran.isAdmin ? null : result.digest;
    if (!outcome.hasReadIdentity) {
      this.rename(entry, ran.everyoneKey);
      entry.result = result;
    } else if (entry.isShared || ran.isAwaited) {
      this.rename(entry, ran.everyoneKey + identityKey(ran.identity));
      entry.result = result;
    } else {
      // A person's own result is held by the screen it goes to, and asked for by hardly anybody else.
      this.hide(entry);
      entry.result = null;
    }
    if (!entry.isOwned) {
      this.drop(entry);
    } else {
      // A commit since the snapshot may already have hit it: then it is stale from the start.
      entry.places = this.index.add(outcome.readSet, outcome.snapshotTs, entry);
      if (entry.places === null) this.invalidate(entry);
    }
    return result;
  }

  private rename(entry: Entry, key: string): void {
    if (key === entry.key) return;
    this.hide(entry);
    entry.key = key;
    // One that is too old to be shown to new subscribers would keep this one from them.
    if (this.entries.get(key)?.isFresh !== true) this.entries.set(key, entry);
  }

  /** Nobody new finds this entry. */
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
    // Request ids differ between equal failures: they are no reason to send one again.
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

function digestOf(text: string): string {
  // As it is, not as base64: every open query holds one.
  return hash("sha1", text, "binary");
}
