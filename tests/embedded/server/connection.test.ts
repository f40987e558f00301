/** What a connection sends in silence and at its end, and what it leaves unread. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { QueryHub } from "../../../embedded/sync/hub";
import { PATIENCE } from "../../support/patience";
import { WireClient } from "../sync/wire";
import { startTestServer } from "./testServer";

const STEP_MS = 5_000;
const MIB = 1024 * 1024;
const WATCH = { type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [] };

test("a client hears something every 15 s, because it would reconnect", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { origin } = await startTestServer();
  const client = await WireClient.connect(origin);
  const typesAfter = async (steps: number) => {
    for (let step = 0; step < steps; step++) vi.advanceTimersByTime(STEP_MS);
    await fetch(`${origin}/healthz`);
    return client.frames.map(({ type }) => type);
  };
  expect(await typesAfter(2)).toEqual([]);
  client.send(WATCH);
  await client.untilType("Transition");
  expect(await typesAfter(2)).toEqual(["Transition"]);
  await typesAfter(1);
  await client.untilType("Ping");
  await typesAfter(3);
  await client.until(() => client.frames.length === 3);
});

/** A client's frame with a short payload, masked with zeros. */
const frameOf = (opcode: number, text: string) =>
  Buffer.from([0x80 | opcode, 0x80 | text.length, 0, 0, 0, 0, ...Buffer.from(text)]);

const TEXT = 1;
const BINARY = 2;
const CLOSE = 0x88;

test("nothing follows the frame that ends a connection, not even an answer that was awaited", async () => {
  const { port, backend } = await startTestServer();
  let end: (outcome: { json: string; logLines: string[] }) => void = () => undefined;
  const act = vi.spyOn(backend.runtime, "executeClientAction");
  act.mockReturnValue(new Promise((resolve) => (end = resolve)));
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.write(
    "GET /api/sync HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n\r\n",
  );
  await once(socket, "data");
  const id = "00000000-0000-4000-8000-000000000000";
  socket.write(frameOf(TEXT, `{"type":"Connect","sessionId":"${id}","connectionCount":0}`));
  socket.write(frameOf(TEXT, '{"type":"Action","requestId":0,"udfPath":"a:b","args":[{}]}'));
  await vi.waitFor(() => expect(act).toHaveBeenCalled(), PATIENCE);
  socket.write(frameOf(BINARY, "x"));
  const [last] = (await once(socket, "data")) as [Buffer];
  expect(last[0]).toBe(CLOSE);
  const more: Buffer[] = [];
  socket.on("data", (data) => more.push(data));
  end({ json: "null", logLines: [] });
  await fetch(`http://127.0.0.1:${port}/healthz`);
  // The client's part of the end.
  socket.write(frameOf(CLOSE & 0xf, ""));
  await once(socket, "close");
  expect(more).toEqual([]);
});

test("a client whose message waits for its turn is not read on", async () => {
  const { origin } = await startTestServer();
  const inTurn = vi.spyOn(QueryHub.prototype, "inTurn");
  onTestFinished(() => inTurn.mockRestore());
  inTurn.mockReturnValue(new Promise(() => undefined));
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  for (let sent = 0; sent < 32; sent++) socket.send("x".repeat(MIB));
  await vi.waitFor(() => expect(inTurn).toHaveBeenCalled(), PATIENCE);
  for (let asked = 0; asked < 50; asked++) await fetch(`${origin}/healthz`);
  expect(socket.bufferedAmount).toBeGreaterThan(16 * MIB);
});

test("what a client has open is closed with its connection", async () => {
  const { origin } = await startTestServer();
  const fetched = vi.spyOn(QueryHub.prototype, "fetch");
  onTestFinished(() => fetched.mockRestore());
  const client = await WireClient.connect(origin);
  const query = { type: "Add", queryId: 1, udfPath: "messages:list", args: [{ channel: "a" }] };
  client.send({ ...WATCH, modifications: [query] });
  await client.untilType("Transition");
  const hub = fetched.mock.contexts[0] as QueryHub;
  expect(hub.liveCount).toBe(1);
  client.cut();
  await vi.waitFor(() => expect(hub.liveCount).toBe(0), PATIENCE);
});

test("a message that is too long ends its connection", async () => {
  const { origin } = await startTestServer({ messageMaxBytes: 1_000 });
  for (const [bytes, code] of [
    [1_001, 1009],
    // Taken, and found to be no message.
    [1_000, 1005],
  ] as const) {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
    await once(socket, "open");
    socket.send("x".repeat(bytes));
    expect((await once(socket, "close"))[0]).toBe(code);
  }
});
