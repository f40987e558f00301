/**
 * WebSockets of the sync protocol: the upgrade, limits on frames and connections, the heartbeat.
 *
 * Not here: one connection (connection), what frames mean (sync/worker).
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { QueryHub } from "../sync/hub.ts";
import { SyncWorker, type Transport } from "../sync/worker.ts";
import type { Authenticator } from "../runtime/authenticator.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { countedNetwork } from "../runtime/sender.ts";
import { clientAddress, isAllowed, requestUrl, type AccessPolicy } from "./access.ts";
import { Connection, ignoreError, type Room } from "./connection.ts";
import type { Exchanges } from "./exchanges.ts";
import { cutBeyondLimits } from "./heldBytes.ts";
import { header, HttpError, isForWebSocket, refuseSocket, serveWithoutUpgrade } from "./http.ts";

const HEARTBEAT_MS = 5_000;
/** A flood of messages takes a hundred megabytes of memory in this time. */
const LIMITS_MS = 1_000;
const GOING_AWAY = 1001;

/** Browsers send pieces of many kilobytes. Each takes a hundred bytes of heap, also where it holds a single one. */
const FRAGMENTS_MAX = 1_024;

const SYNC_PATH = /^\/api\/(?:[0-9A-Za-z.+-]+\/)?sync$/;

interface SocketOptions {
  readonly access: AccessPolicy;
  /** Largest frame accepted; larger ones close the connection with 1009. */
  readonly frameMaxBytes: number;
  readonly connectionsMax: number;
  /** Limit per network (`countedNetwork`). */
  readonly connectionsPerAddressMax: number;
  /** Those of the server's other requests: what waits for clients has one limit for all. */
  readonly exchanges: Exchanges;
  /** Headers of refused upgrades. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * All connections of a server. `close` asks clients to disconnect, `terminate` cuts those that have not; the
 * hub stays open.
 */
export class SyncSockets {
  private readonly server: WebSocketServer;
  private readonly runtime: Runtime;
  private readonly room: Room;
  private readonly authenticator: Authenticator;
  private readonly options: SocketOptions;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly limits: NodeJS.Timeout;

  constructor(
    runtime: Runtime,
    hub: QueryHub,
    authenticator: Authenticator,
    options: SocketOptions,
  ) {
    this.runtime = runtime;
    this.room = {
      hub,
      connections: new Set(),
      countsByNetwork: new Map(),
      frameMaxBytes: options.frameMaxBytes,
      isClosing: false,
    };
    this.authenticator = authenticator;
    this.options = options;
    this.server = new WebSocketServer({
      noServer: true,
      maxPayload: options.frameMaxBytes,
      maxFragments: FRAGMENTS_MAX,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
    this.limits = setInterval(() => this.cutBeyondLimits(), LIMITS_MS).unref();
  }

  get connectionCount(): number {
    return this.room.connections.size;
  }

  /** Takes over the upgrade requests of `server`. */
  attach(server: Server): void {
    // Handshakes that `ws` itself rejects would otherwise be answered without our headers. RFC 6455, section
    // 4.4.
    const headers = { ...this.options.headers, "Sec-WebSocket-Version": "13" };
    this.server.on("wsClientError", (_error, socket) => refuseSocket(socket, 400, headers));
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!isForWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
      // No other listener exists until the handshake, and an unhandled error would end the process.
      socket.on("error", ignoreError);
      const refusal = this.refusalOf(request);
      if (refusal !== null) refuseSocket(socket, refusal, this.options.headers);
      else this.server.handleUpgrade(request, socket, head, this.open);
    });
  }

  /** HTTP status for refusing an upgrade, or null to accept it. */
  private refusalOf(request: IncomingMessage): number | null {
    const { access, connectionsMax, connectionsPerAddressMax } = this.options;
    try {
      if (!SYNC_PATH.test(requestUrl(access, request).pathname)) return 404;
    } catch (error) {
      if (error instanceof HttpError) return error.status;
      throw error;
    }
    if (!isAllowed(access, request)) return 403;
    if (this.room.connections.size >= connectionsMax) return 503;
    const network = countedNetwork(clientAddress(access, request));
    if (network === null) return null;
    const count = this.room.countsByNetwork.get(network) ?? 0;
    return count >= connectionsPerAddressMax ? 429 : null;
  }

  /** Asks every client to disconnect and reconnect later. */
  close(): void {
    // Messages that still arrive are ignored: clients resend them to the next server.
    this.room.isClosing = true;
    clearInterval(this.heartbeat);
    clearInterval(this.limits);
    for (const connection of this.room.connections) connection.close(GOING_AWAY, "ServerShutdown");
    this.server.close();
  }

  /** Cuts connections that did not close by themselves. */
  terminate(): void {
    for (const { socket } of this.room.connections) socket.terminate();
  }

  private readonly open = (socket: WebSocket, request: IncomingMessage): void => {
    const client = {
      ip: clientAddress(this.options.access, request),
      userAgent: header(request, "user-agent") ?? null,
    };
    const { hub } = this.room;
    const workerOf = (transport: Transport) =>
      new SyncWorker(this.runtime, hub, this.authenticator, transport, client);
    const network = countedNetwork(client.ip);
    new Connection(this.room, socket, request.socket, network, workerOf);
  };

  private beat(): void {
    for (const connection of this.room.connections) connection.beat();
  }

  private cutBeyondLimits(): void {
    cutBeyondLimits([...this.room.connections, ...this.options.exchanges.holders]);
  }
}
