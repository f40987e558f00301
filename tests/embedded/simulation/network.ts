/**
 * Connections between clients and the server. Frames take time and arrive in order. A connection can break at
 * any moment with frames in transit, and the server may receive old frames after the client has reconnected.
 */
import type { Transport } from "../../../embedded/sync/worker";
import type { World } from "./world";

/** The part of the server that a connection needs. */
export interface Endpoint {
  readonly owner: string;
  accept(transport: Transport, client: string): { frame(text: string): void; closed(): void };
}

const LATENCY_MS = { low: 0.2, high: 8 };
const ABNORMAL_CLOSURE = 1006;
/** Probability that frames of a broken connection still reach the server, late. */
const GHOST_PROBABILITY = 0.5;
const GHOST_MS = 3_000;

export class Network {
  readonly connections = new Set<Connection>();
  /** null while the server is down. */
  server: Endpoint | null = null;
  private readonly world: World;
  private count = 0;
  /** Called for every frame that a client sends. */
  onClientFrame: (connection: Connection, text: string) => void = () => undefined;
  /** Called for every frame that the server sends. */
  onServerFrame: (connection: Connection, text: string) => void = () => undefined;

  constructor(world: World) {
    this.world = world;
  }

  latency(): number {
    return LATENCY_MS.low + this.world.chance() * (LATENCY_MS.high - LATENCY_MS.low);
  }

  /** A WebSocket class for one client. */
  socketsOf(client: string): typeof WebSocket {
    const open = () => new Connection(this.world, this, `${client}#${this.count++}`, client);
    return function SimulatedWebSocket() {
      return open();
    } as unknown as typeof WebSocket;
  }

  /** Breaks every connection of a dead server. */
  serverGone(): void {
    this.server = null;
    for (const connection of [...this.connections]) connection.break("server gone");
  }
}

export class Connection {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  readyState = 0;
  readonly name: string;
  readonly client: string;
  private readonly world: World;
  private readonly network: Network;
  private owner = "";
  private worker: ReturnType<Endpoint["accept"]> | null = null;
  private isBroken = false;
  /** Extra delay of frames of a broken connection. */
  private ghostMs = 0;
  private toServerMs = 0;
  private toClientMs = 0;

  constructor(world: World, network: Network, name: string, client: string) {
    this.world = world;
    this.network = network;
    this.name = name;
    this.client = client;
    network.connections.add(this);
    world.plan(network.latency(), () => this.open(), "network");
  }

  private open(): void {
    if (this.isBroken) return;
    const { server } = this.network;
    if (server === null) return this.break("refused");
    this.owner = server.owner;
    const transport: Transport = {
      frameMaxBytes: 1024 * 1024,
      sendSoon: (text) => this.fromServer(text, undefined),
      send: (text, onSent) => this.fromServer(text, onSent),
      close: (code, reason) => this.closedByServer(code ?? 1000, reason ?? ""),
    };
    this.worker = this.world.as(server.owner, () => server.accept(transport, this.client));
    this.readyState = 1;
    this.toClient(() => this.onopen?.());
  }

  // ---- what the client calls ----

  send(text: string): void {
    this.network.onClientFrame(this, text);
    this.world.note(`${this.name} > ${withoutClocks(text)}`);
    this.toServerMs = Math.max(this.toServerMs, this.world.nowMs + this.network.latency());
    this.world.plan(this.toServerMs - this.world.nowMs, () => this.arrive(text), this.owner);
  }

  private arrive(text: string): void {
    if (!this.isBroken) this.worker?.frame(text);
    else this.world.plan(this.ghostMs, () => this.worker?.frame(text), this.owner);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.isBroken = true;
    this.network.connections.delete(this);
    this.world.plan(this.network.latency(), () => this.worker?.closed(), this.owner);
    this.world.plan(0, () => this.onclose?.({ code: 1000, reason: "" }), this.client);
  }

  // ---- what happens to it ----

  /** Breaks the connection: the client notices soon, the server possibly much later, after frames in transit. */
  break(why: string): void {
    if (this.isBroken) return;
    this.world.note(`${this.name} broken: ${why}`);
    this.isBroken = true;
    this.readyState = 3;
    this.network.connections.delete(this);
    const { worker } = this;
    if (!this.world.isHit(GHOST_PROBABILITY)) this.worker = null;
    this.ghostMs = this.world.chance() * GHOST_MS;
    this.world.plan(this.ghostMs + LATENCY_MS.high, () => worker?.closed(), this.owner);
    const closed = () => this.onclose?.({ code: ABNORMAL_CLOSURE, reason: "" });
    this.world.plan(this.network.latency(), closed, this.client);
  }

  private fromServer(text: string, onSent: (() => void) | undefined): void {
    if (this.world.isDead(this.owner)) return;
    this.network.onServerFrame(this, text);
    if (onSent !== undefined) this.world.plan(0, onSent, this.owner);
    if (this.isBroken) return;
    this.world.note(`${this.name} < ${withoutClocks(text)}`);
    this.toClient(() => this.onmessage?.({ data: text }));
  }

  private closedByServer(code: number, reason: string): void {
    this.toClient(() => {
      this.readyState = 3;
      this.isBroken = true;
      this.network.connections.delete(this);
      this.onclose?.({ code, reason });
    });
  }

  private toClient(run: () => void): void {
    this.toClientMs = Math.max(this.toClientMs, this.world.nowMs + this.network.latency());
    const deliver = () => {
      if (!this.isBroken) run();
    };
    this.world.plan(this.toClientMs - this.world.nowMs, deliver, this.client);
  }
}

/** The official client keeps its first clock for the life of the process, so it is left out of the trace. */
function withoutClocks(text: string): string {
  return text.replace(/"(clientTs|clientClockSkew)":-?[\d.]+,?/g, "");
}
