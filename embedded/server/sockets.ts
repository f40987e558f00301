/**
 * WebSockets of the sync protocol: the upgrade, limits on frames and on slow readers, keep-alive.
 *
 * Not here: what frames mean (sync/worker).
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer, type RawData } from "ws";
import type { QueryHub } from "../sync/hub.ts";
import { PING } from "../sync/protocol.ts";
import { SyncWorker, type Authenticator, type Transport } from "../sync/worker.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { clientAddress, countedNetwork, isAllowed, type AccessPolicy } from "./access.ts";
import { toCut } from "./heldBytes.ts";
import { header, refuseSocket } from "./http.ts";
import { textFrames } from "./textFrames.ts";

/** A ping message is sent after this long without another one: clients reconnect after 60 s of silence. */
const PING_AFTER_MS = 15_000;
/** A client that neither sends nor answers pings for this long is disconnected. */
const SILENT_CLIENT_MS = 120_000;
/**
 * A client that was silent for this long is pinged at every heartbeat. Not sooner: pings and pongs would be
 * most of an idle server's work.
 */
const ASK_AFTER_MS = 60_000;
const HEARTBEAT_MS = 5_000;
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const UNSUPPORTED_DATA = 1003;

const SYNC_PATH = /^\/api\/(?:[0-9A-Za-z.+-]+\/)?sync$/;

interface SocketOptions {
  readonly access: AccessPolicy;
  /** Largest frame accepted; larger ones close the connection with 1009. */
  readonly frameMaxBytes: number;
  readonly connectionsMax: number;
  /** Limit per network (`countedNetwork`). */
  readonly connectionsPerAddressMax: number;
  /** Headers of refused upgrades. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What all connections of a server share. */
interface Room {
  readonly hub: QueryHub;
  readonly connections: Set<Connection>;
  /** Number of connections per network. */
  readonly countsByNetwork: Map<string, number>;
  readonly frameMaxBytes: number;
  isClosing: boolean;
}

/** One connected client. */
class Connection implements Transport {
  readonly socket: WebSocket;
  // Monotonic time: otherwise all clients would time out at once when the system clock is set.
  private lastSentMs = performance.now();
  private lastHeardMs = performance.now();
  private readonly room: Room;
  private readonly stream: IncomingMessage["socket"];
  /** Bytes received up to the end of the newest whole message. */
  private wholeBytes = 0;
  private readonly network: string | null;
  private readonly worker: SyncWorker;
  /** Texts queued until the end of the turn; null when there are none, the common case. */
  private unsent: string[] | null = null;

  constructor(
    room: Room,
    socket: WebSocket,
    stream: IncomingMessage["socket"],
    network: string | null,
    workerOf: (transport: Transport) => SyncWorker,
  ) {
    this.room = room;
    this.socket = socket;
    this.stream = stream;
    this.network = network;
    this.worker = workerOf(this);
    room.connections.add(this);
    this.count(1);
  }

  get frameMaxBytes(): number {
    return this.room.frameMaxBytes;
  }

  sendSoon(text: string): void {
    if (this.unsent !== null) {
      this.unsent.push(text);
      return;
    }
    this.unsent = [text];
    this.room.hub.afterTurn(() => this.flush());
  }

  send(text: string, onSent?: () => void): void {
    if (this.unsent === null) this.write([text], onSent);
    else {
      this.unsent.push(text);
      this.flush(onSent);
    }
  }

  private flush(onSent?: () => void): void {
    const { unsent } = this;
    this.unsent = null;
    if (unsent !== null) this.write(unsent, onSent);
  }

  private write(texts: readonly string[], onSent?: () => void): void {
    this.lastSentMs = performance.now();
    // No data may follow a close frame.
    if (this.socket.readyState === WebSocket.OPEN) this.stream.write(textFrames(texts), onSent);
  }

  close(code?: number, reason?: string): void {
    this.flush();
    this.socket.close(code, reason);
  }

  received(data: RawData, isBinary: boolean): void {
    this.heard();
    this.wholeBytes = this.stream.bytesRead;
    if (this.room.isClosing) return;
    if (isBinary) this.close(UNSUPPORTED_DATA, "BinaryFrame");
    // Text frames arrive as one Buffer.
    else this.worker.frame((data as Buffer).toString());
  }

  heard(): void {
    this.lastHeardMs = performance.now();
  }

  closed(): void {
    if (this.room.connections.delete(this)) this.count(-1);
    this.worker.closed();
  }

  get unfinishedBytes(): number {
    return this.stream.bytesRead - this.wholeBytes;
  }

  /** Disconnects a client that does not read, or does not finish what it sends. */
  cut(): void {
    this.socket.close(POLICY_VIOLATION, "TooSlow");
    this.socket.terminate();
  }

  /** Disconnects a client that is gone, pings a silent one, and sends a message when this side was silent. */
  beat(nowMs: number): void {
    const { socket } = this;
    const silentMs = nowMs - this.lastHeardMs;
    if (silentMs > SILENT_CLIENT_MS) socket.terminate();
    else {
      if (silentMs >= ASK_AFTER_MS) socket.ping();
      if (nowMs - this.lastSentMs >= PING_AFTER_MS) this.send(PING);
    }
  }

  private count(change: 1 | -1): void {
    const { network } = this;
    if (network === null) return;
    const { countsByNetwork } = this.room;
    const count = (countsByNetwork.get(network) ?? 0) + change;
    if (count === 0) countsByNetwork.delete(network);
    else countsByNetwork.set(network, count);
  }
}

// Listeners shared by all sockets: closures per socket would be much of an idle connection's memory.
const connectionOf = new WeakMap<WebSocket, Connection>();

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  connectionOf.get(this)?.received(data, isBinary);
}

function onPing(this: WebSocket): void {
  connectionOf.get(this)?.heard();
}

function onClose(this: WebSocket): void {
  connectionOf.get(this)?.closed();
}

function ignoreError(): void {
  // A socket error is followed by its "close" event.
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
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
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
      // No other listener exists until the handshake, and an unhandled error would end the process.
      socket.on("error", ignoreError);
      const refusal = this.refusalOf(request);
      if (refusal !== null) refuseSocket(socket, refusal, this.options.headers);
      else this.server.handleUpgrade(request, socket, head, this.open);
    });
  }

  /** HTTP status for refusing an upgrade, or null to accept it. */
  private refusalOf(request: IncomingMessage): number | null {
    const target = request.url ?? "/";
    if (!URL.canParse(target, "http://localhost")) return 400;
    if (!SYNC_PATH.test(new URL(target, "http://localhost").pathname)) return 404;
    if (!isAllowed(this.options.access, request)) return 403;
    const { access, connectionsMax, connectionsPerAddressMax } = this.options;
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
    const connection = new Connection(this.room, socket, request.socket, network, workerOf);
    connectionOf.set(socket, connection);
    socket.on("message", onMessage);
    socket.on("pong", onPing);
    socket.on("ping", onPing);
    socket.on("error", ignoreError);
    socket.on("close", onClose);
  };

  private beat(): void {
    const { connections } = this.room;
    for (const connection of toCut(connections)) connection.cut();
    const nowMs = performance.now();
    for (const connection of connections) connection.beat(nowMs);
  }
}
