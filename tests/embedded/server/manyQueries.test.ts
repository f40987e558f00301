/** Many queries or messages at a time. */
import { randomUUID } from "node:crypto";
import { on, once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi, type MockInstance } from "vitest";
import { WebSocket } from "ws";
import { countTurns } from "../../support/countTurns";
import { MESSAGES_PER_TURN_MAX } from "../../../embedded/server/connection";
import { TURN_MAX_BYTES } from "../../../embedded/sync/hub";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer } from "./testServer";

async function ask(origin: string, queries: readonly object[]): Promise<unknown[]> {
  const answer = await fetch(`${origin}/api/query_batch`, {
    method: "POST",
    body: JSON.stringify({ queries }),
    headers: { "Content-Type": "application/json" },
  });
  const { results } = (await answer.json()) as { results: { value: unknown }[] };
  return results.map(({ value }) => value);
}

const get = (target: string, headers = ""): string =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;

const COUNTER = { path: "messages:counter", args: { name: "a" } };

test("all queries of a batch see the same data", async () => {
  const server = await startTestServer();
  const http = newHttpClient(server);
  await http.mutation(chat.increment, { name: "a" });
  const slow = { path: "messages:slowList", args: { channel: "a", iterations: 300_000 } };
  const answers = ask(server.origin, [COUNTER, slow, COUNTER]);
  await http.mutation(chat.increment, { name: "a" });
  expect(await answers).toEqual(["1", [], "1"]);
});

test("what a batch has seen is not kept for it once it is answered", async () => {
  const { origin, backend } = await startTestServer();
  const begin = backend.db.beginQuery.bind(backend.db);
  const closings: MockInstance[] = [];
  vi.spyOn(backend.db, "beginQuery").mockImplementation(() => {
    const snapshot = begin();
    closings.push(vi.spyOn(snapshot, "close"));
    return snapshot;
  });
  expect(await ask(origin, [COUNTER, COUNTER])).toEqual(["0", "0"]);
  expect(closings).not.toEqual([]);
  for (const close of closings) expect(close).toHaveBeenCalledOnce();
});

test("of one person's batches one is under way and a few wait; nobody else does", async () => {
  const { origin } = await startTestServer();
  const body = JSON.stringify({ queries: Array<object>(100).fill(COUNTER) });
  const statusFor = async (subject: string) => {
    const user = Buffer.from(JSON.stringify({ issuer: "test", subject })).toString("base64");
    const headers = {
      "Content-Type": "application/json",
      Authorization: `Convex ${ADMIN_KEY}:${user}`,
    };
    const answer = await fetch(`${origin}/api/query_batch`, { method: "POST", body, headers });
    await answer.text();
    return answer.status;
  };
  const hers = Promise.all(Array.from({ length: 40 }, () => statusFor("ada")));
  expect(await statusFor("bob")).toBe(200);
  const statuses = await hers;
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(17);
  expect(statuses).toContain(503);
});

test.each([{}, { queries: COUNTER }, { queries: [5] }, { queries: [{ args: {} }] }])(
  "%j is no batch",
  async (batch) => {
    const { origin } = await startTestServer();
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(batch) };
    const answer = await fetch(`${origin}/api/query_batch`, init);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "BadJsonBody" }]);
  },
);

test("between the queries of a batch the server does other work", async () => {
  const { origin } = await startTestServer();
  const count = 100;
  const turns = countTurns();
  await ask(origin, Array<object>(count).fill(COUNTER));
  expect(turns()).toBeGreaterThanOrEqual(count);
});

