/** Who reaches the routes of operators and of the official CLI. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { request } from "node:http";
import type { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer } from "./testServer";
import { personIdentity } from "../../support/personIdentity";
import { temporaryDir } from "../../support/temporaryDir";

const CHANGE = { changes: [{ name: "GIVEN", value: "changed" }] };
type Route = readonly [method: string, path: string, body?: object];
const ROUTES: readonly Route[] = [
  ["POST", "/api/update_environment_variables", CHANGE],
  ["GET", "/api/operator/status"],
  ["POST", "/api/operator/backup"],
  ["POST", "/api/export/request/zip"],
  ["GET", "/api/export/zip/1"],
  ["POST", "/api/import"],
];

async function statusAt(
  { origin }: { readonly origin: string },
  [method, path, body]: Route,
  key?: string,
): Promise<number> {
  const headers = {
    "Content-Type": "application/json",
    ...(key !== undefined && { Authorization: key }),
  };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`${origin}${path}`, init);
  await answer.text();
  return answer.status;
}

test("without the admin key, nothing is shown and nothing is done", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const statusOf = (route: Route, key?: string) => statusAt(server, route, key);
  for (const route of ROUTES) {
    const seen = [await statusOf(route), await statusOf(route, "Convex embedded|guess")];
    expect([route[1], ...seen]).toEqual([route[1], 403, 401]);
  }
  const http = newHttpClient(server);
  expect(await http.query(chat.environment, {})).toMatchObject({ given: "yes" });
  for (const route of ROUTES) {
    expect([401, 403]).not.toContain(await statusOf(route, `Convex ${ADMIN_KEY}`));
  }
  expect(await http.query(chat.environment, {})).toMatchObject({ given: "changed" });
  expect(await statusOf(["GET", "/api/export/zip/1"], `Convex ${ADMIN_KEY}`)).toBe(404);
});

test("whoever is signed in is no administrator", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  vi.spyOn(server.backend.authenticator, "fromHeader").mockResolvedValue(personIdentity("ada"));
  for (const route of ROUTES) {
    expect([route[1], await statusAt(server, route, "Bearer ada")]).toEqual([route[1], 403]);
  }
});

test("who pushes functions learns that this backend loads them itself", async () => {
  const { origin } = await startTestServer();
  for (const path of ["deploy2/start_push", "get_config", "push_config", "prepare_schema"]) {
    const answer = await fetch(`${origin}/api/${path}`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "PushNotSupported" }]);
  }
});

test("who follows the log learns where it is, with the one status that ends the official CLI", async () => {
  const { origin } = await startTestServer({ dataDir: temporaryDir() });
  const headers = { Authorization: `Convex ${ADMIN_KEY}` };
  const answer = await fetch(`${origin}/api/stream_function_logs?cursor=0`, { headers });
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: "LogsNotSupported" }]);
});

/** The status of an answer to a program that holds the admin key and sends any headers. */
const statusFor = (
  { origin }: { readonly origin: string },
  path: string,
  headers: Record<string, string | string[]> = {},
) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const key = { Authorization: `Convex ${ADMIN_KEY}` };
    const asked = request({ hostname, port, path, headers: { ...key, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on("error", reject).end();
  });

test.each([
  ["another machine that names this one", "192.0.2.1", "192.0.2.9", "127.0.0.1", 404],
  ["another machine by the address of this one", "192.0.2.1", "192.0.2.9", "192.0.2.9", 404],
  ["this machine by its address", "192.0.2.9", "192.0.2.9", "192.0.2.9:3210", 200],
  ["this machine by its name", "127.0.0.2", "127.0.0.1", "localhost", 200],
])("metrics and operators' routes for %s", async (_, remoteAddress, localAddress, Host, status) => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const place = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
    Object.defineProperty(socket, "localAddress", { value: localAddress });
  };
  subscribe("net.server.socket", place);
  onTestFinished(() => void unsubscribe("net.server.socket", place));
  for (const path of ["/metrics", "/api/operator/status"]) {
    expect([path, await statusFor(server, path, { Host })]).toEqual([path, status]);
  }
});

test("metrics and operators' routes do not exist for whoever comes through a proxy", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const { host } = new URL(server.origin);
  const proxied = ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"].map(
    (name) => ({ [name]: "bank.example" }),
  );
  for (const path of ["/metrics", "/api/operator/status"]) {
    expect([path, await statusFor(server, path)]).toEqual([path, 200]);
    for (const headers of [...proxied, { Host: "bank.example" }]) {
      expect([path, headers, await statusFor(server, path, headers)]).toEqual([path, headers, 404]);
      // Some proxies put their own headers behind those of the caller, who may send thousands.
      const behindOthers = { Host: host, A: Array<string>(2_500).fill(""), ...headers };
      expect([path, headers, await statusFor(server, path, behindOthers)]).toEqual([
        path,
        headers,
        404,
      ]);
    }
  }
});
