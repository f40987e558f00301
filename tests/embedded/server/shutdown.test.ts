/** Orderly shutdown: running calls are answered before the connections close. */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { RunningServer } from "../../../embedded/main";
import { QueryHub } from "../../../embedded/sync/hub";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { WireClient } from "../sync/wire";
import { newHttpClient, startTestServer } from "./testServer";

const GOING_AWAY = 1001;

test.each([
  ["startClientMutation", "Mutation", "messages:send", { channel: "a", body: "x" }],
  ["executeClientAction", "Action", "messages:orchestrate", { name: "x" }],
] as const)(
  "the answer of a running call leaves before the server (%s)",
  async (door, type, udfPath, args) => {
    const server = await startTestServer();
    const client = await WireClient.connect(server.origin);
    const { runtime } = server.backend;
    const begun = new Promise<void>((resolve) => {
      const original = runtime[door].bind(runtime) as (call: never) => never;
      const announced = (call: never): never => {
        resolve();
        return original(call);
      };
      vi.spyOn(runtime, door).mockImplementation(announced as never);
    });
    client.send({ type, requestId: 0, udfPath, args: [args] });
    await begun;
    const closed = server.close();
    expect(await client.untilClosed()).toBe(GOING_AWAY);
    expect(client.frames.map((frame) => frame.type)).toContain(`${type}Response`);
    await closed;
  },
);

test("the whole answer of a running HTTP action leaves before the server", async () => {
  const server = await startTestServer();
  const { http } = server.backend.runtime.deployment.modules;
  let send = (_text: string, _isLast: boolean): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text, isLast) => {
        controller.enqueue(new TextEncoder().encode(text));
        if (isLast) controller.close();
      };
    },
  });
  const slow = { invokeHttpAction: async () => new Response(body) };
  if (http === null) throw new Error("the fixture has no HTTP actions");
  const lookup = vi.spyOn(http, "lookup").mockReturnValue([slow, "GET", "/slow"] as never);
  onTestFinished(() => lookup.mockRestore());
  send("first", false);
  const answer = await fetch(`${server.origin}/slow`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toMatchObject({ value: "first" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = server.close();
  // Longer than idle connections are kept, shorter than running work gets.
  for (let tick = 0; tick < 20; tick += 1) await vi.advanceTimersByTimeAsync(100);
  send("last", true);
  expect(await reader?.read()).toMatchObject({ value: "last" });
  expect(await reader?.read()).toMatchObject({ done: true });
  vi.useRealTimers();
  await closed;
});

test("a health check that comes while the server stops is told so", async () => {
  const server = await startTestServer();
  let finish = (): void => undefined;
  const work = new Promise<void>((resolve) => (finish = resolve));
  vi.spyOn(server.backend.runtime, "drain").mockReturnValue(work);
  const { hostname, host, port } = new URL(server.origin);
  const probe = connect(Number(port), hostname);
  onTestFinished(() => void probe.destroy());
  // The second answer says that the probe's connection, which came before, has been accepted.
  await once(probe, "connect");
  await fetch(`${server.origin}/healthz`);
  const closed = server.close();
  probe.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await text(probe);
  finish();
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*"status":"stopping"/);
});

test("a message that waits for its turn when the connections close is left to the next server", async () => {
  const server = await startTestServer();
  const client = await WireClient.connect(server.origin);
  const send = (requestId: number) =>
    client.mutate(requestId, "messages:send", { channel: "a", body: "x" });
  send(0);
  await client.untilType("MutationResponse");
  vi.spyOn(QueryHub.prototype, "mayReadNow").mockReturnValue(false);
  let handle = (): unknown => undefined;
  const waits = new Promise<void>((resolve) => {
    vi.spyOn(QueryHub.prototype, "inTurn").mockImplementation(async (_sender, part) => {
      handle = part;
      resolve();
      return new Promise(() => undefined);
    });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const call = vi.spyOn(server.backend.runtime, "startClientMutation");
  send(1);
  await waits;
  const leave = vi.spyOn(WebSocket.prototype, "close").mockImplementationOnce(() => void handle());
  const closed = server.close();
  await vi.waitFor(() => expect(leave).toHaveBeenCalled(), PATIENCE);
  expect(call).not.toHaveBeenCalled();
  client.cut();
  await closed;
});

/** Podman and Docker give a container ten seconds. */
const CONTAINERS_GRACE_MS = 9_000;

/** How long it takes a server to end, by a clock that is wound up. */
async function msToClose(server: RunningServer): Promise<number> {
  let isClosed = false;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  void server.close().then(() => (isClosed = true));
  const startMs = Date.now();
  await vi.waitFor(() => {
    vi.advanceTimersByTime(100);
    expect(isClosed).toBe(true);
  }, PATIENCE);
  return Date.now() - startMs;
}

test("a job that goes on for ever does not keep the server from ending", async () => {
  const server = await startTestServer();
  const { runtime } = server.backend;
  let finish = (_outcome: never): void => undefined;
  const begun = new Promise<void>((resolve) => {
    vi.spyOn(runtime, "runMutation").mockImplementation(() => {
      resolve();
      return new Promise((settle) => (finish = settle));
    });
  });
  await newHttpClient(server).mutation(chat.schedule, { name: "job", delayMs: 0 });
  await begun;
  expect(await msToClose(server)).toBeLessThan(CONTAINERS_GRACE_MS);
  // It finds the database closed and no caller waiting.
  finish({ failure: { text: "Error: too late", frames: "" } } as never);
  await vi.waitFor(() => expect(server.logLines.join()).toContain("database is closed"), PATIENCE);
});

test("a client that does not take leave does not keep the server from ending", async () => {
  const server = await startTestServer();
  const url = `${server.origin.replace("http", "ws")}/api/1.48.0/sync`;
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.pause();
  expect(await msToClose(server)).toBeLessThan(CONTAINERS_GRACE_MS);
});
