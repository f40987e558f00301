/** Requests that a connection sends without waiting for answers, and answers that their reader leaves unread. */
import { once } from "node:events";
import { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "./testServer";

const WAITING_MAX = 64;
const HEARTBEAT_MS = 5_000;
const MIB = 1024 * 1024;

const HEAD = "HTTP/1.1\r\nHost: 127.0.0.1\r\n";

const get = (target: string): string => `GET ${target} ${HEAD}\r\n`;

function post(target: string, value: object): string {
  const body = JSON.stringify(value);
  const about = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${target} ${HEAD}${about}\r\n${body}`;
}

const increment = (name: string): string =>
  post("/api/mutation", { path: "messages:increment", args: { name } });

const countOf = (name: string): string =>
  post("/api/query", { path: "messages:counter", args: { name } });

/** A connection, and the answers that it has received. */
function open({ port }: { readonly port: number }) {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("error", () => undefined).on("data", (data) => (text += data.toString()));
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(String);
  return { socket, heads: () => found(/HTTP\/1/g), answers: () => found(/^\{.*\}/gm) };
}

/** Counts what happens to the server's answers. */
function watchAnswers(method: "end" | "emit" | "setTimeout") {
  const spy = vi.spyOn(ServerResponse.prototype, method);
  onTestFinished(() => spy.mockRestore());
  return spy;
}

test("a request that offers another protocol is not forgotten behind one that is being answered", async () => {
  const { socket, heads } = open(await startTestServer());
  let isClosed = false;
  socket.once("close", () => (isClosed = true));
  const args = { name: "a", iterations: 100_000 };
  const slow = post("/api/mutation", { path: "messages:slowIncrement", args });
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
  socket.write(`${slow}GET /version ${HEAD}${offer}\r\n`);
  // Where Node does not ask before it lets go of a socket, it is closed.
  await vi.waitFor(() => expect(isClosed || heads().length === 2).toBe(true), PATIENCE);
});

test("a connection's requests are handled one after the other, in the order of arrival", async () => {
  const { socket, answers } = open(await startTestServer());
  const args = { name: "a", iterations: 100_000 };
  const slow = post("/api/mutation", { path: "messages:slowIncrement", args });
  socket.write(slow + countOf("a") + increment("a") + countOf("a"));
  await vi.waitFor(() => expect(answers()).toHaveLength(4), PATIENCE);
  expect(answers()).toEqual([
    '{"status":"success","value":null}',
    '{"status":"success","value":"1"}',
    '{"status":"success","value":"2"}',
    '{"status":"success","value":"2"}',
  ]);
  socket.write(increment("b"));
  await vi.waitFor(() => expect(answers()).toHaveLength(5), PATIENCE);
});

test("between the requests of a connection the server does other work", async () => {
  const { socket } = open(await startTestServer());
  const end = watchAnswers("end");
  const answeredByTurn = [0];
  const tick = (): void => {
    answeredByTurn.push(end.mock.calls.length);
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  onTestFinished(() => clearImmediate(immediate));
  socket.write(get("/version").repeat(1 + WAITING_MAX));
  await vi.waitFor(() => expect(answeredByTurn.at(-1)).toBe(1 + WAITING_MAX), PATIENCE);
  const inOneTurn = answeredByTurn.slice(1).map((count, turn) => count - answeredByTurn[turn]!);
  expect(Math.max(...inOneTurn)).toBe(1);
});

test("requests that wait on a connection are gone with it", async () => {
  const server = await startTestServer();
  const { socket } = open(server);
  socket.write(get("/stalled") + get("/api/query?path=messages:crash"));
  await once(socket, "data");
  const emit = watchAnswers("emit");
  socket.destroy();
  await vi.waitFor(() => expect(emit).toHaveBeenCalledWith("close"), PATIENCE);
  await newHttpClient(server).query(chat.counter, { name: "a" });
  expect(server.logLines).toEqual([]);
});

test.each([
  ["that has begun", get("/stalled"), 1],
  ["that has not", post("/api/action", { path: "a:b", args: {} }), 0],
])("what is no request is not answered amid an answer %s", async (_, request, begun) => {
  const server = await startTestServer();
  const act = vi.spyOn(server.backend.runtime, "executeClientAction");
  act.mockReturnValue(new Promise(() => undefined));
  const { socket, heads } = open(server);
  const asked = watchAnswers("setTimeout");
  socket.write(request);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENCE);
  await vi.waitFor(() => expect(heads()).toHaveLength(begun), PATIENCE);
  socket.write("NONSENSE\r\n\r\n");
  await once(socket, "close");
  expect(heads()).toHaveLength(begun);
});

test("as many requests may wait as clients send; with one more the connection is cut", async () => {
  const server = await startTestServer();
  const within = open(server);
  within.socket.write(increment("a").repeat(1 + WAITING_MAX));
  await vi.waitFor(() => expect(within.answers()).toHaveLength(1 + WAITING_MAX), PATIENCE);
  const beyond = open(server);
  beyond.socket.write(increment("b").repeat(1 + WAITING_MAX + 1));
  await once(beyond.socket, "close");
  expect(beyond.answers()).toEqual([]);
  expect(await newHttpClient(server).query(chat.counter, { name: "b" })).toBeLessThanOrEqual(1n);
});

test("no answers are made for what else was read from a connection that is cut", async () => {
  const server = await startTestServer();
  const { socket } = open(server);
  const made = watchAnswers("setTimeout");
  socket.write(get("/version").repeat(1000));
  await once(socket, "close");
  await newHttpClient(server).query(chat.counter, { name: "a" });
  expect(made.mock.calls.length).toBeLessThanOrEqual(1 + WAITING_MAX + 1 + 1);
});

test("who leaves too much of an answer unread is cut off", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startTestServer();
  const body = "x".repeat(0.9 * MIB);
  await newHttpClient(server).mutation(chat.send, { channel: "a", body });
  const list = { path: "messages:list", args: { channel: "a" } };
  const end = watchAnswers("end");
  const [within, beyond] = [50, 100].map((lists) => {
    const { socket } = open(server);
    socket.pause();
    socket.write(post("/api/query_batch", { queries: Array<unknown>(lists).fill(list) }));
    return socket;
  }) as [Socket, Socket];
  await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(2), PATIENCE);
  vi.advanceTimersByTime(HEARTBEAT_MS);
  await new Promise((resolve) => beyond.resume().once("close", resolve));
  expect(beyond.bytesRead).toBeLessThan(100 * body.length);
  within.resume();
  await vi.waitFor(() => expect(within.bytesRead).toBeGreaterThan(50 * body.length), PATIENCE);
});
