/**
 * One client's connection of the sync protocol: frames, the limit on slow readers, keep-alive.
 *
 * Not here: upgrades (sockets), what frames mean (sync/worker).
 */
import type { IncomingMessage } from "node:http";
import { WebSocket, type RawData } from "ws";
import type { QueryHub } from "../sync/hub.ts";
import { PING } from "../sync/protocol.ts";
import type { SyncWorker, Transport } from "../sync/worker.ts";
import type { Holder } from "./heldBytes.ts";
import { textFrames } from "./textFrames.ts";

/** A ping message is sent after this long without another one: clients reconnect after 60 s of silence. */
const PING_AFTER_S = 15;
/** A client that neither sends nor answers pings for this long is disconnected. */
const SILENT_CLIENT_S = 120;
/**
 * A client that was silent for this long is pinged at every heartbeat. Not sooner: pings and pongs would be
 * most of an idle server's work.
 */
const ASK_AFTER_S = 60;
/**
 * Messages of a connection in one turn of the event loop; no more are read until the others are handled. Thousands of
 * small ones fit into one read: whoever sends them on a few connections would keep everybody else waiting.
 */
export const MESSAGES_PER_TURN_MAX = 8;
/** What a piece takes of the memory in which a part of a message has arrived, besides its bytes: it may hold one only. */
const PIECE_BYTES = 600;
const MS_PER_S = 1000;
const POLICY_VIOLATION = 1008;
const UNSUPPORTED_DATA = 1003;

/** The pieces of a frame that is not complete, which `ws` keeps to itself. */
interface Receiving {
  readonly _receiver?: { readonly _buffers?: readonly Buffer[] };
}

/** What all connections of a server share. */
export interface Room {
  readonly hub: QueryHub;
  readonly connections: Set<Connection>;
  /** Number of connections per network. */
  readonly countsByNetwork: Map<string, number>;
  readonly frameMaxBytes: number;
  isClosing: boolean;
}

/** One connected client. */
export class Connection implements Transport, Holder {
  readonly socket: WebSocket;
  private lastSentS = secondsNow();
  private lastHeardS = secondsNow();
  private readonly room: Room;
  private readonly stream: IncomingMessage["socket"];
  /** Bytes received up to the newest message that was handled. */
  private handledBytes = 0;
  private readonly network: string | null;
  private readonly worker: SyncWorker;
  /** Messages handled in this turn. */
  private handledCount = 0;
  /** Messages that wait for the next turn; null when there are none, the common case. */
  private waiting: Buffer[] | null = null;
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
    connectionOf.set(socket, this);
    socket.on("message", onMessage);
    socket.on("pong", onPing);
    socket.on("ping", onPing);
    socket.on("error", ignoreError);
    socket.on("close", onClose);
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
    this.lastSentS = secondsNow();
    // No data may follow a close frame.
    if (this.socket.readyState === WebSocket.OPEN) this.stream.write(textFrames(texts), onSent);
  }

  close(code?: number, reason?: string): void {
    this.flush();
    // Without effect from now on. The client's close frame is still to be read.
    if (this.waiting !== null) this.waiting.length = 0;
    this.socket.close(code, reason);
  }

  received(data: RawData, isBinary: boolean): void {
    this.heard();
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (isBinary) return this.close(UNSUPPORTED_DATA, "BinaryFrame");
    // Text frames arrive as one Buffer.
    const frame = data as Buffer;
    const { hub } = this.room;
    if (this.waiting !== null) this.waiting.push(frame);
    else if (this.handledCount < MESSAGES_PER_TURN_MAX && hub.mayReadNow(frame.length)) {
      this.handle(frame);
    } else {
      this.waiting = [frame];
      this.socket.pause();
      if (this.handledCount === 0) this.goOn();
    }
  }

  private handle(frame: Buffer): void {
    if (this.handledCount === 0) this.room.hub.afterTurn(() => this.goOn());
    this.handledCount += 1;
    this.handledBytes = this.stream.bytesRead;
    if (!this.room.isClosing) this.worker.frame(frame.toString());
  }

  /** In a new turn: handles what waits. */
  private goOn(): void {
    this.handledCount = 0;
    const { waiting, worker } = this;
    const { hub } = this.room;
    if (waiting === null) return;
    while (this.handledCount < MESSAGES_PER_TURN_MAX) {
      const [frame] = waiting;
      if (frame === undefined) {
        this.waiting = null;
        return this.socket.resume();
      }
      const mayBeNow = hub.mayReadNow(frame.length);
      // It comes first in the next turn.
      if (!mayBeNow && this.handledCount > 0) return;
      waiting.shift();
      // The hub's turn ends when one has taken long.
      if (!mayBeNow) return void hub.inTurn(worker.sender, () => this.handle(frame));
      this.handle(frame);
    }
  }

  heard(): void {
    this.lastHeardS = secondsNow();
  }

  closed(): void {
    if (this.room.connections.delete(this)) this.count(-1);
    this.worker.closed();
  }

  get unsentBytes(): number {
    return this.socket.bufferedAmount;
  }

  get unfinishedBytes(): number {
    const { _receiver } = this.socket as Receiving;
    const pieces = _receiver?._buffers?.length ?? 0;
    return this.stream.bytesRead - this.handledBytes + PIECE_BYTES * pieces;
  }

  get keptBytes(): number {
    return this.worker.keptBytes;
  }

  /** Disconnects a client that does not read, does not finish what it sends, or keeps too much open. */
  cut(): void {
    this.socket.close(POLICY_VIOLATION, "TooSlow");
    this.socket.terminate();
  }

  /** Disconnects a client that is gone, pings a silent one, and sends a message when this side was silent. */
  beat(): void {
    const { socket } = this;
    const silentS = secondsNow() - this.lastHeardS;
    if (silentS > SILENT_CLIENT_S) socket.terminate();
    else {
      if (silentS >= ASK_AFTER_S) socket.ping();
      if (secondsNow() - this.lastSentS >= PING_AFTER_S) this.send(PING);
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

/**
 * Monotonic: otherwise all clients would time out at once when the system clock is set. A small integer, which takes no
 * heap object as milliseconds would.
 */
function secondsNow(): number {
  return Math.floor(performance.now() / MS_PER_S);
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

/** A socket's error is followed by its "close" event, which says enough. */
export function ignoreError(): void {
  // Without a listener, it would end the process.
}
