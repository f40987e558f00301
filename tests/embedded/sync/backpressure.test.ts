/**
 * A connection that reads slowly gets fewer Transitions, each with the newest state, and none is kept for it. One that
 * asks for more than fits into a Transition gets several.
 */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import { QUERIES_PER_TURN_MAX, QueryHub } from "../../../embedded/sync/hub";
import { SyncWorker, type Transport } from "../../../embedded/sync/worker";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "../server/testServer";
import { WireClient } from "./wire";

test("while two Transitions are unsent no other is computed, and the next one has it all", async () => {
  const server = await startTestServer();
  const { runtime } = server.backend;
  const hub = new QueryHub(runtime);
  const sent: { modifications: { value: string[] }[] }[] = [];
  const unsent: (() => void)[] = [];
  const transport: Transport = {
    frameMaxBytes: 100_000,
    sendSoon: () => undefined,
    send: (text, onSent = () => undefined) => {
      sent.push(JSON.parse(text) as (typeof sent)[number]);
      unsent.push(onSent);
    },
    close: () => undefined,
  };
  const authenticator = {
    userFromToken: () => Promise.resolve(NO_IDENTITY),
    adminFromKey: () => NO_IDENTITY,
  };
  const client = { ip: null, userAgent: null };
  const worker = new SyncWorker(runtime, hub, authenticator, transport, client);
  const frame = (message: object) => worker.frame(JSON.stringify(message));
  const connect = { connectionCount: 0, lastCloseReason: null, clientTs: Date.now() };
  frame({ type: "Connect", sessionId: randomUUID(), ...connect });
  const add = { type: "Add", queryId: 0, udfPath: "messages:list", args: [{ channel: "a" }] };
  frame({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
  const values = () => sent.map(({ modifications }) => modifications[0]?.value);
  await expect.poll(values).toEqual([[]]);
  const http = newHttpClient(server);
  for (const body of ["1", "2", "3"]) await http.mutation(chat.send, { channel: "a", body });
  await expect.poll(values).toEqual([[], ["1"]]);
  unsent.shift()?.();
  await expect.poll(values).toEqual([[], ["1"], ["1", "2", "3"]]);
  worker.closed();
  hub.close();
});

test("results that are too long for one Transition come in the next one", async () => {
  const server = await startTestServer();
  // Each is more than a megabyte as JSON, and 32 of them are the most.
  const body = "\n".repeat(600_000);
  await newHttpClient(server).mutation(chat.send, { channel: "a", body });
  const client = await WireClient.connect(server.origin);
  const add = (_: unknown, queryId: number) => ({
    type: "Add",
    queryId,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a", group: queryId }],
  });
  const modifications = Array.from({ length: QUERIES_PER_TURN_MAX + 1 }, add);
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  const counts = () =>
    client.frames
      .filter(({ type }) => type === "Transition")
      .map((frame) => (frame.modifications as object[]).length);
  await client.until(() => counts().length === 2);
  expect(counts()).toEqual([QUERIES_PER_TURN_MAX, 1]);
});
