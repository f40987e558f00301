/** Who reaches the routes of operators and of the official CLI. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer, temporaryDir } from "./testServer";

const CHANGE = { changes: [{ name: "GIVEN", value: "changed" }] };
const ROUTES: readonly [method: string, path: string, body?: object][] = [
  ["POST", "/api/update_environment_variables", CHANGE],
  ["GET", "/api/operator/status"],
  ["POST", "/api/operator/backup"],
  ["POST", "/api/export/request/zip"],
  ["GET", "/api/export/zip/1"],
  ["POST", "/api/import"],
];

test("without the admin key, nothing is shown and nothing is done", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const statusOf = async ([method, path, body]: (typeof ROUTES)[number], key?: string) => {
    const headers = {
      "Content-Type": "application/json",
      ...(key !== undefined && { Authorization: key }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${server.origin}${path}`, init);
    await answer.text();
    return answer.status;
  };
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
});

test("metrics and operators' routes do not exist for whoever comes through a proxy", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const { hostname, host, port } = new URL(server.origin);
  const statusOf = (path: string, headers: Record<string, string | string[]> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const key = { Authorization: `Convex ${ADMIN_KEY}` };
      const asked = request({ hostname, port, path, headers: { ...key, ...headers } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on("error", reject).end();
    });
  const proxied = ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"].map(
    (name) => ({ [name]: "bank.example" }),
  );
  for (const path of ["/metrics", "/api/operator/status"]) {
    expect([path, await statusOf(path)]).toEqual([path, 200]);
    for (const headers of [...proxied, { Host: "bank.example" }]) {
      expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, 404]);
      // Some proxies put their own headers behind those of the caller, who may send thousands.
      const behindOthers = { Host: host, A: Array<string>(2_500).fill(""), ...headers };
      expect([path, headers, await statusOf(path, behindOthers)]).toEqual([path, headers, 404]);
    }
  }
});
