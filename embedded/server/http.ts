/**
 * Small helpers on top of Node's HTTP: a server with timeouts, JSON responses, errors in the official
 * format. Not here: bodies (bodyRoom).
 */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A response other than success: HTTP status, code and message. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Time limits of a connection: a slow client must not hold one for ever. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  // Longer than proxies keep idle connections (Caddy two minutes, others one): whichever side gives up first, a
  // request may already be on its way, and a proxy answers 502 for one that it may not repeat.
  keepAliveTimeout: 150_000,
  // Node's own response would lack our headers; `requestUrl` checks this instead.
  requireHostHeader: false,
} as const;

/** How long a client may leave response bytes unread before it is disconnected. */
export const UNREAD_ANSWER_MS = 120_000;

/** Status codes for requests that Node cannot parse; 400 for all others. */
const UNREADABLE_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A server with time limits for slow clients. Unreadable requests are refused with `headers`. */
export function newHttpServer(
  headers: Readonly<Record<string, string>>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const options = {
    ...TIMEOUTS,
    // Node 20 has no such option: see `serveWithoutUpgrade`.
    shouldUpgradeCallback: (request: IncomingMessage): boolean =>
      server.listenerCount("upgrade") > 0 && isForWebSocket(request),
  };
  const server: Server = createServer(options, (request, response) => {
    // Set on the response, not on the server: the server's timers would stay on sockets that are upgraded to
    // WebSockets.
    response.setTimeout(UNREAD_ANSWER_MS);
    // No activity: disconnect a client that does not read, but not one that waits for a function.
    response.on("timeout", (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
    handle(request, response);
  });
  // Node would leave out all headers beyond two thousand, among them what a proxy adds about the caller. Their bytes
  // are limited.
  server.maxHeadersCount = 0;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseSocket(socket, UNREADABLE_STATUS[error.code ?? ""] ?? 400, headers);
  });
  return server;
}

/** A rejected body up to this size is read to its end, so that its sender reliably gets the response. */
const UNREAD_MAX_BYTES = 65_536;

/** True when the rest of the body may be too long to be read to its end. */
export function mayBeLong({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const isChunked = headers["transfer-encoding"] !== undefined;
  return isChunked || Number(headers["content-length"] ?? 0) > UNREAD_MAX_BYTES;
}

/** Ends the response, which must not be cached. Headers set before are kept. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  contentType = "text/plain; charset=utf-8",
): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": body.length,
    "Cache-Control": "no-store",
  });
  response.end(body);
}

/** {@link sendText} for JSON text. */
export function sendJson(response: ServerResponse, status: number, jsonText: string): void {
  sendText(response, status, jsonText, "application/json");
}

/** Ends the response with `{code, message}`, as the official backend does. */
export function sendError(response: ServerResponse, error: HttpError): void {
  sendJson(response, error.status, JSON.stringify({ code: error.code, message: error.message }));
}

/** A socket with the answer that Node is writing to it (its own field, seen in 20 to 26). */
type Answering = Duplex & { readonly _httpMessage?: ServerResponse | null };

/**
 * Responds on a bare socket, where there is no response object, and closes it. While the answer to an earlier request
 * is under way, or this request's has begun, it only closes it: the client would take the response for a part of that.
 */
export function refuseSocket(
  socket: Answering,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  const { _httpMessage: answer } = socket;
  if (!socket.writable || answer?.headersSent || answer?.req.complete) return void socket.destroy();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}`;
  // Does not wait for the other side to close: nothing else would count or end such a socket.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * True when a request is to be upgraded. Any other protocol it offers is ignored (RFC 9110, section 7.8): Java's client
 * and `curl --http2` offer HTTP/2 on every unencrypted connection.
 */
export function isForWebSocket(request: IncomingMessage): boolean {
  return header(request, "upgrade")?.toLowerCase() === "websocket";
}

/**
 * Serves a request as if it had offered no upgrade, where Node has taken the offer without asking and let go of the
 * socket: it gets it back with the request unread. While the answer to an earlier request is under way it closes the
 * socket: Node would never send the answer to this one, nor end it with its connection.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Answering,
  head: Buffer,
): void {
  if (socket._httpMessage) return void socket.destroy();
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const isOffer = rawHeaders[i]?.toLowerCase() === "upgrade";
    if (!isOffer) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  // Node reads headers as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

/** A header that occurs once, or undefined. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
