/**
 * Requests and their answers: one at a time on each connection, in the order of arrival, as in the official backend.
 *
 * A client may send requests without waiting for answers (RFC 9112, section 9.3.2). Side by side, hundreds of calls of
 * one connection would keep everybody waiting, and their answers fill the memory while the client reads none.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Holder } from "./heldBytes.ts";

/** What may wait on one connection. Clients that send more than this at once are not known. */
const WAITING_MAX = 64;

interface Exchange {
  readonly response: ServerResponse;
  readonly handle: () => void;
}

/** All that are under way at a server. */
export class Exchanges {
  private readonly lines = new Map<
    Socket,
    { readonly response: ServerResponse; readonly waiting: Exchange[] }
  >();

  /** Handles a request once those before it on its connection are answered. Cuts a connection on which too many wait. */
  add(exchange: Exchange): void {
    const { socket } = exchange.response.req;
    const line = this.lines.get(socket);
    if (line === undefined) this.begin(socket, exchange, []);
    else if (line.waiting.length < WAITING_MAX) line.waiting.push(exchange);
    else cutOff(socket);
  }

  /** What their connections hold. Bodies have limits of their own (`BodyRoom`). */
  get holders(): Holder[] {
    return Array.from(this.lines, ([socket, { response }]) => ({
      unsentBytes: response.writableLength,
      unfinishedBytes: 0,
      keptBytes: 0,
      cut: () => void socket.destroy(),
    }));
  }

  private begin(socket: Socket, { response, handle }: Exchange, waiting: Exchange[]): void {
    this.lines.set(socket, { response, waiting });
    // Not at once: other connections come in between.
    response.once("close", () => setImmediate(() => this.goOn(socket, waiting)));
    handle();
  }

  private goOn(socket: Socket, waiting: Exchange[]): void {
    // After "Connection: close", what follows must not be handled (RFC 9112, section 9.6).
    const next = socket.writable ? waiting.shift() : undefined;
    if (next === undefined) this.lines.delete(socket);
    else this.begin(socket, next, waiting);
  }
}

/**
 * Closes a connection, and ignores what has been read from it already: that may be a thousand more requests, and Node
 * would build an answer for each. `parser` is Node's own (seen in 20 to 26); without it they are built and dropped.
 */
function cutOff(socket: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  socket.destroy();
  if (socket.parser) socket.parser.onIncoming = () => 0;
}
