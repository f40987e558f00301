/** Requests for HTTP actions: converts Node's request to a web Request and the web Response back. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Authenticator } from "../runtime/authenticator.ts";
import { handleHttpAction, hasHttpRoute } from "../runtime/httpActions.ts";
import { personKey, type Identity } from "../runtime/identity.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { messageOf } from "../storage/errorText.ts";
import { BodyRoom } from "./bodyRoom.ts";
import { HttpError, header } from "./http.ts";
import { Turns } from "./turns.ts";

/** 20 MiB, the official limit of HTTP action bodies. */
const BODY_MAX_BYTES = 20 * 1024 * 1024;
/** Limit for all bodies in memory at the same time. */
const BODIES_MAX_BYTES = 256 * 1024 * 1024;
/** Limit for those of one person, and of all anonymous callers together: more than one of the largest. */
const SENDERS_BODIES_MAX_BYTES = 32 * 1024 * 1024;
/** Methods that the web's Request does not allow. */
const UNKNOWN_TO_ACTIONS = new Set(["CONNECT", "TRACE", "TRACK"]);
const BODYLESS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The budget for bodies of a server's HTTP actions. */
export const newBodyRoom = (): BodyRoom => new BodyRoom(BODIES_MAX_BYTES, SENDERS_BODIES_MAX_BYTES);

/** As many answers at once as a browser asks one host for. */
const ANSWERS_AT_ONCE_MAX = 6;
const REQUESTS_WAITING_MAX = 256;

/**
 * The turns of a server's HTTP actions. A stored file is in memory as long as it is being sent: who asked for
 * hundreds and read none would fill it.
 */
export const newActionTurns = (): Turns => new Turns(ANSWERS_AT_ONCE_MAX, REQUESTS_WAITING_MAX);

/** A bad token must not keep the action from running: it fails only when the action reads the identity. */
async function lenientIdentity(
  authenticator: Authenticator,
  request: IncomingMessage,
): Promise<Identity> {
  try {
    return await authenticator.fromHeader(header(request, "authorization"));
  } catch (error) {
    return { kind: "invalid", message: messageOf(error) };
  }
}

function webHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] ?? "", request.rawHeaders[i + 1] ?? "");
  }
  return headers;
}

/**
 * Runs the HTTP action for this request and streams its response. A body is read only when there is a route.
 * @throws HttpError 405, 413, and 503 while other bodies, or those of the same person, use up the budget, or
 *   too many requests of that person wait
 */
export async function serveHttpAction(
  context: { runtime: Runtime; authenticator: Authenticator; bodies: BodyRoom; turns: Turns },
  request: IncomingMessage,
  response: ServerResponse,
  target: { url: URL; ip: string },
): Promise<void> {
  const method = request.method ?? "GET";
  if (UNKNOWN_TO_ACTIONS.has(method)) {
    throw new HttpError(405, "MethodNotAllowed", `${method} is not served here`);
  }
  const hasBody =
    !BODYLESS.has(method) && hasHttpRoute(context.runtime, method, target.url.pathname);
  const identity = await lenientIdentity(context.authenticator, request);
  const person = personKey(identity);
  const held = hasBody ? await context.bodies.read(request, BODY_MAX_BYTES, person) : null;
  try {
    // All anonymous callers share one key, and one of them would keep the others waiting.
    const turn = person === "" ? null : await context.turns.enter(person);
    try {
      // Its client left while it waited: a file read for nobody would keep that person's other requests waiting.
      if (held === null && request.socket.destroyed) return;
      const body = held?.body ?? null;
      await answerAction(context.runtime, request, response, { ...target, identity, body });
    } finally {
      turn?.leave();
    }
  } finally {
    held?.release();
  }
}

async function answerAction(
  runtime: Runtime,
  request: IncomingMessage,
  response: ServerResponse,
  target: { url: URL; ip: string; identity: Identity; body: Buffer | null },
): Promise<void> {
  const { body } = target;
  const method = request.method ?? "GET";
  const webRequest = new Request(target.url, {
    method,
    headers: webHeaders(request),
    ...(body !== null && { body: new Uint8Array(body) }),
  });
  const answer = await handleHttpAction(runtime, webRequest, {
    identity: target.identity,
    ip: target.ip,
    userAgent: header(request, "user-agent") ?? null,
  });
  try {
    setHead(response, answer);
    if (answer.body === null || method === "HEAD") response.end();
    else await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), response);
  } finally {
    // Unread, also where Node takes a header for invalid: otherwise the action would count as running for ever.
    if (answer.body?.locked === false) await answer.body.cancel();
  }
}

function setHead(response: ServerResponse, { status, headers }: Response): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (name !== "set-cookie") response.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
}
