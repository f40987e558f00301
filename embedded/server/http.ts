/**
 * Small helpers on top of Node's HTTP: a server with timeouts, bounded bodies, JSON responses, errors in the
 * official format.
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
  // Node's own response would lack our headers; `urlOf` checks this instead.
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
  const server = createServer(TIMEOUTS, (request, response) => {
    // Set on the response, not on the server: the server's timers would stay on sockets that are upgraded to
    // WebSockets.
    response.setTimeout(UNREAD_ANSWER_MS);
    // No activity: disconnect a client that does not read, but not one that waits for a function.
    response.on("timeout", (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
    handle(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseSocket(socket, UNREADABLE_STATUS[error.code ?? ""] ?? 400, headers);
  });
  return server;
}

/**
 * Reads the whole body; `onBytes` gets the size of each chunk. @throws HttpError 413 as soon as the limit is
 * exceeded
 */
async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  let body: Buffer = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (sizeBytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
    onBytes(chunk.length);
    body = withRoom(body, sizeBytes, chunk.length);
    sizeBytes += chunk.copy(body, sizeBytes);
  }
  return body.subarray(0, sizeBytes);
}

/**
 * A buffer with the first `sizeBytes` of `body` and room for `moreBytes`. Chunks are copied into one: a sender may
 * make them of one byte each, and a list of them takes two hundred bytes of heap for each.
 */
function withRoom(body: Buffer, sizeBytes: number, moreBytes: number): Buffer {
  if (sizeBytes + moreBytes <= body.length) return body;
  const larger = Buffer.allocUnsafe(Math.max(2 * body.length, sizeBytes + moreBytes));
  body.copy(larger, 0, 0, sizeBytes);
  return larger;
}

/** A rejected body up to this size is read to its end, so that its sender reliably gets the response. */
const UNREAD_MAX_BYTES = 65_536;

/** True when the rest of the body may be too long to be read to its end. */
export function mayBeLong({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const isChunked = headers["transfer-encoding"] !== undefined;
  return isChunked || Number(headers["content-length"] ?? 0) > UNREAD_MAX_BYTES;
}

interface HeldBody {
  /** Null: one of its own. */
  readonly sender: string | null;
  readonly beganMs: number;
  bytes: number;
  readonly cut: () => void;
}

/**
 * Limits the bodies in memory at the same time, in total and per sender. Once there is no room, the sender who has
 * taken most of it for longest makes some: others would have to wait for whoever sends slowly.
 */
export class BodyRoom {
  private readonly maxBytes: number;
  private readonly senderMaxBytes: number;
  private heldBytes = 0;
  private readonly heldBySender = new Map<string, number>();
  private readonly unfinished = new Set<HeldBody>();

  constructor(maxBytes: number, senderMaxBytes: number) {
    this.maxBytes = maxBytes;
    this.senderMaxBytes = senderMaxBytes;
  }

  /**
   * Reads the whole body, which uses up budget until `release`. A null sender is limited by the total only.
   * @throws HttpError as {@link readBody}; 503 when the budget is used up
   */
  async read(
    request: IncomingMessage,
    maxBytes: number,
    sender: string | null,
  ): Promise<{ readonly body: Buffer; readonly release: () => void }> {
    const held: HeldBody = {
      sender,
      beganMs: performance.now(),
      bytes: 0,
      cut: () => {
        release();
        request.destroy();
      },
    };
    const take = (more: number): void => {
      if (this.heldOf(sender) + more > this.senderMaxBytes || !this.makeRoom(more, held)) {
        throw new HttpError(503, "Overloaded", "Too many bodies at once. Try again.");
      }
      held.bytes += more;
      this.hold(sender, more);
    };
    const release = (): void => {
      this.unfinished.delete(held);
      this.hold(sender, -held.bytes);
      held.bytes = 0;
    };
    this.unfinished.add(held);
    try {
      const body = await readBody(request, maxBytes, take);
      this.unfinished.delete(held);
      return { body, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Cuts bodies of others until there is room for `bytes` more; false when its own would be next. */
  private makeRoom(bytes: number, held: HeldBody): boolean {
    while (this.heldBytes + bytes > this.maxBytes) {
      const bodies = this.costliest();
      if (bodies.length === 0 || bodies.includes(held)) return false;
      for (const body of bodies) body.cut();
    }
    return true;
  }

  /** The unfinished bodies of the sender whose bytes, each times its body's age, are most. */
  private costliest(): HeldBody[] {
    const now = performance.now();
    const costs = new Map<string | HeldBody, { cost: number; bodies: HeldBody[] }>();
    for (const body of this.unfinished) {
      const sender = body.sender ?? body;
      const { cost, bodies } = costs.get(sender) ?? { cost: 0, bodies: [] };
      bodies.push(body);
      costs.set(sender, { cost: cost + body.bytes * (now - body.beganMs), bodies });
    }
    return [...costs.values()].sort((one, other) => other.cost - one.cost)[0]?.bodies ?? [];
  }

  private heldOf(sender: string | null): number {
    return sender === null ? 0 : (this.heldBySender.get(sender) ?? 0);
  }

  private hold(sender: string | null, bytes: number): void {
    this.heldBytes += bytes;
    if (sender === null) return;
    const held = this.heldOf(sender) + bytes;
    if (held > 0) this.heldBySender.set(sender, held);
    else this.heldBySender.delete(sender);
  }
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, "PayloadTooLarge", `The body is larger than ${maxBytes} bytes`);
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

/** Responds on a bare socket, where there is no response object, and closes it. */
export function refuseSocket(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable) return void socket.destroy();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}`;
  // Does not wait for the other side to close: nothing else would count or end such a socket.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** A header that occurs once, or undefined. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
