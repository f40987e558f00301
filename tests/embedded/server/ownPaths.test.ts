/** Functions with a route for every address, as the routers of web frameworks have, on the backend's only port. */
import path from "node:path";
import { makeFunctionReference } from "convex/server";
import { expect, test } from "vitest";
import { ADMIN_KEY, newClient, newHttpClient, startTestServer } from "./testServer";

const FOLDER = path.resolve(import.meta.dirname, "..", "fixtures", "catchAll");
const one = makeFunctionReference<"query", Record<string, never>, number>("answers:one");
const uploadUrl = makeFunctionReference<"mutation", Record<string, never>, string>(
  "answers:uploadUrl",
);

const startServer = () => startTestServer({ functions: { functionsDir: FOLDER } });

test("clients call functions and store files all the same", async () => {
  const server = await startServer();
  const http = newHttpClient(server);
  expect(await http.query(one, {})).toBe(1);
  expect(await newClient(server).query(one, {})).toBe(1);
  const upload = await fetch(await http.mutation(uploadUrl, {}), { method: "POST", body: "x" });
  expect(await upload.json()).toHaveProperty("storageId");
});

test.each([
  ["POST", "/api/run/answers/one", { status: "success", value: 1 }],
  ["POST", "/api/query_ts", { ts: expect.any(String) as string }],
  ["POST", "/api/update_environment_variables", null],
  ["POST", "/api/push_config", expect.objectContaining({ code: "PushNotSupported" })],
])("%s %s is the backend's own", async (method, address, answer) => {
  const { origin } = await startServer();
  const response = await fetch(origin + address, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Convex ${ADMIN_KEY}` },
    body: JSON.stringify({ args: {}, changes: [] }),
  });
  expect(await response.json()).toEqual(answer);
});

test.each(["/", "/api/other", "/api/querying", "/versions"])(
  "%s is the action's",
  async (address) => {
    const { origin } = await startServer();
    expect(await (await fetch(origin + address)).text()).toBe(`action at ${address}`);
  },
);
