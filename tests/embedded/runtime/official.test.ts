/** What the official project's own tests ask of functions, where this backend once gave another answer. */
import path from "node:path";
import { makeFunctionReference } from "convex/server";
import type { Value } from "convex/values";
import { expect, test } from "vitest";
import { newHttpClient, startTestServer } from "../server/testServer";

const FOLDER = path.resolve(import.meta.dirname, "..", "fixtures", "official");

async function startServer() {
  const server = await startTestServer({ functions: { functionsDir: FOLDER } });
  return { ...server, http: newHttpClient(server) };
}

type Args = Record<string, Value>;
const query = (name: string) => makeFunctionReference<"query", Args, Value>(name);
const action = (name: string) => makeFunctionReference<"action", Args, Value>(name);

test("the environment's variables are read by name, and neither listed, logged nor set", async () => {
  const { http, logLines } = await startServer();
  const seen = {
    given: "yes",
    hasUrl: true,
    missing: null,
    names: [],
    copy: {},
    text: "{}",
    inherited: "undefined",
  };
  expect(await http.query(query("environment:inQuery"), {})).toEqual(seen);
  expect(await http.action(action("environment:inAction"), {})).toEqual(seen);
  expect(logLines).toEqual([
    "environment:inQuery [LOG] [process.env]",
    "environment:inAction [LOG] [process.env]",
  ]);
});
