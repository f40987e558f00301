/**
 * WebSockets of the sync protocol: the upgrade, limits on frames and on slow readers, keep-alive.
 *
 * Not here: what frames mean (sync/worker).
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { QueryHub } from "../sync/hub.ts";
import { PING } from "../sync/protocol.ts";
import { SyncWorker, type Authenticator } from "../sync/worker.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { clientAddress, isAllowed, type AccessPolicy } from "./access.ts";
import { header, refuseSocket } from "./http.ts";

/** A message of ours after this long without another one: clients reconnect after 60 s of silence. */
const PING_AFTER_MS = 15_000;
/** A client that neither sends nor answers pings for this long is gone. */
const SILENT_CLIENT_MS = 120_000;
/** A client that was silent for this long is asked whether it is there: a few times before it is gone. */
const ASK_AFTER_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Bytes waiting for a reader that does not read before it is cut off. */
const UNSENT_MAX_BYTES = 64 * 1024 * 1024;
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const UNSUPPORTED_DATA = 1003;

const SYNC_PATH = /^\/api\/(?:[0-9A-Za-z.+-]+\/)?sync$/;

export interface SocketOptions {
  readonly access: AccessPolicy;
  /** Largest frame accepted; larger ones close the connection with 1009. */
  readonly frameMaxBytes: number;
  readonly connectionsMax: number;
  /** Headers of refused upgrades. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Connection {
  readonly socket: WebSocket;
  readonly worker: SyncWorker;
  lastSentMs: number;
  lastHeardMs: number;
}

export class SyncSockets {
  private readonly server: WebSocketServer;
  private readonly connections = new Set<Connection>();
  private readonly runtime: Runtime;
  private readonly hub: QueryHub;
  private readonly authenticator: Authenticator;
  private readonly options: SocketOptions;
  private readonly heartbeat: NodeJS.Timeout;
  private isClosing = false;

  constructor(
    runtime: Runtime,
    hub: QueryHub,
    authenticator: Authenticator,
    options: SocketOptions,
  ) {
    this.runtime = runtime;
    this.hub = hub;
    this.authenticator = authenticator;
    this.options = options;
    this.server = new WebSocketServer({
      noServer: true,
      maxPayload: options.frameMaxBytes,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
  }

  get connectionCount(): number {
    return this.connections.size;
  }

  /** Takes over the upgrade requests of `server`. */
  attach(server: Server): void {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Until the handshake nobody else listens, and an unheard error would end the process.
      socket.on("error", () => undefined);
      const refusal = this.refusalOf(request);
      if (refusal !== null) refuseSocket(socket, refusal, this.options.headers);
      else this.server.handleUpgrade(request, socket, head, (ws) => this.open(ws, request, socket));
    });
  }

  /** HTTP status with which an upgrade is refused, or null. */
  private refusalOf(request: IncomingMessage): number | null {
    const target = request.url ?? "/";
    if (!URL.canParse(target, "http://localhost")) return 400;
    if (!SYNC_PATH.test(new URL(target, "http://localhost").pathname)) return 404;
    if (!isAllowed(this.options.access, request)) return 403;
    return this.connections.size >= this.options.connectionsMax ? 503 : null;
  }

  /** Asks every client to come back later. */
  close(): void {
    // What still arrives is not begun: clients send it again to the next server.
    this.isClosing = true;
    clearInterval(this.heartbeat);
    for (const { socket } of this.connections) socket.close(GOING_AWAY, "ServerShutdown");
    this.server.close();
  }

  /** Cuts connections that did not close by themselves. */
  terminate(): void {
    for (const { socket } of this.connections) socket.terminate();
  }

  private open(socket: WebSocket, request: IncomingMessage, stream: Duplex): void {
    const worker = new SyncWorker(
      this.runtime,
      this.hub,
      this.authenticator,
      {
        send: (text, onSent) => {
          connection.lastSentMs = Date.now();
          // An answer and the Transition that follows it leave in one system call.
          if (stream.writableCorked === 0) {
            stream.cork();
            this.hub.afterTurn(() => stream.uncork());
          }
          socket.send(text, onSent);
        },
        close: (code, reason) => socket.close(code, reason),
      },
      {
        ip: clientAddress(this.options.access, request),
        userAgent: header(request, "user-agent") ?? null,
      },
    );
    const nowMs = Date.now();
    const connection: Connection = { socket, worker, lastSentMs: nowMs, lastHeardMs: nowMs };
    this.connections.add(connection);
    const heard = () => void (connection.lastHeardMs = Date.now());
    socket.on("message", (data, isBinary) => {
      heard();
      if (this.isClosing) return;
      if (isBinary) socket.close(UNSUPPORTED_DATA, "BinaryFrame");
      // Text frames arrive as one Buffer.
      else worker.frame((data as Buffer).toString());
    });
    socket.on("pong", heard);
    socket.on("ping", heard);
    // Protocol violations and resets end in "close" as well.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.connections.delete(connection);
      worker.closed();
    });
  }

  private beat(): void {
    const nowMs = Date.now();
    for (const { socket, lastSentMs, lastHeardMs } of this.connections) {
      if (nowMs - lastHeardMs > SILENT_CLIENT_MS) socket.terminate();
      else if (socket.bufferedAmount > UNSENT_MAX_BYTES) {
        socket.close(POLICY_VIOLATION, "TooSlow");
        socket.terminate();
      } else {
        if (nowMs - lastHeardMs >= ASK_AFTER_MS) socket.ping();
        if (nowMs - lastSentMs >= PING_AFTER_MS) socket.send(PING);
      }
    }
    for (const connection of this.connections) {
      if (nowMs - connection.lastSentMs >= PING_AFTER_MS) connection.lastSentMs = nowMs;
    }
  }
}
