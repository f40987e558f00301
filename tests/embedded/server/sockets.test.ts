/** Connections whose client has disappeared silently, or was refused and stays. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { MESSAGES_PER_TURN_MAX } from "../../../embedded/server/connection";
import { UNFINISHED } from "../../../embedded/server/heldBytes";
import { QueryHub } from "../../../embedded/sync/hub";
import { SyncWorker } from "../../../embedded/sync/worker";
import { PATIENCE } from "../../support/patience";
import { startTestServer } from "./testServer";

const KEY = "MTIzNDU2Nzg5MDEyMzQ1Ng==";
const STEP_MS = 5_000;
const SILENT_CLIENT_MS = 120_000;

function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function openSocket(origin: string, autoPong: boolean): Promise<WebSocket> {
  const options = { autoPong, generateMask: (mask: Buffer) => void mask.fill(0) };
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`, options);
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once("open", resolve));
  return socket;
}

test("nobody is cut off because the clock is set", async () => {
  stopClock();
  const { origin } = await startTestServer();
  const socket = await openSocket(origin, true);
  const isAnswered = new Promise((resolve) => socket.once("pong", resolve));
  vi.setSystemTime(Date.now() + 2 * SILENT_CLIENT_MS);
  vi.advanceTimersByTime(STEP_MS);
  socket.ping();
  await isAnswered;
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

test("a client that answers no pings is cut off after two minutes, one that does stays", async () => {
  stopClock();
  const { origin } = await startTestServer();
  const [answering, silent] = await Promise.all([
    openSocket(origin, true),
    openSocket(origin, false),
  ]);
  const pass = async (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      vi.advanceTimersByTime(STEP_MS);
      // Gives pings and pongs time to travel.
      await fetch(`${origin}/healthz`);
    }
  };
  await pass(SILENT_CLIENT_MS);
  expect(silent.readyState).toBe(WebSocket.OPEN);
  const isCut = new Promise((resolve) => silent.once("close", resolve));
  await pass(2 * STEP_MS);
  await isCut;
  expect(answering.readyState).toBe(WebSocket.OPEN);
});

test("when too much waits for all clients together, those furthest behind are cut off", async () => {
  stopClock();
  // What the server's sockets say is unsent: each less than one may have.
  const unsentBytes = [60, 60, 60, 60, 63, 60, 60, 62, 60, 60].map((each) => each * 1024 * 1024);
  const asked: WebSocket[] = [];
  const unsent = vi.spyOn(WebSocket.prototype, "bufferedAmount", "get");
  onTestFinished(() => unsent.mockRestore());
  unsent.mockImplementation(function (this: WebSocket) {
    if (!asked.includes(this)) asked.push(this);
    return unsentBytes[asked.indexOf(this)] ?? 0;
  });
  const { origin } = await startTestServer();
  const clients: WebSocket[] = [];
  while (clients.length < unsentBytes.length) clients.push(await openSocket(origin, true));
  const isOpen = () => clients.map(({ readyState }) => readyState === WebSocket.OPEN);
  const isWithin = unsentBytes.map((bytes) => bytes <= 60 * 1024 * 1024);
  vi.advanceTimersByTime(STEP_MS);
  await vi.waitFor(() => expect(isOpen()).toEqual(isWithin), PATIENCE);
});

test("when too much was begun and not finished, whoever has the longest message is cut off", async () => {
  stopClock();
  const { origin } = await startTestServer({ messageMaxBytes: 1024 * 1024 * 1024 });
  const first = JSON.stringify({ type: "Connect", sessionId: randomUUID(), connectionCount: 0 });
  const event = JSON.stringify({ type: "Event", text: "x".repeat(10 * 1024 * 1024) });
  const sent = async (mebibytes: number, isWhole = false) => {
    const socket = await openSocket(origin, true);
    if (isWhole) socket.send(first);
    for (let done = 0; done < mebibytes; done += 10) {
      await new Promise((resolve) => socket.send(event, { fin: isWhole }, resolve));
    }
    // The answer comes when everything before it was received.
    const isReceived = once(socket, "pong");
    socket.ping();
    await isReceived;
    return socket;
  };
  const clients = [await sent(80), await sent(200), await sent(180, true)];
  const isOpen = () => clients.map(({ readyState }) => readyState === WebSocket.OPEN);
  vi.advanceTimersByTime(STEP_MS);
  await vi.waitFor(() => expect(isOpen()).toEqual([true, false, true]), PATIENCE);
});

test("a message may come in a thousand pieces, but not in any number of them", async () => {
  const { origin } = await startTestServer();
  const socket = await openSocket(origin, true);
  const connecting = { type: "Connect", sessionId: randomUUID(), connectionCount: 0 };
  const watching = { type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] };
  const send = (message: object, pieces: number) => {
    const text = JSON.stringify(message).padEnd(pieces);
    for (let at = 0; at < pieces; at++) socket.send(text.charAt(at), { fin: at === pieces - 1 });
  };
  for (const message of [connecting, watching]) send(message, 1_024);
  expect(String((await once(socket, "message"))[0])).toContain("Transition");
  send({ type: "Event" }, 1_025);
  expect((await once(socket, "close"))[0]).toBe(1008);
});

function limitUnfinished(bytes: number): void {
  const { allMax } = UNFINISHED;
  Object.assign(UNFINISHED, { allMax: bytes });
  onTestFinished(() => void Object.assign(UNFINISHED, { allMax }));
}

test("whole messages count as well while they wait for their turn", async () => {
  stopClock();
  limitUnfinished(1024 * 1024);
  const inTurn = vi.spyOn(QueryHub.prototype, "inTurn");
  onTestFinished(() => inTurn.mockRestore());
  inTurn.mockReturnValue(new Promise(() => undefined));
  const { origin } = await startTestServer();
  const clients = [await openSocket(origin, true), await openSocket(origin, true)];
  clients.forEach((client, at) => client.send("x".repeat((at + 1) * 400 * 1024)));
  await vi.waitFor(() => expect(inTurn).toHaveBeenCalledTimes(clients.length), PATIENCE);
  vi.advanceTimersByTime(STEP_MS);
  const isOpen = () => clients.map(({ readyState }) => readyState === WebSocket.OPEN);
  await vi.waitFor(() => expect(isOpen()).toEqual([true, false]), PATIENCE);
});

const upgradeOf = (target: string, hosts: string): string =>
  `GET ${target} HTTP/1.1\r\n${hosts}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`;

test("the beginning of a message counts as what it takes: more if it came byte by byte", async () => {
  stopClock();
  limitUnfinished(256 * 1024);
  const { port } = await startTestServer();
  const begin = async () => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    onTestFinished(() => void socket.destroy());
    socket.write(upgradeOf("/api/sync", "Host: 127.0.0.1\r\n"));
    await once(socket, "data");
    // A text of 65,535 bytes, and its mask.
    socket.write(Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0]));
    return socket.on("error", () => undefined).resume();
  };
  const [atOnce, inPieces] = [await begin(), await begin()];
  atOnce.write("x".repeat(1_000));
  for (let sent = 0; sent < 1_000; sent++) {
    inPieces.write("x");
    await new Promise(setImmediate);
  }
  const isCut = once(inPieces, "close");
  vi.advanceTimersByTime(STEP_MS);
  await isCut;
  expect(atOnce.destroyed).toBe(false);
});

test("messages behind one that ends their connection are dropped unread", async () => {
  const { origin } = await startTestServer();
  const read = vi.spyOn(SyncWorker.prototype, "frame");
  onTestFinished(() => read.mockRestore());
  const socket = await openSocket(origin, true);
  for (let sent = 0; sent < 1000; sent += 1) socket.send("no message");
  await once(socket, "close");
  expect(read.mock.calls.length).toBeLessThanOrEqual(MESSAGES_PER_TURN_MAX);
});

test("a refused upgrade is over, also when the client keeps its half of the connection", async () => {
  const server = await startTestServer();
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write(upgradeOf("/nowhere", "Host: 127.0.0.1\r\n"));
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 404 /);
  // Resolves only when the server has no connection left.
  await server.close();
  expect(socket.destroyed).toBe(false);
});

test.each([
  ["one host", "/api/sync", "Host: 127.0.0.1\r\n", 101],
  ["two hosts", "/api/sync", "Host: 127.0.0.1\r\nHost: other.example\r\n", 400],
  ["an address of another host", "http://other.example/api/sync", "Host: 127.0.0.1\r\n", 400],
  ["no host", "/api/sync", "", 400],
])("an upgrade names its host like every request: %s", async (_what, target, hosts, status) => {
  const { port } = await startTestServer();
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.write(upgradeOf(target, hosts));
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each(["/sync", "/api/sync/", "/api/1.0.0/2.0.0/sync", "/api/a_b/sync", "/x/api/sync"])(
  "nobody is connected at %s",
  async (target) => {
    const { port } = await startTestServer();
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.write(upgradeOf(target, "Host: 127.0.0.1\r\n"));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 404 /);
  },
);

test.each([
  [
    "another version learns which one is spoken here",
    "Version: 13",
    "Version: 14",
    /^HTTP\/1.1 400 [^]*\r\nSec-WebSocket-Version: 13\r\n/,
  ],
  [
    "WebSocket, however it is spelled, is welcome",
    "Upgrade: websocket",
    "Upgrade: WebSocket",
    /^HTTP\/1.1 101 /,
  ],
])("whoever speaks %s", async (_, from, to, wanted) => {
  const { port } = await startTestServer();
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.write(upgradeOf("/api/sync", "Host: 127.0.0.1\r\n").replace(from, to));
  expect(String((await once(socket, "data"))[0])).toMatch(wanted);
});

test("whoever offers another protocol is served as if they had not", async () => {
  const { port } = await startTestServer();
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  const offer = "Host: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
  const answered = async (status: number) => {
    const [data] = (await once(socket, "data")) as [Buffer];
    expect(data.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  };
  socket.write(`GET /version HTTP/1.1\r\n${offer}\r\n`);
  await answered(200);
  // With a body, part of which has arrived with the headers.
  const body = JSON.stringify({ path: "messages:list", args: {}, format: "json" });
  const head = `${offer}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`POST /api/query HTTP/1.1\r\n${head}\r\n${body.slice(0, 9)}`);
  await new Promise(setImmediate);
  socket.write(body.slice(9));
  await answered(200);
});

test("after a refusal a long body is not read on, the rest of a short one is", async () => {
  const { port } = await startTestServer();
  const open = (bodyHeader: string) => {
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.write(`POST /api/query HTTP/1.1\r\nHost: 127.0.0.1\r\n${bodyHeader}\r\n\r\n`);
    return socket;
  };
  const answered = async (socket: ReturnType<typeof open>, status: number) => {
    const [data] = (await once(socket, "data")) as [Buffer];
    expect(data.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    return data.toString();
  };
  for (const long of ["Content-Length: 1000000000", "Transfer-Encoding: chunked"]) {
    const socket = open(long);
    const isOver = once(socket, "end");
    // Without `Connection: close` it would stay open and be read as long as data arrives.
    expect(await answered(socket, 415)).toContain("Connection: close");
    await isOver;
  }
  const short = open("Content-Length: 10");
  expect(await answered(short, 415)).toContain("Connection: keep-alive");
  short.write("0123456789GET /version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  await answered(short, 200);
});
