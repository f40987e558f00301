/**
 * Runs functions: owns the executor lane, the transactions and their follow-up work.
 *
 * Long because every way of running a function, from outside and from within, meets in this one class. Not
 * here: the network protocols (sync, server), timers (scheduler, crons), module loading (modules).
 */
import { hash } from "node:crypto";
import type { JSONValue } from "convex/values";
import { ConflictError, UnknownOutcomeError } from "../db/errors.ts";
import type { Database, Transaction } from "../db/types.ts";
import type {
  ActionHost,
  Around,
  CallOutcome,
  InternalCall,
  OnBehalfOf,
} from "./actionSyscalls.ts";
import { invokeAction } from "./actions.ts";
import type { BlobInfo } from "./blobs.ts";
import {
  findFunction,
  findPublicFunction,
  type CallRecord,
  type Deployment,
} from "./deployment.ts";
import {
  BackendError,
  describeFailure,
  neverSettleIfUnknown,
  type FunctionFailure,
} from "./errors.ts";
import { newRequestId, seededRandom, type RequestInfo } from "./execution.ts";
import { IdleAnswers } from "./idleAnswers.ts";
import { NO_IDENTITY, personKey, sessionKey, type Identity } from "./identity.ts";
import { callArgs, invokeInScope } from "./invoke.ts";
import type { KeptArgs } from "./keptArgs.ts";
import { newLogSink } from "./logs.ts";
import type { FunctionSpec } from "./modules.ts";
import { MutationLane } from "./mutations.ts";
import { executeQuery, type QueryOutcome } from "./queries.ts";
import { closeScope, newScope, type TransactionScope } from "./scope.ts";
import { senderOf } from "./sender.ts";
import { SessionRequests, type ResendKey } from "./sessionRequests.ts";
import { readNewest } from "./tableReads.ts";

/** A call by a client, which names the function; it is looked up inside the call. */
export interface ClientCall {
  readonly path: string;
  readonly args: KeptArgs;
  readonly identity: Identity;
  readonly request: RequestInfo;
  /** Administrators may call internal functions. */
  readonly mayCallInternal: boolean;
  /** For mutations only. */
  readonly around?: Around;
}

type MutationOutcome = (
  { readonly json: string; readonly ts: bigint } | { readonly failure: FunctionFailure }
) & { readonly logLines: readonly string[] };

type ActionOutcome = CallOutcome & { readonly logLines: readonly string[] };

interface Committed {
  readonly json: string;
  readonly ts: bigint;
  readonly durable: Promise<void>;
  readonly scope: TransactionScope;
}

const failureIn = (outcome: CallOutcome | MutationOutcome): FunctionFailure | null =>
  "failure" in outcome ? outcome.failure : null;

/** Hash of session, function and arguments: only an identical request gets the recorded answer. */
function fingerprintOf(call: Pick<InternalCall, "identity" | "args">, resend: ResendKey): string {
  const asked = JSON.stringify([sessionKey(call.identity), resend.path, call.args]);
  return hash("sha256", asked, "base64");
}

/**
 * Waits until everything the transaction had seen is durable, then returns its error: the failure may have
 * been caused by a commit that no client has been told about. Returns the log's error instead when the log
 * refuses that commit.
 */
async function errorOnceSeenIsDurable(
  seen: Promise<void> | null,
  error: unknown,
): Promise<unknown> {
  try {
    await seen;
    return error;
  } catch (refusal) {
    return refusal;
  }
}

/** Request info of work that no client requested. */
export function internalRequest(scheduledFunctionId: string | null = null): RequestInfo {
  return {
    requestId: newRequestId(),
    ip: null,
    userAgent: null,
    authToken: null,
    scheduledFunctionId,
  };
}

/** One per backend. Client calls never reject: failures, and log lines, are in the outcome. */
export class Runtime implements ActionHost {
  readonly deployment: Deployment;
  private readonly lane = new MutationLane();
  private readonly requests = new SessionRequests();
  private readonly idleAnswers = new IdleAnswers();
  private readonly random = seededRandom();
  private readonly scheduleListeners: ((dueMs: number) => void)[] = [];
  private readonly running = new Set<Promise<unknown>>();

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  get db(): Database {
    return this.deployment.db;
  }

