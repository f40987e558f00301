/**
 * Drives one sync connection: passes frames to the session, runs mutations in order and actions concurrently,
 * computes Transitions, applies backpressure for slow readers, closes with the right code.
 *
 * Long because the order of a connection's messages, answers and Transitions is decided in one place. Not
 * here: protocol rules (session, protocol), sockets (server/sockets).
 */
import type { Authenticator } from "../runtime/authenticator.ts";
import { clientMessage, type FunctionFailure } from "../runtime/errors.ts";
import { clientRequest, newRequestId, type RequestInfo } from "../runtime/execution.ts";
import { isExpired, NO_IDENTITY, type Identity } from "../runtime/identity.ts";
import { keptArgs } from "../runtime/keptArgs.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { UnsafeJsonError } from "../runtime/safeJson.ts";
import { senderOf } from "../runtime/sender.ts";
import { IssuerUnavailableError } from "../runtime/tokens.ts";
import { messageOf, traceOf } from "../storage/errorText.ts";
import { RUN_AGAIN, type Caller, type LiveResult, type QueryHub, type Subscriber } from "./hub.ts";
import {
  actionSucceeded,
  authError,
  callFailed,
  fatalError,
  mutationSucceeded,
  parseClientMessage,
  ProtocolError,
  queryModification,
  queryRemoved,
  transitionMessage,
  type ClientMessage,
  type Credentials,
} from "./protocol.ts";
import { Session, type LiveQuery, type TransitionPlan } from "./session.ts";

/** The part of the socket that the worker uses. */
export interface Transport {
  /** Largest incoming frame. */
  readonly frameMaxBytes: number;
  /** Queues a frame, to be sent at the end of the hub's turn or before the next `send`. */
  sendSoon(text: string): void;
  /** Sends a frame after the queued ones; `onSent` is called when it has left this process. */
  send(text: string, onSent?: () => void): void;
  close(code?: number, reason?: string): void;
}

/** Its errors' texts are those of AuthErrors for the client, except for an IssuerUnavailableError. */
export type CredentialCheck = Pick<Authenticator, "userFromToken" | "adminFromKey">;

/** Queued mutations per connection, as on the official backend. */
const QUEUED_MUTATIONS_MAX = 1000;
const CONCURRENT_ACTIONS_MAX = 256;
/** Messages of one connection queued behind an Authenticate. */
const QUEUED_MESSAGES_MAX = 4096;
/**
 * Limit for the results of one Transition, whose text is built in memory. The remaining queries are left to
 * the next one.
 */
const RESULTS_MAX_CHARS = 32 * 1024 * 1024;
/** Unsent Transitions to a slow reader before no more are computed. */
const UNSENT_TRANSITIONS_MAX = 2;

const TRY_AGAIN_LATER = 1013;
const INTERNAL_ERROR = 1011;

const RESTORED_TOLD_EVERY_MS = 60_000;
/** When each server last said so. Clients may claim to have seen anything, as often as they like: they must not fill its log. */
const restoredToldMs = new WeakMap<Runtime, number>();

/** Shared, because most connections have no mutation queued. */
const DONE = Promise.resolve();

type FetchedResult = LiveResult | typeof RUN_AGAIN;
type RunMessage = Extract<ClientMessage, { type: "Mutation" | "Action" }>;

/** How many of the first results one Transition takes: one at least. */
function fitting(results: readonly LiveResult[]): number {
  let chars = 0;
  const end = results.findIndex(({ body }) => (chars += body.length) > RESULTS_MAX_CHARS);
  return end < 0 ? results.length : Math.max(1, end);
}

/** One per socket. The socket calls `frame` for each text frame and `closed` at its end. Neither throws. */
export class SyncWorker implements Subscriber {
  private readonly runtime: Runtime;
  private readonly hub: QueryHub;
  private readonly authenticator: CredentialCheck;
  private readonly transport: Transport;
  private readonly client: Pick<RequestInfo, "ip" | "userAgent">;
  private readonly session: Session;
  /** Messages queued behind the one being processed; null when empty, the common case. */
  private inbox: string[] | null = null;
  /** Characters of the queued messages, and of those whose functions have not answered. */
  private pendingChars = 0;
  private isReading = false;
  private identity: Identity = NO_IDENTITY;
  /** Null until a Connect: a mutation sent before it cannot be sent again. */
  private sessionId: string | null = null;
  private clockSkewMs: number | null = null;
  private mutationTail = DONE;
  private queuedMutations = 0;
  private runningActions = 0;
  private unsentTransitions = 0;
  /** Characters of the results that a Transition under way has so far. */
  private computedChars = 0;
  private isComputing = false;
  private isTransitionWanted = false;
  private isClosed = false;

