/** The memory that calls over HTTP take while they wait. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Runtime } from "../../../embedded/runtime/runtime";
import { Turns } from "../../../embedded/server/turns";
import { usedHeapBytes } from "../../support/heap";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, startTestServer } from "./testServer";

const CALLS = 10;
const NEVER = new Promise<never>(() => undefined);
// Each of these three characters is an object once it is parsed.
const CALL = { path: "messages:counter", args: { name: Array<object>(100_000).fill({}) } };
const personOf = (subject: string) => {
  const user = Buffer.from(JSON.stringify({ issuer: "test", subject })).toString("base64");
  return { Authorization: `Convex ${ADMIN_KEY}:${user}` };
};
const PERSON = personOf("ada");
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
    return usedHeapBytes();
  };
  // Two of one person's queries run at once.
  call();
  call();
  const before = await heapWith(2);
  for (let sent = 0; sent < CALLS; sent++) call();
  expect((await heapWith(2 + CALLS)) - before).toBeLessThan(1_000_000 * CALLS);
});

test("of one person, 64 Mi characters of arguments wait; short calls and other people's are served", async () => {
  const { origin, backend } = await startTestServer({ messageMaxBytes: 17 * 1024 * 1024 });
  const enter = vi.spyOn(Turns.prototype, "enter");
  onTestFinished(() => enter.mockRestore());
  const run = vi.spyOn(backend.runtime, "executeClientQuery");
  /** Queries wait until they are let go. */
  const hold = () => {
    let letGo = (): void => undefined;
    run.mockReturnValue(new Promise((_, fail) => (letGo = () => fail(new Error("let go")))));
    return letGo;
  };
  const long = "x".repeat(16 * 1024 * 1024);
  const post = async (route: string, body: object, person = PERSON) => {
    const headers = { "Content-Type": "application/json", ...person };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${origin}/api/${route}`, init)).status;
  };
  const counterOf = (name: string) => ({ path: "messages:counter", args: { name } });
  const ask = (name: string, person = PERSON) => post("query", counterOf(name), person);
  const askMany = (name: string) => post("query_batch", { queries: [counterOf(name)] });
  const begun = (calls: number) =>
    vi.waitFor(() => expect(enter).toHaveBeenCalledTimes(calls), PATIENCE);
  const letGo = hold();
  const waiting = [ask("both"), ask("turns"), ask(long), ask(long), askMany(long)];
  // A batch's query has a turn of its own.
  await begun(6);
  expect(await ask(long)).toBe(503);
  waiting.push(ask("short"), ask(long, personOf("bob")));
  await begun(8);
  letGo();
  await Promise.all(waiting);
  const letGoAgain = hold();
  const again = [ask("both"), ask("turns"), ask(long)];
  await begun(11);
  letGoAgain();
  await Promise.all(again);
});
