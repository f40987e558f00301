/** Several queries in one request. */
import { expect, test } from "vitest";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "./testServer";

async function ask(origin: string, queries: readonly object[]): Promise<unknown[]> {
  const answer = await fetch(`${origin}/api/query_batch`, {
    method: "POST",
    body: JSON.stringify({ queries }),
    headers: { "Content-Type": "application/json" },
  });
  const { results } = (await answer.json()) as { results: { value: unknown }[] };
  return results.map(({ value }) => value);
}

const COUNTER = { path: "messages:counter", args: { name: "a" } };

test("all queries of a batch see the same data", async () => {
  const server = await startTestServer();
  const http = newHttpClient(server);
  await http.mutation(chat.increment, { name: "a" });
  const slow = { path: "messages:slowList", args: { channel: "a", iterations: 300_000 } };
  const answers = ask(server.origin, [COUNTER, slow, COUNTER]);
  await http.mutation(chat.increment, { name: "a" });
  expect(await answers).toEqual(["1", [], "1"]);
});

test("between the queries of a batch the server does other work", async () => {
  const { origin } = await startTestServer();
  const count = 100;
  let turns = 0;
  const tick = (): void => {
    turns += 1;
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  await ask(origin, Array<object>(count).fill(COUNTER));
  clearImmediate(immediate);
  expect(turns).toBeGreaterThanOrEqual(count);
});
