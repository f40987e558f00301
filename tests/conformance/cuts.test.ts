/**
 * The official client cut off at every message boundary: whatever frame was the last to pass, in either
 * direction, each mutation is applied once, in order, and answered once.
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

/** Passes frames on until the `cutAfter`th of one direction, then cuts both sides, once. */
class Cutter {
  readonly origin: string;
  /** Frames that passed in each direction. */
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
  ): Promise<Cutter> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const address = http.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const cutter = new Cutter(http, address.port);
    http.on("upgrade", (request, socket, head) => {
      cutter.sockets.handleUpgrade(request, socket, head, (client) => {
        const url = `${target.replace("http", "ws")}${request.url ?? ""}`;
        cutter.join(client, new WebSocket(url), cut);
      });
    });
    return cutter;
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
      // Delivered means: the frame has left before the connection breaks, and nobody can answer it.
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

/** One conversation through a cutter; answers how many frames passed and whether it was cut. */
async function converse(
  server: { origin: string },
  name: string,
  cut: { direction: Direction; after: number; isDelivered: boolean },
): Promise<Cutter> {
  const cutter = await Cutter.open(server.origin, cut);
  onTestFinished(() => cutter.close());
  const client = new ConvexClient(cutter.origin, { logger: false });
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
  // What the screen showed never went back, and ends at the truth.
  expect(seen.at(-1)).toBe(BigInt(MUTATIONS));
  expect([...seen].sort((one, other) => (one < other ? -1 : 1))).toEqual(seen);
  return cutter;
}

test.each([
  ["client", true],
  ["client", false],
  ["server", true],
  ["server", false],
] as const)(
  "after each frame of the %s (arrived: %s) the client goes on, and every mutation counts once",
  async (direction, isDelivered) => {
    const server = await startTestServer();
    const whole = await converse(server, "uncut", { direction, after: Infinity, isDelivered });
    const frames = whole.passed[direction];
    // Connect or the first result, and each call or its answer.
    expect(frames).toBeGreaterThan(MUTATIONS);
    const cutters = await Promise.all(
      Array.from({ length: frames }, (_, at) =>
        converse(server, `cut ${at}`, { direction, after: at + 1, isDelivered }),
      ),
    );
    // Transitions may be joined, so that a conversation is a frame or two shorter; none was far from it.
    expect(cutters.filter(({ isCut }) => isCut).length).toBeGreaterThan(MUTATIONS);
  },
  TIMEOUT_MS,
);
