/** What the open queries of all connections together may take of the memory. */
import { getHeapStatistics } from "node:v8";
import { expect, onTestFinished, test, vi } from "vitest";
import { KEPT } from "../../../embedded/server/heldBytes";
import { chat } from "../fixtures/chatApi";
import { WireClient } from "../sync/wire";
import { newHttpClient, startTestServer } from "./testServer";

const CHECK_MS = 1_000;

/** Lets the open queries take as much as in a process with 8 MiB. */
function limitMemory(): void {
  const { allMax } = KEPT;
  expect(allMax).toBe(getHeapStatistics().heap_size_limit / 4);
  Object.assign(KEPT, { allMax: 2 * 1024 * 1024 });
  onTestFinished(() => void Object.assign(KEPT, { allMax }));
}

function stopHeartbeat(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** A stranger with that many small queries, whose results have arrived. */
async function strangerWith(origin: string, count: number): Promise<WireClient> {
  const client = await WireClient.connect(origin);
  const modifications = Array.from({ length: count }, (_, queryId) => ({
    type: "Add",
    queryId,
    udfPath: "messages:counter",
    args: [{ name: String(queryId) }],
  }));
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  await client.untilType("Transition");
  return client;
}

test("if they take too much, whoever has most of them open is cut off, and nobody else", async () => {
  limitMemory();
  stopHeartbeat();
  const { origin } = await startTestServer();
  const page = await strangerWith(origin, 12);
  const [some, most] = [await strangerWith(origin, 300), await strangerWith(origin, 1_000)];
  vi.advanceTimersByTime(CHECK_MS);
  const more = await strangerWith(origin, 900);
  vi.advanceTimersByTime(CHECK_MS);
  expect(await most.untilClosed()).toBe(1008);
  vi.advanceTimersByTime(CHECK_MS);
  for (const client of [page, some, more]) {
    client.send({ type: "ModifyQuerySet", baseVersion: 1, newVersion: 2, modifications: [] });
    await client.until(
      ({ endVersion }) => (endVersion as { querySet: number } | undefined)?.querySet === 2,
    );
  }
});

test("results count as well while others of the same connection are still computed", async () => {
  limitMemory();
  stopHeartbeat();
  const server = await startTestServer();
  await newHttpClient(server).mutation(chat.send, { channel: "a", body: "x".repeat(100_000) });
  const { runtime } = server.backend;
  const execute = runtime.executeClientQuery.bind(runtime);
  vi.spyOn(runtime, "executeClientQuery").mockImplementation((...call) => {
    vi.advanceTimersByTime(CHECK_MS);
    return execute(...call);
  });
  const client = await WireClient.connect(server.origin);
  const modifications = Array.from({ length: 40 }, (_, queryId) => ({
    type: "Add",
    queryId,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a", group: queryId }],
  }));
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  expect(await client.untilClosed()).toBe(1008);
});