  /** Calls `listener` after each commit that scheduled functions, with the earliest due time in ms. */
  onScheduled(listener: (dueMs: number) => void): void {
    this.scheduleListeners.push(listener);
  }

  /** Runs a client's query on `txn` (closed afterwards). Never rejects. */
  executeClientQuery(
    call: ClientCall,
    txn: Transaction,
    journal: string | null,
  ): Promise<QueryOutcome> {
    const { requestId } = call.request;
    const work = this.tracked(
      executeQuery(this.deployment, txn, {
        findSpec: () =>
          findPublicFunction(this.deployment, call.path, "query", call.mayCallInternal),
        args: () => callArgs(call.args),
        identity: call.identity,
        request: call.request,
        logs: this.newLogs(requestId),
        journal,
        nowMs: Date.now(),
      }),
    );
    this.observe({ kind: "query", path: call.path, requestId }, work, ({ result }) =>
      "failure" in result ? result.failure : null,
    );
    return work;
  }

  /**
   * Runs a client's mutation. `committed` resolves once its outcome is decided in memory (the client's next
   * mutation may start), `outcome` once it is durable. Neither rejects.
   */
  startClientMutation(
    call: ClientCall,
    resend?: ResendKey,
  ): { committed: Promise<void>; outcome: Promise<MutationOutcome> } {
    const { requestId } = call.request;
    const logs = this.newLogs(requestId);
    const findSpec = () =>
      findPublicFunction(this.deployment, call.path, "mutation", call.mayCallInternal);
    let onCommitted = (): void => undefined;
    const committed = new Promise<void>((resolve) => (onCommitted = resolve));
    const outcome = this.mutate({ logs, ...call }, findSpec, resend, onCommitted);
    this.observe({ kind: "mutation", path: call.path, requestId }, outcome, failureIn);
    return { committed, outcome };
  }

  executeClientAction(call: ClientCall): Promise<ActionOutcome> {
    const { requestId } = call.request;
    const outcome = this.runClientAction(call);
    this.observe({ kind: "action", path: call.path, requestId }, outcome, failureIn);
    return outcome;
  }

  private async runClientAction(call: ClientCall): Promise<ActionOutcome> {
    const logs = this.newLogs(call.request.requestId);
    let outcome: CallOutcome;
    try {
      const spec = findPublicFunction(this.deployment, call.path, "action", call.mayCallInternal);
      outcome = await this.runAction({ spec, logs, ...call });
    } catch (error) {
      outcome = { failure: this.describe(error) };
    }
    return { logLines: logs.lines, ...outcome };
  }

  async runQuery(call: InternalCall): Promise<CallOutcome> {
    const outcome = await executeQuery(this.deployment, this.db.beginQuery(), {
      findSpec: () => call.spec,
      args: () => callArgs(call.args),
      identity: call.identity,
      request: call.request,
      logs: call.logs,
      journal: null,
      nowMs: Date.now(),
    });
    return outcome.result;
  }

  runMutation(call: InternalCall): Promise<MutationOutcome> {
    return this.mutate(call, () => call.spec);
  }

  runAction(call: InternalCall): Promise<CallOutcome> {
    return this.tracked(invokeAction(this, call));
  }

  /**
   * Runs any function by name with the backend's own authority: crons, start-up, gauges. A function that is missing
   * or refused is a failure like any other. `around` is for mutations only; other functions have no transaction of
   * their own.
   */
  async runInternal(path: string, args: JSONValue, around?: Around): Promise<CallOutcome> {
    let spec: FunctionSpec;
    try {
      spec = findFunction(this.deployment, path, ["query", "mutation", "action"]);
    } catch (error) {
      return { failure: this.describe(error) };
    }
    const call = {
      spec,
      args,
      identity: NO_IDENTITY,
      request: internalRequest(),
      logs: this.newLogs(),
      ...(around !== undefined && { around }),
    };
    switch (spec.kind) {
      case "query":
        return this.runQuery(call);
      case "mutation":
        return this.runMutation(call);
      case "action":
      case "http":
        return this.runAction(call);
    }
  }

  transact<T>(
    body: (scope: TransactionScope) => T,
    onBehalfOf: OnBehalfOf = { identity: NO_IDENTITY, request: internalRequest() },
  ): Promise<T> {
    return this.tracked(this.transactUntracked(body, onBehalfOf)).catch(neverSettleIfUnknown);
  }

