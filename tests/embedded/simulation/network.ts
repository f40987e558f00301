/**
 * Connections between clients and the server: frames take time and arrive in order, a connection can
 * break at any moment with frames on their way, and the server may hear old frames after the client has
 * come back on a new connection.
 */
import type { Transport } from "../../../embedded/sync/worker";
import type { World } from "./world";

/** The server's end, as far as a connection needs it. */
export interface Endpoint {
  readonly owner: string;
  accept(transport: Transport, client: string): { frame(text: string): void; closed(): void };
}

const LATENCY_MS = { low: 0.2, high: 8 };
const ABNORMAL_CLOSURE = 1006;
/** Chance that frames of a broken connection still reach the server, late. */
const GHOST_PROBABILITY = 0.5;
const GHOST_MS = 3_000;

export class Network {
  readonly connections = new Set<Connection>();
  /** null while the server is down. */
  server: Endpoint | null = null;
  private readonly world: World;
  private count = 0;
  /** Sees every frame of a client as it leaves. */
  onClientFrame: (connection: Connection, text: string) => void = () => undefined;
  /** Sees every frame of the server as it leaves. */
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

  /** Every connection of a server that is gone breaks. */
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
  /** How much later than on time frames of a broken connection arrive. */
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

  /** Breaks: the client hears of it soon, the server perhaps much later, after frames on their way. */
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

/** The official client remembers its first clock for the life of the process: no part of the trace. */
function withoutClocks(text: string): string {
  return text.replace(/"(clientTs|clientClockSkew)":-?[\d.]+,?/g, "");
}
