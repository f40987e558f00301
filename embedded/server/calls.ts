/**
 * Calls of functions by HTTP: what a body asks for, how it is run, what the answer says.
 *
 * Not here: routes and callers (api).
 */
import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import type { JSONValue } from "convex/values";
import type { Transaction } from "../db/types.ts";
import { clientMessage, type FunctionFailure } from "../runtime/errors.ts";
import { clientRequest, newRequestId, type RequestInfo } from "../runtime/execution.ts";
import { personKey, type Identity } from "../runtime/identity.ts";
import { keptArgs, keptChars, type KeptArgs } from "../runtime/keptArgs.ts";
import { canonicalPath } from "../runtime/modules.ts";
import type { ClientCall, Runtime } from "../runtime/runtime.ts";
import { isJsonObject, UnsafeJsonError } from "../runtime/safeJson.ts";
import { senderOf } from "../runtime/sender.ts";
import { ProtocolError, singleArgs } from "../sync/protocol.ts";
import { Budget } from "./budget.ts";
import { HttpError, header } from "./http.ts";
import { Turns } from "./turns.ts";
import { valueFormat, type ValueFormat } from "./valueFormat.ts";

export interface CallContext {
  readonly runtime: Runtime;
  /** For queries; see {@link newQueryTurns}. */
  readonly queryTurns: Turns;
  /** For batches; see {@link newBatchTurns}. */
  readonly batchTurns: Turns;
  /** For the arguments of calls that may wait; see {@link newArgsBudget}. */
  readonly argsBudget: Budget;
}

/** The results of a batch are in memory together. */
const BATCH_QUERIES_MAX = 100;
const BATCHES_WAITING_MAX = 16;
const QUERIES_AT_ONCE_MAX = 2;
const QUERIES_WAITING_MAX = 4_096;
/** Arguments of one sender's calls, as text: those of three of the largest. */
const SENDERS_ARGS_MAX_CHARS = 64 * 1024 * 1024;

/**
 * Of one person's queries, two run in one turn of the event loop: whoever sends hundreds on as many connections keeps
 * nobody else waiting.
 */
export const newQueryTurns = (): Turns => new Turns(QUERIES_AT_ONCE_MAX, QUERIES_WAITING_MAX);

/** One of each person's: the results of hundreds that take turns would fill the memory before one is complete. */
export const newBatchTurns = (): Turns => new Turns(1, BATCHES_WAITING_MAX);

/**
 * Mutations of strangers wait as long as it takes, also those whose clients have left. A character takes up to two
 * bytes, so that a quarter of the heap is the most.
 */
export const newArgsBudget = (): Budget =>
  new Budget(getHeapStatistics().heap_size_limit / 8, SENDERS_ARGS_MAX_CHARS);

type Outcome = ({ readonly json: string } | { readonly failure: FunctionFailure }) & {
  readonly logLines: readonly string[];
};

/** What functions may learn of a client's request. */
export function requestInfo(request: IncomingMessage, ip: string, identity: Identity): RequestInfo {
  const userAgent = header(request, "user-agent") ?? null;
  return clientRequest(newRequestId(), { ip, userAgent }, identity);
}

/** What reading a body threw, as a response. */
export function badRequest(error: unknown): unknown {
  if (error instanceof UnsafeJsonError || error instanceof ProtocolError) {
    return new HttpError(400, "BadJsonBody", error.message);
  }
  return error;
}

/** What a body asks for. @throws HttpError 400 */
export function clientCall(body: Record<string, JSONValue>, identity: Identity, info: RequestInfo) {
  if (typeof body.path !== "string") {
    throw new HttpError(400, "BadJsonBody", "path must be a string");
  }
  if (body.componentPath) throw new HttpError(400, "BadRequest", "components are not supported");
  try {
    return {
      path: body.path,
      args: singleArgs(body.args ?? {}),
      identity,
      request: info,
      mayCallInternal: identity.kind === "admin",
    };
  } catch (error) {
    throw badRequest(error);
  }
}

/**
 * Runs a query on the snapshot that `begin` opens, by default the newest. Nothing is run for whoever has left.
 * @throws HttpError 503 when too many of the person's queries wait already; whatever `begin` throws
 */
export async function runQuery(
  { runtime, queryTurns }: CallContext,
  call: ClientCall,
  begin: () => Transaction = () => runtime.db.beginQuery(),
): Promise<Outcome> {
  const person = personKey(call.identity);
  // All anonymous callers share one key, and one of them would keep the others waiting.
  const turn = person === "" ? null : await queryTurns.enter(person);
  try {
    const txn = begin();
    if (call.around?.mayRun(txn) === false) {
      txn.close();
      return { json: "null", logLines: [] };
    }
    const { result, logLines } = await runtime.executeClientQuery(call, txn, null);
    return { ...result, logLines };
  } finally {
    if (turn !== null) setImmediate(turn.leave);
  }
}

