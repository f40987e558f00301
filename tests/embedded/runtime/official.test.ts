/** What the official project's own tests ask of functions, where this backend once gave another answer. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { cronJobs, httpActionGeneric, makeFunctionReference, queryGeneric } from "convex/server";
import { v, type Value } from "convex/values";
import { expect, test } from "vitest";
import { embeddedTest } from "../../../embedded/testing";
import { PATIENCE } from "../../support/patience";
import { temporaryDir } from "../../support/temporaryDir";
import { newHttpClient, startTestServer } from "../server/testServer";

const FOLDER = path.resolve(import.meta.dirname, "..", "fixtures", "official");

async function startServer() {
  const server = await startTestServer({ functions: { functionsDir: FOLDER } });
  return { ...server, http: newHttpClient(server) };
}

type Args = Record<string, Value>;
const query = (name: string) => makeFunctionReference<"query", Args, Value>(name);
const mutation = (name: string) => makeFunctionReference<"mutation", Args, Value>(name);
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

test("a failure is told with the name and the message of what was thrown, also by a nested call", async () => {
  const { http } = await startServer();
  const data = { until: 7n, reason: "over" };
  const shown = 'TooLate: {"until":"7n","reason":"over"}';
  const late = http.mutation(mutation("failing:late"), {});
  const text = expect.stringContaining(`Uncaught ${shown}\n`) as string;
  await expect(late).rejects.toMatchObject({ data, message: text });
  const nested = http.action(action("failing:lateInAction"), {});
  const nestedText = expect.stringContaining(`Uncaught ConvexError: Uncaught ${shown}\n`) as string;
  await expect(nested).rejects.toMatchObject({ data, message: nestedText });
  const silent = http.query(query("failing:silent"), {});
  await expect(silent).rejects.toThrow(/Server Error\nUncaught RangeError\n/);
});

test("a scheduled function's state tells its failure, too, and where it was thrown", async () => {
  const { http } = await startServer();
  await http.mutation(mutation("failing:lateLater"), {});
  const shown = 'Uncaught TooLate: {"until":"7n","reason":"over"}\n    at ';
  const failed = (words: string) => ({
    kind: "failed",
    error: expect.stringContaining(words) as string,
  });
  const states = () => http.query(query("failing:states"), {});
  await expect
    .poll(states, PATIENCE)
    .toEqual([failed(shown), failed("Uncaught ConvexError: Uncaught TooLate: ")]);
});

test("a result may have 16 MiB as values are counted, whatever its text has, within bounds", async () => {
  const { http } = await startServer();
  const most = { bytes: 16_000_000 };
  const more = { bytes: 17_000_000 };
  const [ofQuery, ofMutation] = [query("results:ofQuery"), mutation("results:ofMutation")];
  const ofAction = action("results:ofAction");
  expect(await http.query(ofQuery, most)).toHaveProperty("byteLength", most.bytes);
  expect(await http.mutation(ofMutation, most)).toHaveProperty("byteLength", most.bytes);
  expect(await http.action(ofAction, most)).toHaveProperty("byteLength", most.bytes);
  for (const call of [
    http.query(ofQuery, more),
    http.mutation(ofMutation, more),
    http.action(ofAction, more),
  ]) {
    await expect(call).rejects.toThrow("too large (actual: 16.21 MiB, limit: 16 MiB)");
  }
  await expect(http.query(query("results:numbers"), {})).rejects.toThrow(
    "results.js:numbers return value is too large (actual: 17.17 MiB, limit: 16 MiB)",
  );
  await expect(http.query(query("results:integers"), {})).rejects.toThrow("limit: 24 MiB as text");
});

test("a field's name may be empty, in documents and in the values that an index orders", async () => {
  const { http } = await startServer();
  const things: Record<string, Value>[] = [
    { a: {} },
    { a: { "": 1 }, b: 1 },
    { a: { "": 2 }, b: { "": { "": "x" } } },
    { a: { b: 0 }, "": "named by nothing" },
  ];
  const inOrder = things.map((fields) => expect.objectContaining(fields) as unknown);
  for (const fields of things.toReversed()) await http.mutation(mutation("things:add"), { fields });
  expect(await http.query(query("things:list"), {})).toEqual(inOrder);
});

test.each([
  ["insertText", "Invalid argument `value` for `db.insert`: Value must be an Object"],
  ["patchText", "Invalid argument `value` for `db.patch`: Value must be an Object"],
  ["replaceText", "Invalid argument `value` for `db.replace`: Value must be an Object"],
  ["replaceId", /Provided document ID "\w+" doesn't match '_id' field "other"/],
  ["twoPages", "Uncaught Error: This query or mutation function ran multiple paginated queries."],
  ["wrongField", 'but things.by_a_b with fields ["a", "b", "_creationTime"] doesn\'t index'],
  ["scheduleNoFile", "schedule function at nonexistent path: missing/file.js"],
  ["scheduleNoExport", "but no exported function missing found in the file: refused.js. Did you"],
])("what is refused is told in the official words: %s", async (what, words) => {
  const { http } = await startServer();
  await expect(http.mutation(mutation("refused:attempt"), { what })).rejects.toThrow(words);
});

test.each([
  ["args", { args: { "a-b": v.string() } }],
  ["returns", { args: {}, returns: v.array(v.object({ "a-b": v.string() })) }],
])("a function whose %s name a field by no identifier is refused", async (_what, validators) => {
  const handler = () => Promise.resolve([]);
  const t = embeddedTest(undefined, {
    "./_generated/api.ts": async () => ({}),
    "./wrong.ts": async () => ({ open: queryGeneric({ ...validators, handler }) }),
  });
  await expect(t.query(query("wrong:open"), {})).rejects.toThrow(
    'wrong:open: a validator has a field with the invalid name "a-b"',
  );
});

test.each([
  ["none", "The cron job 'daily' schedules a function that does not exist: jobs:none"],
  ["ask", "The cron job 'daily' schedules a query function, only actions and mutations can be"],
  ["answer", "The cron job 'daily' schedules an HTTP action, only actions and mutations can be"],
])("a cron job that would run %s is refused when it is loaded", async (name, words) => {
  const handler = () => Promise.resolve(null);
  const crons = cronJobs();
  crons.daily("daily", { hourUTC: 1, minuteUTC: 0 }, mutation(`jobs:${name}`), {});
  const answer = httpActionGeneric(() => Promise.resolve(new Response()));
  const load = (more: Record<string, () => Promise<object>>) =>
    embeddedTest(undefined, {
      "./_generated/api.ts": () => Promise.resolve({}),
      "./jobs.ts": () => Promise.resolve({ ask: queryGeneric({ args: {}, handler }), answer }),
      ...more,
    }).query(query("jobs:ask"), {});
  await expect(load({ "./crons.ts": () => Promise.resolve({ default: crons }) })).rejects.toThrow(
    words,
  );
  await expect(load({ "./crons.ts": () => Promise.resolve({ crons }) })).rejects.toThrow(
    "crons must default-export the result of cronJobs()",
  );
});

test("a module for Node may define actions only", async () => {
  const functionsDir = temporaryDir();
  const lines = (kind: string) => [
    '"use node";',
    `import { ${kind}Generic as make } from "convex/server";`,
    "export const run = make(async () => 1);",
  ];
  const load = (kind: string) => {
    writeFileSync(path.join(functionsDir, "jobs.ts"), lines(kind).join("\n"));
    return startTestServer({ functions: { functionsDir } });
  };
  await load("action");
  await expect(load("mutation")).rejects.toThrow(
    'jobs:run: only actions can be defined in a module that says "use node"',
  );
});

test("a function that calls itself for ever is told of its loop", async () => {
  const { http } = await startServer();
  const deeper = http.mutation(mutation("refused:deeper"), {});
  await expect(deeper).rejects.toThrow("Do you have an infinite loop in your app?");
});
