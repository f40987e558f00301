/**
 * The official client is disconnected at every message boundary, in either direction: each mutation is
 * applied exactly once, in order, and gets one result.
 */
import { createServer, type Server } from "node:http";
import { ConvexClient } from "convex/browser";
import { WebSocket, WebSocketServer } from "ws";
import { expect, onTestFinished, test } from "vitest";
import { chat } from "../embedded/fixtures/chatApi";
import { newHttpClient, startTestServer } from "../embedded/server/testServer";

const MUTATIONS = 4;
const TIMEOUT_MS = 120_000;

type Direction = "client" | "server";

/** A proxy that forwards frames and once, after a given frame of one direction, closes both connections. */
class CuttingProxy {
  readonly origin: string;
  /** Number of frames forwarded in each direction. */
  readonly passed = { client: 0, server: 0 };
  isCut = false;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly http: Server;

  private constructor(http: Server, port: number) {
    this.http = http;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** @param isDelivered whether the last frame still arrives before the cut */
  static async open(
    target: string,
    cut: { direction: Direction; after: number; isDelivered: boolean },
  ): Promise<CuttingProxy> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const address = http.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const proxy = new CuttingProxy(http, address.port);
    http.on("upgrade", (request, socket, head) => {
      proxy.sockets.handleUpgrade(request, socket, head, (client) => {
        const url = `${target.replace("http", "ws")}${request.url ?? ""}`;
        proxy.join(client, new WebSocket(url), cut);
      });
    });
    return proxy;
  }

  close(): void {
    for (const client of this.sockets.clients) client.terminate();
    this.http.close();
  }

  private join(
    client: WebSocket,
    server: WebSocket,
    cut: { direction: Direction; after: number; isDelivered: boolean },
  ): void {
    const waiting: string[] = [];
    const end = (): void => {
      client.terminate();
      server.terminate();
    };
    const pass = (direction: Direction, text: string): void => {
      this.passed[direction] += 1;
      const isLast =
        !this.isCut && direction === cut.direction && this.passed[direction] === cut.after;
      const to = direction === "client" ? server : client;
      if (!isLast) return to.send(text);
      this.isCut = true;
      // Delivered means: the frame was sent before the connection closes, so that no answer can come back.
      if (!cut.isDelivered) return end();
      to.send(text, () => {
        client.terminate();
        setImmediate(() => server.terminate());
      });
    };
    client.on("message", (data) => {
      const text = (data as Buffer).toString();
      if (server.readyState === WebSocket.OPEN) pass("client", text);
      else waiting.push(text);
    });
    server.on("open", () => waiting.splice(0).forEach((text) => pass("client", text)));
    server.on("message", (data) => pass("server", (data as Buffer).toString()));
    for (const socket of [client, server]) {
      socket.on("error", () => undefined);
      socket.on("close", end);
    }
  }
}

/** Runs mutations through a cutting proxy; returns the proxy with its frame counts. */
async function runThroughProxy(
  server: { origin: string },
  name: string,
  cut: { direction: Direction; after: number; isDelivered: boolean },
): Promise<CuttingProxy> {
  const proxy = await CuttingProxy.open(server.origin, cut);
  onTestFinished(() => proxy.close());
  const client = new ConvexClient(proxy.origin, { logger: false });
  onTestFinished(() => client.close());
  const seen: bigint[] = [];
  client.onUpdate(chat.counter, { name }, (value) => seen.push(value));
  const answers: bigint[] = [];
  for (let n = 0; n < MUTATIONS; n += 2) {
    const call = () => client.mutation(chat.increment, { name });
    answers.push(...(await Promise.all([call(), call()])));
  }
  expect(answers).toEqual([1n, 2n, 3n, 4n]);
  expect(await newHttpClient(server).query(chat.counter, { name })).toBe(BigInt(MUTATIONS));
  // The displayed value never went back, and ends at the true one.
  expect(seen.at(-1)).toBe(BigInt(MUTATIONS));
  expect([...seen].sort((one, other) => (one < other ? -1 : 1))).toEqual(seen);
  return proxy;
}

test.each([
  ["client", true],
  ["client", false],
  ["server", true],
  ["server", false],
] as const)(
  "when the connection is cut after any frame of the %s (arrived: %s), every mutation counts once",
  async (direction, isDelivered) => {
    const server = await startTestServer();
    const whole = await runThroughProxy(server, "uncut", {
      direction,
      after: Infinity,
      isDelivered,
    });
    const frames = whole.passed[direction];
    // Connect or the first result, and each call or its result.
    expect(frames).toBeGreaterThan(MUTATIONS);
    const proxies = await Promise.all(
      Array.from({ length: frames }, (_, at) =>
        runThroughProxy(server, `cut ${at}`, { direction, after: at + 1, isDelivered }),
      ),
    );
    // Transitions may be merged, so that some runs have a frame or two less and are not cut.
    expect(proxies.filter(({ isCut }) => isCut).length).toBeGreaterThan(MUTATIONS);
  },
  TIMEOUT_MS,
);