test("and between the queries that one person sends on many connections", async () => {
  const { port, backend } = await startTestServer();
  const sockets = Array.from({ length: 100 }, () => connect({ port, host: "127.0.0.1" }));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  // Connections are accepted one in a turn; this waits until all of them are.
  const answers = () => Promise.all(sockets.map((socket) => once(socket, "data")));
  sockets.forEach((socket) => socket.write(get("/version")));
  await answers();
  const turns = countTurns();
  const execute = backend.runtime.executeClientQuery.bind(backend.runtime);
  const ranIn: number[] = [];
  vi.spyOn(backend.runtime, "executeClientQuery").mockImplementation((...call) => {
    ranIn.push(turns());
    return execute(...call);
  });
  const asked = get("/api/query?path=messages:time", `Authorization: Convex ${ADMIN_KEY}\r\n`);
  sockets.forEach((socket) => socket.write(asked));
  await answers();
  expect(ranIn).toHaveLength(sockets.length);
  const inOneTurn = ranIn.map((turn) => ranIn.filter((other) => other === turn).length);
  expect(Math.max(...inOneTurn)).toBeLessThanOrEqual(2);
});

test("and between the messages that a connection sends in one piece", async () => {
  const { origin } = await startTestServer();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  const turns = countTurns();
  const send = (type: string, rest: object): void => socket.send(JSON.stringify({ type, ...rest }));
  send("Connect", { sessionId: randomUUID(), connectionCount: 0 });
  for (let sent = 0; sent < 25 * MESSAGES_PER_TURN_MAX; sent += 1) send("Event", {});
  send("ModifyQuerySet", { baseVersion: 0, newVersion: 1, modifications: [] });
  await once(socket, "message");
  expect(turns()).toBeGreaterThanOrEqual(25);
  // And reading goes on.
  send("ModifyQuerySet", { baseVersion: 1, newVersion: 2, modifications: [] });
  await once(socket, "message");
});

const LONG_CHARS = 100_000;
/** Short enough to be read as they come, but not twenty of them in one turn. */
const MEDIUM_CHARS = 50_000;
/** Longer than the hub goes on in one turn. */
const READING_MS = 10;

/** The turns of the event loop in which long texts are read, which takes a while. */
function watchReading(): readonly number[] {
  const original = JSON.parse.bind(JSON);
  const turns = countTurns();
  const readIn: number[] = [];
  const parse = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    if (text.length > MEDIUM_CHARS) {
      readIn.push(turns());
      for (const startMs = performance.now(); performance.now() < startMs + READING_MS;);
    }
    return original(text, reviver) as unknown;
  });
  onTestFinished(() => parse.mockRestore());
  return readIn;
}

const TOGETHER = 20;

/**
 * The turns in which bodies of this length are read that arrive together on 20 connections, and the order in which their
 * queries are run, by their place.
 */
async function bodiesTogether(chars: number, addressOf: (place: number) => string = () => "") {
  const { port, backend } = await startTestServer({ trustedProxy: "127.0.0.1" });
  const sockets = Array.from({ length: TOGETHER }, () => connect({ port, host: "127.0.0.1" }));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const answers = () => Promise.all(sockets.map((socket) => once(socket, "data")));
  const begin = (socket: Socket, place: number) => {
    const args = { name: "x".repeat(chars), place };
    const body = JSON.stringify({ path: "messages:counter", args });
    const lengths = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const from = `X-Forwarded-For: ${addressOf(place)}\r\n`;
    const head = `POST /api/query HTTP/1.1\r\nHost: 127.0.0.1\r\n${lengths}${from}\r\n`;
    return new Promise((sent) => socket.write(head + body.slice(0, -1), sent));
  };
  await Promise.all(sockets.map(begin));
  await fetch(`http://127.0.0.1:${port}/version`);
  const run = vi.spyOn(backend.runtime, "executeClientQuery");
  const readIn = watchReading();
  sockets.forEach((socket) => socket.write("}"));
  await answers();
  expect(readIn).toHaveLength(TOGETHER);
  const order = run.mock.calls.map(([{ args }]) => (args as { place: number }).place);
  return { readIn, order };
}

