/**
 * The public HTTP API of functions: `/api/query`, `/api/mutation`, `/api/action`, `/api/function`,
 * `/api/run/…` and the timestamped variants.
 *
 * Not here: how a call is run (calls), storage routes (storageRoutes), user routes (userRoutes), administration (adminApi).
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JSONValue } from "convex/values";
import type { Transaction } from "../db/types.ts";
import type { Authenticator } from "../runtime/authenticator.ts";
import type { RequestInfo } from "../runtime/execution.ts";
import type { Identity } from "../runtime/identity.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { isJsonObject, parseSafeJson, UnsafeJsonError } from "../runtime/safeJson.ts";
import { senderOf, siteOf } from "../runtime/sender.ts";
import { IssuerUnavailableError, TokenError } from "../runtime/tokens.ts";
import type { QueryHub } from "../sync/hub.ts";
import { decodeTs, encodeTs } from "../sync/protocol.ts";
import { BodyRoom } from "./bodyRoom.ts";
import {
  badRequest,
  clientCall,
  keptCall,
  newArgsBudget,
  newBatchTurns,
  newQueryTurns,
  outcomeJson,
  queryBatch,
  requestInfo,
  runAny,
  RUNNERS,
  runQuery,
  withinBudget,
  type CallContext,
} from "./calls.ts";
import { HttpError, header, sendJson } from "./http.ts";
import { valueFormat } from "./valueFormat.ts";

export interface ApiContext extends CallContext {
  readonly authenticator: Authenticator;
  readonly bodyMaxBytes: number;
  readonly bodies: BodyRoom;
  /** Bodies take turns with the messages of connections. */
  readonly hub: QueryHub;
}

/** Limit for all call bodies in memory at the same time. */
const BODIES_MAX_BYTES = 256 * 1024 * 1024;
/** Limit for those of one address: more than any page needs, and room for three of the largest. */
const SENDERS_BODIES_MAX_BYTES = 64 * 1024 * 1024;

/** What limits the calls of one server. */
export const newCallLimits = () => ({
  bodies: new BodyRoom(BODIES_MAX_BYTES, SENDERS_BODIES_MAX_BYTES),
  queryTurns: newQueryTurns(),
  batchTurns: newBatchTurns(),
  argsBudget: newArgsBudget(),
});

/** The caller's identity. @throws HttpError 401, 503. */
async function authenticate(
  authenticator: Authenticator,
  request: IncomingMessage,
): Promise<Identity> {
  try {
    return await authenticator.fromHeader(header(request, "authorization"));
  } catch (error) {
    if (error instanceof TokenError) {
      const status = error instanceof IssuerUnavailableError ? 503 : 401;
      throw new HttpError(status, error.code, error.message);
    }
    throw error;
  }
}

/** Requires the deployment's admin key. @throws HttpError 401, 403, 503 */
export async function requireAdminKey(
  authenticator: Authenticator,
  request: IncomingMessage,
): Promise<void> {
  const identity = await authenticate(authenticator, request);
  if (identity.kind !== "admin") {
    throw new HttpError(403, "BadDeployKey", "This route needs the deployment's admin key");
  }
}

/** @throws UnsafeJsonError */
function parseBody(body: Buffer): Record<string, JSONValue> {
  // Otherwise `toString` would replace what is not, and the replacement would be stored.
  if (!isUtf8(body)) throw new UnsafeJsonError("The body must be UTF-8");
  const value = parseSafeJson(body.toString());
  if (!isJsonObject(value)) throw new UnsafeJsonError("The body must be a JSON object");
  return value;
}

/** Who sends a body, as far as it is known. */
type Sending = { readonly identity: Identity; readonly ip: string };

/**
 * Reads a JSON body, in its sender's turn.
 * @throws HttpError 415, 413, 400; 503 while other bodies, or those of the same address, use up the budget
 */
export async function jsonBody(
  { bodies, bodyMaxBytes, hub }: ApiContext,
  request: IncomingMessage,
  { identity, ip }: Sending,
): Promise<Record<string, JSONValue>> {
  const contentType = header(request, "content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new HttpError(415, "UnsupportedMediaType", "POST wants Content-Type: application/json");
  }
  const { body, release } = await bodies.read(request, bodyMaxBytes, siteOf(ip));
  try {
    if (hub.mayReadNow(body.length)) return parseBody(body);
    return await hub.inTurn(senderOf(identity, ip), () => parseBody(body));
  } catch (error) {
    throw badRequest(error);
  } finally {
    release();
  }
}

