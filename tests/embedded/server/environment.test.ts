/** The deployment's environment while functions use it. */
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { startSupervised } from "./supervised";
import { ADMIN_KEY, newClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

function change(server: { origin: string }, changes: unknown): Promise<Response> {
  return fetch(`${server.origin}/api/update_environment_variables`, {
    method: "POST",
    body: JSON.stringify({ changes }),
    headers: { "Content-Type": "application/json", Authorization: `Convex ${ADMIN_KEY}` },
  });
}

/** The values of the variable that a client is shown, one after the other. */
function watchGiven(server: { origin: string }): unknown[] {
  const seen: unknown[] = [];
  newClient(server).onUpdate(chat.environment, {}, ({ given }) => void seen.push(given));
  return seen;
}

test("a change reaches open queries that depend on it, and those that open later", async () => {
  const server = await startTestServer();
  const first = watchGiven(server);
  await vi.waitFor(() => expect(first).toEqual(["yes"]), PATIENCE);
  for (const [value, shown] of [
    ["added", "added"],
    ["changed", "changed"],
    [null, "yes"],
  ] as const) {
    expect((await change(server, [{ name: "GIVEN", value }])).status).toBe(200);
    const later = watchGiven(server);
    await vi.waitFor(() => expect(later).toEqual([shown]), PATIENCE);
    await vi.waitFor(() => expect(first.at(-1)).toBe(shown), PATIENCE);
  }
  expect(first).toEqual(["yes", "added", "changed", "yes"]);
});

test("a change runs no other query again", async () => {
  const server = await startTestServer();
  const shown: unknown[] = [];
  newClient(server).onUpdate(chat.list, { channel: "a" }, (list) => void shown.push(list));
  const dependent = watchGiven(server);
  await vi.waitFor(() => expect([shown.length, dependent.length]).toEqual([1, 1]), PATIENCE);
  const runs = vi.spyOn(server.backend.runtime, "executeClientQuery");
  await change(server, [{ name: "GIVEN", value: "changed" }]);
  await vi.waitFor(() => expect(dependent).toEqual(["yes", "changed"]), PATIENCE);
  expect(runs.mock.calls.map(([{ path }]) => path)).toEqual(["messages:environment"]);
});

test("as many variables as allowed are all seen, and one more is refused, whatever comes with it", async () => {
  const server = await startTestServer();
  const others = Array.from({ length: 511 }, (_, at) => ({ name: `OTHER_${at}`, value: "x" }));
  const given = { name: "GIVEN", value: "last" };
  expect((await change(server, [...others, given])).status).toBe(200);
  const more = { name: "ONE_MORE", value: "x" };
  const refusal = await change(server, [{ ...given, value: "changed" }, more]);
  expect([refusal.status, await refusal.text()]).toEqual([
    400,
    expect.stringContaining("too many environment variables (limit: 512)"),
  ]);
  const seen = watchGiven(server);
  await vi.waitFor(() => expect(seen).toEqual(["last"]), PATIENCE);
  expect((await change(server, [{ name: "OTHER_0", value: null }, more])).status).toBe(200);
});

test("what the server itself says about its addresses cannot be changed", async () => {
  const server = await startTestServer();
  for (const name of ["CONVEX_CLOUD_URL", "CONVEX_SITE_URL"]) {
    const refusal = await change(server, [{ name, value: "https://evil.example" }]);
    expect([refusal.status, await refusal.json()]).toEqual([
      400,
      expect.objectContaining({
        message: `Environment variable name "${name}" is reserved: the server gives it itself`,
      }),
    ]);
  }
});

test("what the host fixes is seen whatever is stored, and nothing new can be stored", async () => {
  const dataDir = temporaryDir();
  const before = await startTestServer({ dataDir });
  expect((await change(before, [{ name: "GIVEN", value: "stored" }])).status).toBe(200);
  await before.close();
  const server = await startTestServer({ dataDir, fixedEnv: { GIVEN: "fixed" } });
  expect((await change(server, [{ name: "GIVEN", value: "changed" }])).status).toBe(400);
  const seen = watchGiven(server);
  await vi.waitFor(() => expect(seen).toEqual(["fixed"]), PATIENCE);
  expect((await change(server, [{ name: "GIVEN", value: null }])).status).toBe(200);
  await server.close();
  const after = watchGiven(await startTestServer({ dataDir }));
  await vi.waitFor(() => expect(after).toEqual(["yes"]), PATIENCE);
});

test("long names are accepted, and too much in all is refused", async () => {
  const server = await startTestServer();
  const long = { name: "N".repeat(256), value: "x" };
  expect((await change(server, [long])).status).toBe(200);
  expect((await change(server, [{ ...long, name: `${long.name}N` }])).status).toBe(400);
  const large = Array.from({ length: 64 }, (_, at) => ({
    name: `LARGE_${at}`,
    value: "x".repeat(8 * 1024),
  }));
  expect((await change(server, large.slice(1))).status).toBe(200);
  const refusal = await change(server, large.slice(0, 1));
  expect([refusal.status, await refusal.text()]).toEqual([
    400,
    expect.stringContaining("too large together (limit: 512 KiB)"),
  ]);
});

test("what is no list of texts changes nothing", async () => {
  const server = await startTestServer();
  expect((await change(server, [{ name: "GIVEN", value: "changed" }])).status).toBe(200);
  for (const [given, message] of [
    [[{ name: "GIVEN", value: 5 }], "The value of GIVEN must be a string, or null to remove it"],
    [{ name: "GIVEN", value: null }, "changes must be an array"],
    [["GIVEN"], "Each change needs a name"],
  ] as const) {
    const refusal = await change(server, given);
    expect([refusal.status, await refusal.json()]).toMatchObject([400, { message }]);
  }
  const seen = watchGiven(server);
  await vi.waitFor(() => expect(seen).toEqual(["changed"]), PATIENCE);
});

test("a served function sees UTC and American English, wherever its machine stands", async () => {
  const abroad = { ...process.env, TZ: "Asia/Tokyo", LC_ALL: "de_DE.UTF-8" };
  const { http } = await startSupervised(temporaryDir(), abroad);
  expect(await http.query(chat.wording, {})).toBe("0 1,234.5");
});

test.each([
  ["an environment that cannot be read", { env: () => expect.fail("no environment") }],
  ["a malformed origin", { allowedOrigins: ["nowhere"] }],
])("a start that fails because of %s leaves the data folder free", async (_, options) => {
  const dataDir = temporaryDir();
  await expect(startTestServer({ dataDir, ...options })).rejects.toThrow();
  await startTestServer({ dataDir });
});