/** The same for messages on WebSockets. */
async function messagesTogether(chars: number) {
  const { origin } = await startTestServer();
  const body = JSON.stringify({ type: "Event", text: "x".repeat(chars) });
  const sockets = await Promise.all(
    Array.from({ length: TOGETHER }, async () => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
      onTestFinished(() => socket.terminate());
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "Connect", sessionId: randomUUID(), connectionCount: 0 }));
      socket.send(body.slice(0, -1), { fin: false });
      // The answer comes when everything before it has arrived.
      socket.ping();
      await once(socket, "pong");
      return socket;
    }),
  );
  const readIn = watchReading();
  const modification = { type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] };
  for (const socket of sockets) {
    socket.send(body.slice(-1), { fin: true });
    socket.send(JSON.stringify(modification));
  }
  await Promise.all(sockets.map((socket) => once(socket, "message")));
  expect(readIn).toHaveLength(TOGETHER);
  return { readIn };
}

test.each([
  ["bodies", bodiesTogether],
  ["messages", messagesTogether],
])("of large %s that arrive together, one is read in a turn", async (_name, arrive) => {
  const { readIn } = await arrive(LONG_CHARS);
  expect(new Set(readIn).size).toBe(readIn.length);
});

test.each([
  ["bodies", bodiesTogether],
  ["messages", messagesTogether],
])("of shorter %s, a few, on however many connections they arrive", async (_name, arrive) => {
  const { readIn } = await arrive(MEDIUM_CHARS);
  const inOneTurn = readIn.map((turn) => readIn.filter((other) => other === turn).length);
  // Beside those that are read as they come, one of those that wait, and one of the turn before.
  const most = Math.ceil(TURN_MAX_BYTES / MEDIUM_CHARS) + 2;
  expect(Math.max(...inOneTurn)).toBeLessThanOrEqual(most);
});

test("large bodies of one address keep nobody else waiting", async () => {
  const other = TOGETHER - 1;
  const addressOf = (place: number): string => (place === other ? "203.0.113.1" : "192.0.2.1");
  const { order } = await bodiesTogether(LONG_CHARS, addressOf);
  expect(order).toHaveLength(TOGETHER);
  // Its last byte may arrive a turn later.
  expect(order.indexOf(other)).toBeLessThan(5);
});

test("large and small messages of a connection keep their order, also beside others' large ones", async () => {
  const { origin } = await startTestServer();
  const pad = "x".repeat(LONG_CHARS);
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
      onTestFinished(() => socket.terminate());
      await once(socket, "open");
      return socket;
    }),
  );
  watchReading();
  const ended = sockets.map(async (socket) => {
    socket.send(JSON.stringify({ type: "Connect", sessionId: randomUUID(), connectionCount: 0 }));
    const count = 30;
    for (let version = 0; version < count; version += 1) {
      const versions = { baseVersion: version, newVersion: version + 1 };
      const rest = { modifications: [], ...(version % 3 === 1 && { pad }) };
      socket.send(JSON.stringify({ type: "ModifyQuerySet", ...versions, ...rest }));
    }
    for await (const [data] of on(socket, "message", { close: ["close"] })) {
      if (String(data).includes(`"querySet":${count}`)) return true;
    }
    return false;
  });
  expect(await Promise.all(ended)).toEqual(sockets.map(() => true));
});

test("strangers do not wait for each other's queries", async () => {
  const { origin, backend } = await startTestServer();
  const execute = backend.runtime.executeClientQuery.bind(backend.runtime);
  const spy = vi.spyOn(backend.runtime, "executeClientQuery");
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  for (let count = 0; count < 2; count++) {
    spy.mockImplementationOnce((...call) => held.then(() => execute(...call)));
  }
  const asking = () => fetch(`${origin}/api/query?path=messages:time`);
  const first = [asking(), asking()];
  await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(2), PATIENCE);
  expect((await asking()).status).toBe(200);
  goOn();
  for (const { status } of await Promise.all(first)) expect(status).toBe(200);
});