  private async transactUntracked<T>(
    body: (scope: TransactionScope) => T,
    { identity, request }: OnBehalfOf,
  ): Promise<T> {
    let result: T | undefined;
    let seen: Promise<void> | null = null;
    try {
      const sender = senderOf(identity, request.ip);
      const committed = await this.lane.run(sender, () => {
        seen = this.db.durableSoFar();
        return this.attempt({ identity, request, logs: this.newLogs() }, async (scope) => {
          result = body(scope);
          return "null";
        });
      });
      await this.settle(committed);
      return result as T;
    } catch (error) {
      throw await errorOnceSeenIsDurable(seen, error);
    }
  }

  async storeBlob(blob: Blob, expectedSha256: string | null): Promise<string> {
    const { files } = this.deployment;
    const { uuid, info, contentType } = await files.keep(blob.stream(), blob.type, expectedSha256);
    return this.recordFile(uuid, info, contentType);
  }

  /** Records stored bytes as a file; removes the bytes when that fails. Returns the file's id. */
  async recordFile(uuid: string, info: BlobInfo, contentType: string | null): Promise<string> {
    const { files } = this.deployment;
    try {
      return await this.transact(({ txn }) => files.record(txn, uuid, info, contentType));
    } catch (error) {
      await files.discard(uuid);
      throw error;
    }
  }

  async readBlob(storageId: string): Promise<Blob | null> {
    const { files } = this.deployment;
    const file = readNewest(this.db, (txn) => files.byId(txn, storageId));
    const bytes = await files.bytesOf(file);
    return bytes && new Blob([bytes], { type: file?.contentType ?? "" });
  }

  /** Counts as a running function until the returned function is called. */
  beginWork(): () => void {
    let isOver = (): void => undefined;
    void this.tracked(new Promise<void>((resolve) => (isOver = resolve)));
    return isOver;
  }

  /** Resolves when nothing is running any more, at the latest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (this.running.size > 0 && performance.now() < deadlineMs) {
      // The timer also keeps the process alive, which a pending promise alone does not.
      const tick = new Promise((resolve) => setTimeout(resolve, Math.min(timeoutMs, 100)));
      await Promise.race([Promise.allSettled(this.running), tick]);
    }
  }

  /** Whether a mutation that begins now has to wait. */
  get isBusy(): boolean {
    return this.lane.queueLength > 0 || this.db.storeLag.isFull;
  }

  /** Number of queued mutations. */
  get waitingMutations(): number {
    return this.lane.queueLength;
  }

  newLogs(requestId?: string) {
    return newLogSink(this.deployment.settings.onLogLine, requestId);
  }

  /** Reports a call to the observer when it is over. */
  observe<T>(
    call: Pick<CallRecord, "kind" | "path" | "requestId">,
    work: Promise<T>,
    failureOf: (outcome: T) => FunctionFailure | null,
  ): void {
    const { onCall } = this.deployment.settings;
    if (onCall === undefined) return;
    const startedMs = performance.now();
    void work.then((outcome) => {
      const failure = failureOf(outcome);
      const durationMs = performance.now() - startedMs;
      onCall({
        durationMs,
        outcome: failure === null ? "ok" : failure.data === undefined ? "error" : "refused",
        failure: failure?.text ?? null,
        isMissing: failure?.isPublic === true,
        ...call,
      });
    });
  }

  describe(error: unknown): FunctionFailure {
    return describeFailure(error, this.deployment.modules.functionsDir);
  }

  private mutate(
    call: Omit<InternalCall, "spec">,
    findSpec: () => FunctionSpec,
    resend?: ResendKey,
    onCommitted?: () => void,
  ): Promise<MutationOutcome> {
    return this.tracked(this.mutateUntracked(call, findSpec, resend, onCommitted)).catch(
      neverSettleIfUnknown,
    );
  }

