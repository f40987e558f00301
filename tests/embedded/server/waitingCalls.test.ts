/** The memory that calls over HTTP take while they wait. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Runtime } from "../../../embedded/runtime/runtime";
import { Turns } from "../../../embedded/server/turns";
import { collectGarbage } from "../../support/collectGarbage";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, startTestServer } from "./testServer";

const CALLS = 10;
const NEVER = new Promise<never>(() => undefined);
// Each of these three characters is an object once it is parsed.
const CALL = { path: "messages:counter", args: { name: Array<object>(100_000).fill({}) } };
const ADA = Buffer.from(JSON.stringify({ issuer: "test", subject: "ada" })).toString("base64");
const PERSON = { Authorization: `Convex ${ADMIN_KEY}:${ADA}` };
const STRANGER = {};

/** Calls wait from here on; tells how many have come. */
const queriesOfOnePersonWait = (runtime: Runtime) => {
  vi.spyOn(runtime, "executeClientQuery").mockReturnValue(NEVER);
  const enter = vi.spyOn(Turns.prototype, "enter");
  onTestFinished(() => enter.mockRestore());
  return () => enter.mock.calls.length;
};
const queriesRun = (runtime: Runtime) => {
  const run = vi.spyOn(runtime, "executeClientQuery").mockReturnValue(NEVER);
  return () => run.mock.calls.length;
};
const mutationsWait = (runtime: Runtime) => {
  // The server waits for them at its end.
  const ended = new Promise<void>((resolve) => onTestFinished(() => resolve()));
  vi.spyOn(runtime.db, "room").mockReturnValue(ended);
  const full = { bytes: 1, batchMs: 0, isFull: true };
  vi.spyOn(runtime.db, "storeLag", "get").mockReturnValue(full);
  const start = vi.spyOn(runtime, "startClientMutation");
  return () => start.mock.calls.length;
};

test.each([
  ["a person's queries", "query", CALL, PERSON, queriesOfOnePersonWait],
  ["batches", "query_batch", { queries: [CALL] }, STRANGER, queriesRun],
  ["mutations", "mutation", CALL, STRANGER, mutationsWait],
  ["calls of any kind", "function", CALL, PERSON, queriesOfOnePersonWait],
])("%s that wait take about as much memory as their text", async (_, route, body, from, stop) => {
  const { origin, backend } = await startTestServer();
  const waiting = stop(backend.runtime);
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...from },
    body: JSON.stringify(body),
    signal: abort.signal,
  };
  const call = () => void fetch(`${origin}/api/${route}`, init).catch(() => undefined);
  const heapWith = async (count: number) => {
    await vi.waitFor(() => expect(waiting()).toBe(count), PATIENCE);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  // Two of one person's queries run at once.
  call();
  call();
  const before = await heapWith(2);
  for (let sent = 0; sent < CALLS; sent++) call();
  expect((await heapWith(2 + CALLS)) - before).toBeLessThan(1_000_000 * CALLS);
});