/** A call as it is to be kept until it begins. */
export function keptCall(
  { runtime, queryTurns }: CallContext,
  call: ReturnType<typeof clientCall>,
): ClientCall {
  const mayWait = runtime.isBusy || queryTurns.isTaken(personKey(call.identity));
  return mayWait ? { ...call, args: keptArgs(call.args) } : call;
}

/**
 * Runs one sender's calls, whose arguments use up budget until they are answered.
 * @throws HttpError 503 when the budget, or the sender's, is used up
 */
export async function withinBudget<T>(
  { argsBudget }: CallContext,
  { identity, ip }: { readonly identity: Identity; readonly ip: string | null },
  args: readonly KeptArgs[],
  run: () => Promise<T>,
): Promise<T> {
  const sender = senderOf(identity, ip) || null;
  const chars = args.reduce<number>((sum, kept) => sum + keptChars(kept), 0);
  // Short calls are served in any case.
  if (chars > 0 && !(argsBudget.hasRoom(chars) && argsBudget.allows(sender, chars))) {
    throw new HttpError(503, "Overloaded", "Too many calls wait. Try again.");
  }
  argsBudget.hold(sender, chars);
  try {
    return await run();
  } finally {
    argsBudget.hold(sender, -chars);
  }
}

/** Runs a function of whatever kind it is. */
export function runAny(context: CallContext, call: ClientCall): Promise<Outcome> {
  const { runtime } = context;
  switch (runtime.deployment.modules.functions.get(canonicalPath(call.path))?.kind) {
    case "mutation":
      return runtime.startClientMutation(call).outcome;
    case "action":
      return runtime.executeClientAction(call);
    default:
      return runQuery(context, call);
  }
}

/** The text of an answer. */
export function outcomeJson(
  runtime: Runtime,
  outcome: Outcome,
  requestId: string,
  format: ValueFormat,
): string {
  const { isRedacting } = runtime.deployment.settings;
  const logs =
    isRedacting || outcome.logLines.length === 0
      ? ""
      : `,"logLines":${JSON.stringify(outcome.logLines)}`;
  if ("json" in outcome) return `{"status":"success","value":${format(outcome.json)}${logs}}`;
  const message = JSON.stringify(clientMessage(outcome.failure, requestId, isRedacting));
  const { data } = outcome.failure;
  const errorData = data === undefined ? "" : `,"errorData":${format(JSON.stringify(data))}`;
  return `{"status":"error","errorMessage":${message}${errorData}${logs}}`;
}

type Runner = (context: CallContext, call: ClientCall) => Promise<Outcome>;

export const RUNNERS: Readonly<Record<string, Runner>> = {
  "/api/query": runQuery,
  "/api/mutation": ({ runtime }, call) => runtime.startClientMutation(call).outcome,
  "/api/action": ({ runtime }, call) => runtime.executeClientAction(call),
  "/api/function": runAny,
};

/**
 * Runs queries on one snapshot, each in a turn of its own: together they could stop the event loop for seconds.
 * @throws HttpError 400; 503 when too many of the person's batches wait already
 */
export function queryBatch(
  context: CallContext,
  body: Record<string, JSONValue>,
  caller: Required<Pick<ClientCall, "identity" | "around">> & { readonly info: RequestInfo },
): Promise<string> {
  const { identity, info, around } = caller;
  const { queries } = body;
  if (!Array.isArray(queries)) {
    throw new HttpError(400, "BadJsonBody", "queries must be an array");
  }
  if (queries.length > BATCH_QUERIES_MAX) {
    throw new HttpError(400, "BadJsonBody", `A batch holds at most ${BATCH_QUERIES_MAX} queries`);
  }
  const calls = queries.map((query) => {
    if (!isJsonObject(query)) throw new HttpError(400, "BadJsonBody", "queries must be objects");
    const call = clientCall(query, identity, info);
    const kept = { ...call, around, args: keptArgs(call.args) };
    return { call: kept, format: valueFormat(query.format) };
  });
  const args = calls.map(({ call }) => call.args);
  return withinBudget(context, { identity, ip: info.ip }, args, () =>
    runBatch(context, calls, identity, info.requestId),
  );
}

/** Gets nothing else of the batch: while it waits, that would be in memory, too. */
async function runBatch(
  context: CallContext,
  calls: readonly { readonly call: ClientCall; readonly format: ValueFormat }[],
  identity: Identity,
  requestId: string,
): Promise<string> {
  const { runtime } = context;
  const person = personKey(identity);
  const turn = person === "" ? null : await context.batchTurns.enter(person);
  try {
    const snapshot = runtime.db.beginQuery();
    try {
      const answers: string[] = [];
      for (const { call, format } of calls) {
        const outcome = await runQuery(context, call, () => snapshot.snapshotAtBegin());
        answers.push(outcomeJson(runtime, outcome, requestId, format));
        await nextTurn();
      }
      return `{"results":[${answers.join(",")}]}`;
    } finally {
      snapshot.close();
    }
  } finally {
    turn?.leave();
  }
}