  private async mutateUntracked(
    call: Omit<InternalCall, "spec">,
    findSpec: () => FunctionSpec,
    resend?: ResendKey,
    onCommitted?: () => void,
  ): Promise<MutationOutcome> {
    // Keeps the lines that a calling action printed before this mutation; those of a failed attempt are
    // dropped.
    let linesBefore: number | null = null;
    let seen: Promise<void> | null = null;
    try {
      const room = this.db.room();
      if (room !== null) await room;
      const sender = senderOf(call.identity, call.request.ip);
      const running = this.lane.run(sender, () => {
        linesBefore ??= call.logs.lines.length;
        call.logs.lines.length = linesBefore;
        seen = this.db.durableSoFar();
        return this.attempt(
          call,
          (scope) => this.answerOnce(scope, call, findSpec, resend),
          resend,
        );
      });
      if (onCommitted !== undefined) running.then(onCommitted, onCommitted);
      const committed = await running;
      await this.settle(committed);
      return { json: committed.json, ts: committed.ts, logLines: call.logs.lines };
    } catch (error) {
      const reason = await errorOnceSeenIsDurable(seen, error);
      if (reason instanceof UnknownOutcomeError) throw reason;
      const done = resend === undefined ? null : await this.answerRefused(call, resend);
      return done ?? { failure: this.describe(reason), logLines: call.logs.lines };
    }
  }

  /**
   * While the database is read-only: the recorded answer of a resent request, otherwise null.
   * @throws UnknownOutcomeError when only the next start knows
   */
  private async answerRefused(
    call: Omit<InternalCall, "spec">,
    resend: ResendKey,
  ): Promise<MutationOutcome | null> {
    if (this.db.isReadOnly === null) return null;
    // The request may be in the group that is being flushed.
    await this.db.settled();
    if (this.db.unknownOutcome !== null) throw this.db.unknownOutcome;
    return readNewest(this.db, (txn) => {
      const json = this.requests.findAnswer(txn, resend, fingerprintOf(call, resend));
      return json === null ? null : { json, ts: txn.beginTs, logLines: call.logs.lines };
    });
  }

  /** Runs the mutation, unless the answer of a resent request is already recorded. */
  private async answerOnce(
    scope: TransactionScope,
    call: Omit<InternalCall, "spec">,
    findSpec: () => FunctionSpec,
    resend: ResendKey | undefined,
  ): Promise<string> {
    if (call.around !== undefined && !call.around.mayRun(scope.txn)) return "null";
    if (resend === undefined) {
      const json = await invokeInScope(this.deployment, scope, findSpec(), callArgs(call.args));
      call.around?.onSuccess?.(scope.txn, scope.nowMs);
      return json;
    }
    const fingerprint = fingerprintOf(call, resend);
    const earlier = this.requests.findAnswer(scope.txn, resend, fingerprint);
    if (earlier !== null) return earlier;
    const json = await invokeInScope(this.deployment, scope, findSpec(), callArgs(call.args));
    const isKept = scope.txn.hasWritten || this.idleAnswers.take(personKey(call.identity));
    if (isKept) this.requests.recordAnswer(scope.txn, resend, fingerprint, json);
    return json;
  }

  /** One attempt, in its own transaction. @throws ConflictError to be run again */
  private async attempt(
    call: Pick<InternalCall, "identity" | "request" | "logs">,
    body: (scope: TransactionScope) => Promise<string>,
    resend?: ResendKey,
  ): Promise<Committed> {
    const { isReadOnly, unknownOutcome } = this.db;
    if (isReadOnly !== null) throw unknownOutcome ?? new BackendError(isReadOnly);
    const nowMs = Date.now();
    const txn = this.db.beginMutation(nowMs);
    // Own properties first, here and on the whole path of a call: README, decision 32.
    const scope = newScope(txn, { nowMs, env: this.deployment.env, ...call });
    try {
      const json = await this.deployment.limits.transaction.within(body(scope));
      closeScope(scope);
      if (this.random() < this.deployment.settings.conflictProbability) throw new ConflictError();
      const { ts, durable } = this.db.commit(txn);
      if (resend !== undefined) this.requests.committed(resend);
      return { json, ts, durable, scope };
    } finally {
      closeScope(scope);
      txn.close();
    }
  }

  /** Waits until a commit is durable, then starts its follow-up work. */
  private async settle(committed: Committed): Promise<void> {
    await committed.durable;
    const { earliestScheduledMs, deletedFiles } = committed.scope.after;
    if (earliestScheduledMs !== null) {
      for (const listener of this.scheduleListeners) listener(earliestScheduledMs);
    }
    // Not awaited: answers must be sent before the Transitions.
    for (const uuid of deletedFiles) void this.deployment.files.discard(uuid);
  }

  private tracked<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const done = () => void this.running.delete(work);
    work.then(done, done);
    return work;
  }
}
