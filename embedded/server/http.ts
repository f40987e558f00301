/** Small helpers over Node's HTTP: a server with patience, bounded bodies, JSON answers, errors with the official shape. */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** An answer other than success: HTTP status, code and message. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** How long a client may take to send: a slow one must not hold a connection for ever. */
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  // Node's own refusal would go out without our headers: `urlOf` refuses.
  requireHostHeader: false,
} as const;

/** How long a client may leave bytes of an answer unread before it is cut off. */
export const UNREAD_ANSWER_MS = 120_000;

/** A server that waits for slow clients, but not for ever. */
export function newHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  return createServer(PATIENCE, (request, response) => {
    // Of the answer and not of the server, whose timers stay with sockets that become live connections.
    response.setTimeout(UNREAD_ANSWER_MS);
    // Nothing has moved: who waits for a function is waited for, who does not read is not.
    response.on("timeout", (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
    handle(request, response);
  });
}

/** The whole body, each part told to `onBytes`. @throws HttpError 413 as soon as the limit is passed. */
async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes?: (bytes: number) => void,
): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    onBytes?.(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A refused body up to here may come to its end, so that its sender gets the answer in any case. */
const UNREAD_MAX_BYTES = 65_536;

/** True when more may still come of the body than is worth waiting for. */
export function mayBeLong({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const isChunked = headers["transfer-encoding"] !== undefined;
  return isChunked || Number(headers["content-length"] ?? 0) > UNREAD_MAX_BYTES;
}

/** Bounds the bodies that are in memory at the same time, all together and those of one sender. */
export class BodyRoom {
  private readonly maxBytes: number;
  private readonly senderMaxBytes: number;
  private heldBytes = 0;
  private readonly heldBySender = new Map<string, number>();

  constructor(maxBytes: number, senderMaxBytes: number) {
    this.maxBytes = maxBytes;
    this.senderMaxBytes = senderMaxBytes;
  }

  /**
   * The whole body, which takes room until `release`; that of no sender (null) from all there is.
   * @throws HttpError as {@link readBody}; 503 when there is no room for it
   */
  async read(
    request: IncomingMessage,
    maxBytes: number,
    sender: string | null,
  ): Promise<{ readonly body: Buffer; readonly release: () => void }> {
    let bytes = 0;
    const take = (more: number): void => {
      const held = this.heldOf(sender) + more;
      if (this.heldBytes + more > this.maxBytes || held > this.senderMaxBytes) {
        throw new HttpError(503, "Overloaded", "Too many bodies at once. Try again.");
      }
      bytes += more;
      this.hold(sender, more);
    };
    const release = (): void => {
      this.hold(sender, -bytes);
      bytes = 0;
    };
    try {
      return { body: await readBody(request, maxBytes, take), release };
    } catch (error) {
      release();
      throw error;
    }
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

/** Ends the response, which no cache may keep. Headers that were set before go with it. */
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

/** {@link sendText} for what is JSON text already. */
export function sendJson(response: ServerResponse, status: number, jsonText: string): void {
  sendText(response, status, jsonText, "application/json");
}

/** Ends the response with `{code, message}`, as the official backend does. */
export function sendError(response: ServerResponse, error: HttpError): void {
  sendJson(response, error.status, JSON.stringify({ code: error.code, message: error.message }));
}

/** Answers on a bare socket, where there is no response object, and hangs up. */
export function refuseSocket(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable) return void socket.destroy();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}`;
  // The other end's half is not waited for: nothing else counts such a socket or ends it.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** A header that occurs once, or undefined. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
