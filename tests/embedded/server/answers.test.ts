/** Answers of functions: bodies that end otherwise than they should, what is held for them, what they tell. */
import { expect, test, vi } from "vitest";
import { WireClient } from "../sync/wire";
import { startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

const ANSWER_MAX_BYTES = 20 * 1024 * 1024;
const HANGING_MS = 20_000;
const CUT_OFF = /terminated|fetch failed/;

test("an answer has the official length at most: a longer one is cut off, and logged", async () => {
  const { origin, logLines } = await startTestServer();
  const read = async (bytes: number) => {
    const answer = await fetch(`${origin}/zeros?bytes=${bytes}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  expect(await read(ANSWER_MAX_BYTES)).toBe(ANSWER_MAX_BYTES);
  expect(logLines).toEqual([]);
  await expect(read(ANSWER_MAX_BYTES + 1)).rejects.toThrow(CUT_OFF);
  expect(logLines).toEqual([expect.stringMatching(/GET \/zeros.*HttpResponseTooLarge.*20 MiB/)]);
});

test("an answer whose body fails is cut off, and its error is logged", async () => {
  const { origin, logLines } = await startTestServer();
  const read = async () => (await fetch(`${origin}/torn`)).text();
  await expect(read()).rejects.toThrow(CUT_OFF);
  expect(logLines).toEqual([expect.stringMatching(/GET \/torn.*torn in the middle/)]);
});

test("an answer whose client leaves is no failure, also while its body is awaited", async () => {
  const server = await startTestServer();
  const leaving = new AbortController();
  const answer = await fetch(`${server.origin}/stalled`, { signal: leaving.signal });
  const reader = answer.body?.getReader();
  await reader?.read();
  leaving.abort();
  await server.close();
  expect(server.logLines).toEqual([]);
});

test.each([
  ["of which only the head was asked for", "HEAD", "/endless", 200, "ok"],
  ["that is a failure", "GET", "/broken", 500, "error"],
])(
  "an answer %s is over with its head, is counted, and keeps no stop waiting",
  async (_, method, route, status, outcome) => {
    const onCall = vi.fn();
    // Routes go before pages.
    const { origin, backend } = await startTestServer({ onCall, staticDir: temporaryDir() });
    expect((await fetch(`${origin}${route}`, { method })).status).toBe(status);
    await backend.runtime.drain(2 * HANGING_MS);
    expect(onCall.mock.calls).toMatchObject([[{ kind: "http", path: `GET ${route}`, outcome }]]);
  },
  HANGING_MS,
);

test("what was held for a request's body is free once it is answered", async () => {
  const { origin } = await startTestServer();
  // Two of them at once would be more than one sender may have.
  const body = Buffer.alloc(ANSWER_MAX_BYTES, "x");
  for (let time = 0; time < 2; time++) {
    const answer = await fetch(`${origin}/api/echo`, { method: "POST", body });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([
      201,
      ANSWER_MAX_BYTES,
    ]);
  }
  const larger = Buffer.alloc(ANSWER_MAX_BYTES + 1, "x");
  expect((await fetch(`${origin}/api/echo`, { method: "POST", body: larger })).status).toBe(413);
});

test.each([
  [true, []],
  [false, [expect.stringContaining("in the mutation")]],
])(
  "what functions print is for developers (a deployment for others: %s)",
  async (isRedacting, logLines) => {
    const { origin } = await startTestServer({ isRedacting });
    const client = await WireClient.connect(origin);
    client.mutate(0, "outcomes:print", { lines: 1 });
    expect(await client.untilType("MutationResponse")).toMatchObject({ success: true, logLines });
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ path: "outcomes:print", args: { lines: 1 } });
    const answer = await fetch(`${origin}/api/mutation`, { method: "POST", headers, body });
    const shown = (await answer.json()) as { logLines?: string[] };
    expect(shown.logLines ?? []).toEqual(logLines);
  },
);

test.each([
  ["Mutation", "outcomes:oddMutation"],
  ["Action", "outcomes:oddAction"],
])(
  "a failed %s is answered as one, with nothing but the number of the server's record of it",
  async (type, udfPath) => {
    const onCall = vi.fn<(call: { readonly requestId: string }) => void>();
    const { origin } = await startTestServer({ isRedacting: true, onCall });
    const client = await WireClient.connect(origin);
    client.send({ type, requestId: 7, udfPath, args: [{ kind: "foreign" }] });
    const answer = await client.until(({ requestId }) => requestId === 7);
    const [[call] = []] = onCall.mock.calls;
    expect(answer).toEqual({
      type: `${type}Response`,
      requestId: 7,
      success: false,
      result: `[Request ID: ${call?.requestId}] Server Error`,
      logLines: [],
    });
  },
);

test.each([
  ["/api/query?path=messages:time", 200, "application/json"],
  ["/api/nothing", 404, "application/json"],
  ["/version", 200, "text/plain; charset=utf-8"],
])("the answer at %s may be kept by nobody, and says what it is", async (address, status, type) => {
  const { origin } = await startTestServer();
  const answer = await fetch(origin + address);
  const { headers } = answer;
  const seen = [answer.status, headers.get("content-type"), headers.get("cache-control")];
  expect(seen).toEqual([status, type, "no-store"]);
});

test("an HTTP action's cookies are headers of their own", async () => {
  const { origin } = await startTestServer();
  const { headers } = await fetch(`${origin}/cookies`);
  const cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"];
  expect(headers.getSetCookie()).toEqual(cookies);
});

test("an address that names no module, or no function, is refused as officially", async () => {
  const { origin } = await startTestServer();
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${origin}/api/run/x`, { method: "POST", headers, body: "{}" });
  const message = "Path or function name not provided in path, e.g. /api/run/messages/list";
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { code: "MissingIdentifier", message },
  ]);
});

test.each([
  ["query", "messages/counter", { name: "a" }, "0"],
  ["mutation", "messages/increment", { name: "a" }, "1"],
  ["mutation", "messages.js:increment", { name: "a" }, "1"],
  ["action", "node/sha256", { text: "a" }, expect.stringMatching(/^[0-9a-f]{64}$/) as string],
])("what the address alone names is run: a %s", async (_, address, args, value) => {
  const { origin } = await startTestServer();
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ args, path: "messages:list" }) };
  const answer = await fetch(`${origin}/api/run/${address}`, init);
  expect(await answer.json()).toEqual({ status: "success", value });
});

test("a failure of the server itself is told to its log alone", async () => {
  const { origin, backend, logLines } = await startTestServer({ isRedacting: false });
  const failing = vi.spyOn(backend.authenticator, "fromHeader");
  failing.mockRejectedValue(new Error("a secret of the machine"));
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${origin}/api/query`, { method: "POST", headers, body: "{}" });
  const code = "InternalServerError";
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { code, message: "Internal server error" },
  ]);
  expect(logLines).toEqual([expect.stringContaining("a secret of the machine")]);
});
