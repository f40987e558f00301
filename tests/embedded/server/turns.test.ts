/** Answers of HTTP actions that one person has under way at the same time. */
import { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { Turns } from "../../../embedded/server/turns";
import { ADMIN_KEY, startTestServer } from "./testServer";

const AT_ONCE = 6;

/**
 * Asks for an answer that has no end, and waits for its beginning. Its reader stops at once. An answer that nobody
 * holds would be ended by the garbage collector.
 */
function ask(origin: string, subject: string | null) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const user = Buffer.from(JSON.stringify({ issuer: "test", subject })).toString("base64");
  const headers = new Headers();
  if (subject !== null) headers.set("Authorization", `Convex ${ADMIN_KEY}:${user}`);
  const begun = fetch(`${origin}/endless`, { headers, signal: abort.signal }).then((answer) => {
    expect(answer.status).toBe(200);
    return answer;
  });
  return { begun, hangUp: () => abort.abort() };
}

test("who does not read has a few answers under way; the next waits, and nobody else does", async () => {
  const { origin } = await startTestServer();
  const first = Array.from({ length: AT_ONCE }, () => ask(origin, "ada"));
  await Promise.all(first.map(({ begun }) => begun));
  let isBegun = false;
  const next = ask(origin, "ada").begun.then(() => void (isBegun = true));
  await ask(origin, "bob").begun;
  expect(isBegun).toBe(false);
  first[0]?.hangUp();
  await next;
});

test("a request whose client has left while it waited is not answered, and the next one is", async () => {
  const { origin, backend } = await startTestServer();
  const begin = vi.spyOn(backend.runtime, "beginWork");
  const enter = vi.spyOn(Turns.prototype, "enter");
  const emit = vi.spyOn(ServerResponse.prototype, "emit");
  onTestFinished(() => [enter, emit].forEach((spy) => spy.mockRestore()));
  const first = Array.from({ length: AT_ONCE }, () => ask(origin, "ada"));
  const answers = await Promise.all(first.map(({ begun }) => begun));
  const gone = ask(origin, "ada");
  await vi.waitFor(() => expect(enter).toHaveBeenCalledTimes(AT_ONCE + 1), PATIENCE);
  gone.hangUp();
  await expect(gone.begun).rejects.toThrow();
  await vi.waitFor(() => expect(emit).toHaveBeenCalledWith("close"), PATIENCE);
  const next = ask(origin, "ada");
  first[0]?.hangUp();
  await next.begun;
  expect(begin).toHaveBeenCalledTimes(answers.length + 1);
});

test("a stranger who does not read keeps no other stranger waiting", async () => {
  const { origin } = await startTestServer();
  await Promise.all(Array.from({ length: AT_ONCE + 1 }, () => ask(origin, null).begun));
});

test("calls of strangers wait for no turn, as each would for all others; those of one person do", async () => {
  const { origin } = await startTestServer();
  const enter = vi.spyOn(Turns.prototype, "enter");
  onTestFinished(() => enter.mockRestore());
  const query = { path: "messages:list", args: { channel: "a" }, format: "json" };
  const call = async (authorization: Record<string, string>) => {
    for (const [path, body] of [
      ["query", query],
      ["query_batch", { queries: [query] }],
    ] as const) {
      const headers = { "Content-Type": "application/json", ...authorization };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      expect((await fetch(`${origin}/api/${path}`, init)).status).toBe(200);
    }
  };
  await call({});
  expect(enter).not.toHaveBeenCalled();
  const user = Buffer.from(JSON.stringify({ issuer: "test", subject: "ada" })).toString("base64");
  await call({ Authorization: `Convex ${ADMIN_KEY}:${user}` });
  // The query, the batch, and the query in it.
  expect(enter).toHaveBeenCalledTimes(3);
});

test("turns come in the order in which they were asked for, and only so many wait", async () => {
  const turns = new Turns(1, 2);
  const order: number[] = [];
  const first = await turns.enter("ada");
  const waiting = [1, 2].map(async (number) => {
    const turn = await turns.enter("ada");
    order.push(number);
    turn.leave();
  });
  await expect(turns.enter("ada")).rejects.toMatchObject({ status: 503 });
  first.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
  (await turns.enter("ada")).leave();
});

test("a turn that ends makes room for one, whether somebody waited for it or not", async () => {
  const overloaded = { status: 503 };
  const none = new Turns(2, 0);
  const [ended] = [await none.enter("ada"), await none.enter("ada")];
  ended.leave();
  await none.enter("ada");
  await expect(none.enter("ada")).rejects.toMatchObject(overloaded);

  const one = new Turns(1, 1);
  const first = await one.enter("ada");
  const second = one.enter("ada");
  first.leave();
  await second;
  void one.enter("ada");
  await expect(one.enter("ada")).rejects.toMatchObject(overloaded);
});
