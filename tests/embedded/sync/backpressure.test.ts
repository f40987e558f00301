/**
 * A connection that reads slowly gets fewer Transitions, each with the newest state, and none is kept for it. One that
 * asks for more than fits into a Transition gets several.
 */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import { QueryHub } from "../../../embedded/sync/hub";
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

test.each([
  ["many queries", { messages: 1, queries: 33, counts: [27, 6] }],
  ["a few with long results", { messages: 8, queries: 5, counts: [3, 2] }],
])("of %s, the results beyond 32 MiB come in the next Transition", async (_what, asked) => {
  const server = await startTestServer();
  // 1.2 megabytes as JSON.
  const body = "\n".repeat(600_000);
  const http = newHttpClient(server);
  for (let sent = 0; sent < asked.messages; sent += 1) {
    await http.mutation(chat.send, { channel: "a", body });
  }
  const client = await WireClient.connect(server.origin);
  const add = (_: unknown, queryId: number) => ({
    type: "Add",
    queryId,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a", group: queryId }],
  });
  const modifications = Array.from({ length: asked.queries }, add);
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  const shown = () =>
    client.frames
      .filter(({ type }) => type === "Transition")
      .map(({ modifications: results }) =>
        (results as { queryId: number }[]).map(({ queryId }) => queryId),
      );
  await client.until(() => shown().flat().length === asked.queries);
  expect(shown().map(({ length }) => length)).toEqual(asked.counts);
  expect(shown().flat()).toEqual(modifications.map(({ queryId }) => queryId));
});