  constructor(
    runtime: Runtime,
    hub: QueryHub,
    authenticator: CredentialCheck,
    transport: Transport,
    client: Pick<RequestInfo, "ip" | "userAgent">,
  ) {
    this.runtime = runtime;
    this.hub = hub;
    this.authenticator = authenticator;
    this.transport = transport;
    // One message may open as many queries as all messages together.
    this.session = new Session(transport.frameMaxBytes);
    this.client = client;
  }

  /** Processes one text frame. A malformed one ends the connection. */
  frame(text: string): void {
    if (this.isClosed) return;
    this.pendingChars += text.length;
    if (!this.isReading) void this.read(text);
    else if (this.inbox === null) this.inbox = [text];
    else if (this.inbox.length < QUEUED_MESSAGES_MAX) this.inbox.push(text);
    else this.close(TRY_AGAIN_LATER, "TooManyMessages");
  }

  /**
   * The socket is closed: results no longer matter. What is queued is dropped, as on the official backend: clients
   * send it again on their next connection.
   */
  closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.inbox = null;
    for (const query of this.session.queries.values()) this.hub.release(query);
  }

  get sender(): string {
    return senderOf(this.identity, this.client.ip);
  }

  get keptBytes(): number {
    return this.session.keptBytes + this.computedChars + this.pendingChars;
  }

  invalidated(query: LiveQuery): void {
    query.isDirty = true;
    this.wantTransition();
  }

  advance(): void {
    if (this.isClosed || this.isComputing || !this.isTransitionWanted) return;
    if (this.unsentTransitions >= UNSENT_TRANSITIONS_MAX) return;
    this.isComputing = true;
    this.isTransitionWanted = false;
    try {
      const computing = this.transition();
      if (computing === null) this.transitionDone();
      else {
        computing.then(
          () => this.transitionDone(),
          (error: unknown) => this.transitionFailed(error),
        );
      }
    } catch (error) {
      this.transitionFailed(error);
    }
  }

  private transitionDone(): void {
    this.isComputing = false;
    if (this.isTransitionWanted) this.hub.requestTurn(this);
  }

  private transitionFailed(error: unknown): void {
    this.isComputing = false;
    this.fail(error);
  }

  private wantTransition(): void {
    this.isTransitionWanted = true;
    if (!this.isComputing) this.hub.requestTurn(this);
  }

  /** Processes messages in order. An Authenticate blocks those behind it until its token is verified. */
  private async read(first: string): Promise<void> {
    this.isReading = true;
    try {
      for (let text: string | null = first; text !== null; text = this.next()) {
        if (this.isClosed) break;
        const waiting = this.handle(parseClientMessage(text), text);
        if (waiting !== null) await waiting;
        this.pendingChars -= text.length;
      }
    } catch (error) {
      this.refuse(error);
    } finally {
      this.isReading = false;
    }
  }

  private next(): string | null {
    const text = this.inbox?.shift() ?? null;
    if (this.inbox?.length === 0) this.inbox = null;
    return text;
  }

  private handle(message: ClientMessage, text: string): Promise<void> | null {
    const order = this.session.receive(message);
    if (order === null) return null;
    switch (order.type) {
      case "connect":
        this.connect(order.message);
        return null;
      case "forget":
        for (const query of order.queries) this.hub.release(query);
        this.wantTransition();
        return null;
      case "authenticate":
        return this.authenticate(order.credentials);
      case "run":
        if (this.refuseExpired()) return null;
        if (order.message.type === "Mutation") this.queueMutation(order.message, text.length);
        else this.startAction(order.message, text.length);
        return null;
    }
  }

  private connect(message: Extract<ClientMessage, { type: "Connect" }>): void {
    this.sessionId = message.sessionId;
    if (message.clientTs !== null) this.clockSkewMs = message.clientTs - Date.now();
    if (message.maxObservedTs !== null && message.maxObservedTs > this.runtime.db.latestTs) {
      // The client has seen commits that this database does not have: it was wiped or restored.
      this.tellOfNewer();
      this.close(INTERNAL_ERROR, "ClientObservedNewerTimestamp");
    }
  }

  private tellOfNewer(): void {
    const nowMs = performance.now();
    const toldMs = restoredToldMs.get(this.runtime) ?? -Infinity;
    if (nowMs - toldMs < RESTORED_TOLD_EVERY_MS) return;
    restoredToldMs.set(this.runtime, nowMs);
    this.runtime.deployment.settings.onLogLine?.(
      "A client has seen newer data than this database holds (was it restored or wiped?): " +
        "refused, the page must be reloaded.",
    );
  }

  private async authenticate(credentials: Credentials): Promise<void> {
    try {
      switch (credentials.tokenType) {
        case "None":
          this.identity = NO_IDENTITY;
          break;
        case "User":
          this.identity = await this.authenticator.userFromToken(credentials.value);
          break;
        case "Admin":
          this.identity = this.authenticator.adminFromKey(credentials.value, credentials.actingAs);
          break;
      }
    } catch (error) {
      // After an AuthError the client would end up signing its user out; after a plain close it reconnects
      // with the same token.
      if (error instanceof IssuerUnavailableError) return this.close(TRY_AGAIN_LATER, error.code);
      this.sendAuthError(messageOf(error), true);
      return;
    }
    this.session.identityAccepted(this.identity.kind !== "none");
    this.wantTransition();
  }

  private refuseExpired(): boolean {
    if (!isExpired(this.identity, Date.now())) return false;
    this.sendAuthError("Convex token identity expired", false);
    return true;
  }

  private sendAuthError(text: string, isAuthUpdate: boolean): void {
    this.transport.send(authError(text, this.session.sentIdentityVersion, isAuthUpdate));
    this.close();
  }

  private call(message: Omit<RunMessage, "args">) {
    const identity = this.identity;
    return {
      path: message.udfPath,
      identity,
      request: this.newRequest(),
      mayCallInternal: identity.kind === "admin",
    };
  }

  private newRequest(): RequestInfo {
    return clientRequest(newRequestId(), this.client, this.identity);
  }

  /** Mutations of one connection run in order, each after the one before is committed. */
  private queueMutation(message: RunMessage, chars: number): void {
    if (this.queuedMutations >= QUEUED_MUTATIONS_MAX) {
      this.close(TRY_AGAIN_LATER, "TooManyConcurrentMutations");
      return;
    }
    const { args, ...said } = message;
    const hasToWait = this.queuedMutations > 0 || this.runtime.isBusy;
    this.queuedMutations += 1;
    this.pendingChars += chars;
    const call = { ...this.call(said), args: hasToWait ? keptArgs(args) : args };
    const { sessionId } = this;
    const resend =
      sessionId === null ? undefined : { sessionId, requestId: said.requestId, path: said.udfPath };
    this.mutationTail = this.mutationTail.then(async () => {
      if (this.isClosed) return;
      const { committed, outcome } = this.runtime.startClientMutation(call, resend);
      void outcome.then((result) => {
        this.queuedMutations -= 1;
        this.pendingChars -= chars;
        const logLines = this.visibleLogs(result.logLines);
        this.answer(
          "json" in result
            ? mutationSucceeded(said.requestId, result.json, result.ts, logLines)
            : this.failureText(said, result.failure, call.request.requestId, logLines),
        );
      });
      await committed;
    });
  }

  private startAction(message: RunMessage, chars: number): void {
    if (this.runningActions >= CONCURRENT_ACTIONS_MAX) {
      this.close(TRY_AGAIN_LATER, "TooManyConcurrentActions");
      return;
    }
    this.runningActions += 1;
    this.pendingChars += chars;
    const call = { ...this.call(message), args: message.args };
    void this.runtime.executeClientAction(call).then((result) => {
      this.runningActions -= 1;
      this.pendingChars -= chars;
      const logLines = this.visibleLogs(result.logLines);
      this.answer(
        "json" in result
          ? actionSucceeded(message.requestId, result.json, logLines)
          : this.failureText(message, result.failure, call.request.requestId, logLines),
      );
    });
  }

  private visibleLogs(logLines: readonly string[]): readonly string[] {
    return this.runtime.deployment.settings.isRedacting ? [] : logLines;
  }

  private failureText(
    message: Omit<RunMessage, "args">,
    failure: FunctionFailure,
    requestId: string,
    logLines: readonly string[],
  ): string {
    const { isRedacting } = this.runtime.deployment.settings;
    const text = clientMessage(failure, requestId, isRedacting);
    const data = failure.data === undefined ? {} : { data: failure.data };
    return callFailed(message.type, message.requestId, { message: text, ...data }, logLines);
  }

  /**
   * Computes and sends one Transition, with all results at one snapshot. Returns null when it is sent
   * already.
   */
  private transition(): Promise<void> | null {
    if (this.refuseExpired()) return null;
    const plan = this.session.plan();
    const ts = this.runtime.db.durableTs;
    const caller = {
      identity: this.identity,
      isAdmin: this.identity.kind === "admin",
      newRequest: () => this.newRequest(),
    };
    const results: FetchedResult[] = [];
    for (const query of plan.dirty) {
      const result = this.hub.fetch(query, this, caller);
      if (result instanceof Promise) {
        return this.transitionInTurns(plan, ts, caller, results, result);
      }
      results.push(result);
    }
    this.deliver(plan, results, ts);
    return null;
  }

  /**
   * A Transition with queries that have to run, one after the other: how long one takes, and how much it returns, is
   * known at its end only. They run in as many turns as they need, on one snapshot.
   * @param results of the first queries
   * @param running that of the next one
   */
  private async transitionInTurns(
    plan: TransitionPlan,
    ts: bigint,
    caller: Caller,
    results: FetchedResult[],
    running: FetchedResult | Promise<FetchedResult>,
  ): Promise<void> {
    const { dirty } = plan;
    const isLast = results.length + 1 === dirty.length;
    const snapshot = isLast ? null : this.runtime.db.beginQuery();
    try {
      for (;;) {
        const result = await running;
        results.push(result);
        this.computedChars += result === RUN_AGAIN ? 0 : result.body.length;
        const query = dirty[results.length];
        if (query === undefined || this.isClosed || this.computedChars >= RESULTS_MAX_CHARS) break;
        const fetchNext = () => this.hub.fetch(query, this, caller, snapshot);
        running = this.hub.hasTime ? fetchNext() : this.hub.inTurn(this.sender, fetchNext);
      }
    } finally {
      snapshot?.close();
      this.computedChars = 0;
    }
    this.deliver(plan, results, ts);
  }

  /** @param results of the first queries of the plan, in their order */
  private deliver(plan: TransitionPlan, results: readonly FetchedResult[], ts: bigint): void {
    const fetched = plan.dirty.slice(0, results.length);
    if (this.isClosed) return this.forgetAll(fetched);
    this.forgetRemoved(fetched);
    if (!results.every((result) => result !== RUN_AGAIN)) {
      this.session.abandon(plan);
      this.isTransitionWanted = true;
      return;
    }
    const count = fitting(results);
    if (count < plan.dirty.length) {
      this.session.postpone(plan, count);
      this.isTransitionWanted = true;
    }
    this.sendTransition(plan, results.slice(0, count), ts);
  }

  /** The connection closed while its queries were computed, so they were attached after the release. */
  private forgetAll(queries: readonly LiveQuery[]): void {
    for (const query of queries) this.hub.release(query);
  }

  /** The same for queries removed meanwhile; the next Transition confirms the removals. */
  private forgetRemoved(queries: readonly LiveQuery[]): void {
    for (const query of queries) {
      if (this.session.queries.get(query.queryId) !== query) this.hub.release(query);
    }
  }

  private sendTransition(plan: TransitionPlan, results: readonly LiveResult[], ts: bigint): void {
    const modifications = plan.removedIds.map(queryRemoved);
    results.forEach((result, i) => {
      const query = plan.dirty[i];
      if (query === undefined) return;
      query.journal = result.journal;
      if (query.sentDigest === result.digest) return;
      query.sentDigest = result.digest;
      modifications.push(queryModification(query.queryId, result.body));
    });
    const end = this.session.finish(plan, ts);
    this.unsentTransitions += 1;
    this.send(transitionMessage(plan.start, end, modifications, this.clockSkewMs), () => {
      this.unsentTransitions -= 1;
      if (this.isTransitionWanted && !this.isComputing) this.hub.requestTurn(this);
    });
  }

  /** The client waits for a Transition at or after its commit, even an empty one: both are sent together. */
  private answer(text: string): void {
    if (!this.isClosed) this.transport.sendSoon(text);
    this.wantTransition();
  }

  private send(text: string, onSent?: () => void): void {
    if (!this.isClosed) this.transport.send(text, onSent);
  }

  private refuse(error: unknown): void {
    if (error instanceof ProtocolError || error instanceof UnsafeJsonError) {
      this.send(fatalError(error.message));
      this.close();
    } else {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const text = traceOf(error);
    this.runtime.deployment.settings.onLogLine?.(`Connection failed: ${text}`);
    this.close(INTERNAL_ERROR, "InternalServerError");
  }

  private close(code?: number, reason?: string): void {
    if (this.isClosed) return;
    this.closed();
    this.transport.close(code, reason);
  }
}