/** What a body asks for. @throws HttpError 400 */
function asked(
  context: ApiContext,
  body: Record<string, JSONValue>,
  identity: Identity,
  info: RequestInfo,
) {
  const { format, ts } = body;
  const call = keptCall(context, clientCall(body, identity, info));
  return { call, format: valueFormat(format), ts: typeof ts === "string" ? ts : "" };
}

/** Whoever has left while a call waited would not learn what became of it. */
const whileConnected = (request: IncomingMessage) => ({
  mayRun: () => !request.socket.destroyed,
});

/** Only the newest snapshot can be queried: older ones are gone after the next write. @throws HttpError 400 */
function newestAt(runtime: Runtime, ts: string): Transaction {
  let wanted: bigint;
  try {
    wanted = decodeTs(ts);
  } catch (error) {
    throw badRequest(error);
  }
  if (wanted !== runtime.db.durableTs) {
    throw new HttpError(400, "SnapshotExpired", "This timestamp is no longer available");
  }
  return runtime.db.beginQuery();
}

/**
 * Serves a POST under `/api/`. Returns false when the path is not part of this API.
 *
 * @throws HttpError
 */
export async function servePost(
  context: ApiContext,
  request: IncomingMessage,
  response: ServerResponse,
  target: { pathname: string; ip: string },
): Promise<boolean> {
  const { runtime } = context;
  const { pathname } = target;
  const run = RUNNERS[pathname];
  const isOther =
    ["/api/query_ts", "/api/query_at_ts", "/api/query_batch"].includes(pathname) ||
    pathname.startsWith("/api/run/");
  if (run === undefined && !isOther) return false;
  if (pathname === "/api/query_ts") {
    sendJson(response, 200, JSON.stringify({ ts: encodeTs(runtime.db.durableTs) }));
    return true;
  }
  const identity = await authenticate(context.authenticator, request);
  const info = requestInfo(request, target.ip, identity);
  const around = whileConnected(request);
  // No variable has the body: it would be in memory, parsed, while the call waits.
  const body = () => jsonBody(context, request, { identity, ip: target.ip });
  if (pathname === "/api/query_batch") {
    sendJson(response, 200, await queryBatch(context, await body(), { identity, info, around }));
    return true;
  }
  const named = pathname.startsWith("/api/run/") && { path: runPath(pathname) };
  const { call, format, ts } = asked(context, { ...(await body()), ...named }, identity, info);
  const awaited = { ...call, around };
  const outcome = await withinBudget(context, { identity, ip: target.ip }, [call.args], () =>
    pathname === "/api/query_at_ts"
      ? runQuery(context, awaited, () => newestAt(runtime, ts))
      : (run ?? runAny)(context, awaited),
  );
  sendJson(response, 200, outcomeJson(runtime, outcome, info.requestId, format));
  return true;
}

/**
 * Serves `GET /api/query?path=…&args=…`: the arguments are the JSON text of an object, or of an array with
 * one object.
 *
 * @throws HttpError
 */
export async function serveQueryGet(
  context: ApiContext,
  request: IncomingMessage,
  response: ServerResponse,
  target: { url: URL; ip: string },
): Promise<void> {
  const { runtime } = context;
  const { searchParams } = target.url;
  const identity = await authenticate(context.authenticator, request);
  const info = requestInfo(request, target.ip, identity);
  const call = queryIn(context, searchParams, identity, info);
  const format = valueFormat(searchParams.get("format"));
  const awaited = { ...call, around: whileConnected(request) };
  const outcome = await withinBudget(context, { identity, ip: target.ip }, [call.args], () =>
    runQuery(context, awaited),
  );
  sendJson(response, 200, outcomeJson(runtime, outcome, info.requestId, format));
}

/** @throws HttpError 400 */
function queryIn(
  context: ApiContext,
  searchParams: URLSearchParams,
  identity: Identity,
  info: RequestInfo,
) {
  try {
    const args = parseSafeJson(searchParams.get("args") ?? "{}");
    const call = clientCall({ path: searchParams.get("path"), args }, identity, info);
    return keptCall(context, call);
  } catch (error) {
    throw badRequest(error);
  }
}

/** `/api/run/dir/mod/fn` names `dir/mod:fn`. @throws HttpError 400. */
function runPath(pathname: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname.slice("/api/run/".length));
  } catch {
    throw new HttpError(400, "BadRequest", "Malformed address");
  }
  const parts = decoded.split("/");
  const name = parts.pop() ?? "";
  if (name.includes(":")) return [...parts, name].join("/");
  if (parts.length > 0) return `${parts.join("/")}:${name}`;
  const message = "Path or function name not provided in path, e.g. /api/run/messages/list";
  throw new HttpError(400, "MissingIdentifier", message);
}
