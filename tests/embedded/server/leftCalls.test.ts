/** Calls over HTTP whose client has left while they waited. */
import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { Turns } from "../../../embedded/server/turns";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, startTestServer } from "./testServer";

test("a mutation that nobody waits for any more does not begin", async () => {
  const { origin, backend } = await startTestServer();
  const { runtime } = backend;
  let begin = (): void => undefined;
  const held = new Promise<void>((resolve) => (begin = resolve));
  const room = vi.spyOn(runtime.db, "room").mockReturnValue(held);
  const start = vi.spyOn(runtime, "startClientMutation");
  const abort = new AbortController();
  const increment = (signal?: AbortSignal) =>
    fetch(`${origin}/api/mutation`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path: "messages:increment", args: { name: "visits" } }),
      ...(signal !== undefined && { signal }),
    });
  const left = increment(abort.signal);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce(), PATIENCE);
  const stays = increment();
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2), PATIENCE);
  const [called] = start.mock.calls[0] ?? [];
  abort.abort();
  await expect(left).rejects.toThrow();
  const txn = runtime.db.beginQuery();
  await vi.waitFor(() => expect(called?.around?.mayRun(txn)).toBe(false), PATIENCE);
  txn.close();
  room.mockRestore();
  begin();
  await Promise.all(
    start.mock.results.map(({ value }) => (value as { outcome: Promise<unknown> }).outcome),
  );
  expect((await stays).status).toBe(200);
  const counted = await fetch(
    `${origin}/api/query?path=messages:counter&args=${encodeURIComponent('{"name":"visits"}')}`,
  );
  expect(await counted.json()).toMatchObject({ value: "1" });
});

test.each([
  ["GET", (path: string) => ({ address: `/api/query?path=${path}`, body: null, turns: 1 })],
  ["POST", (path: string) => ({ address: "/api/query", body: { path, args: {} }, turns: 1 })],
  [
    "POST",
    (path: string) => ({
      address: "/api/query_batch",
      body: { queries: [{ path, args: {} }] },
      // Its own, and its query's.
      turns: 2,
    }),
  ],
])("nor does a query: %s %#", async (method, requestFor) => {
  const { origin, backend } = await startTestServer();
  const { runtime } = backend;
  const execute = runtime.executeClientQuery.bind(runtime);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const run = vi.spyOn(runtime, "executeClientQuery");
  run.mockImplementation((...call) => held.then(() => execute(...call)));
  const ada = Buffer.from(JSON.stringify({ issuer: "test", subject: "ada" })).toString("base64");
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Convex ${ADMIN_KEY}:${ada}`,
  };
  const ask = (path: string, signal?: AbortSignal) => {
    const { address, body } = requestFor(path);
    return fetch(origin + address, {
      method,
      headers,
      ...(body !== null && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  };
  const askAlone = () => fetch(`${origin}/api/query?path=messages:time`, { headers });
  const enter = vi.spyOn(Turns.prototype, "enter");
  onTestFinished(() => enter.mockRestore());
  const first = [askAlone(), askAlone()];
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), PATIENCE);
  const abort = new AbortController();
  const left = ask("messages:counter", abort.signal);
  const entered = 2 + requestFor("").turns;
  await vi.waitFor(() => expect(enter).toHaveBeenCalledTimes(entered), PATIENCE);
  const closed = vi.spyOn(Socket.prototype, "destroy");
  onTestFinished(() => closed.mockRestore());
  abort.abort();
  await expect(left).rejects.toThrow();
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
  const stays = askAlone();
  await vi.waitFor(() => expect(enter).toHaveBeenCalledTimes(entered + 1), PATIENCE);
  goOn();
  for (const answer of [...first, stays]) expect((await answer).status).toBe(200);
  expect(run.mock.calls.map(([{ path }]) => path)).not.toContain("messages:counter");
});
