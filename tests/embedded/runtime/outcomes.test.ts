/** What a caller gets besides the result: printed lines, and an answer whatever was thrown. */
import fs from "node:fs";
import type { JSONValue } from "convex/values";
import { expect, onTestFinished, test, vi } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import { internalRequest } from "../../../embedded/runtime/runtime";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { newClient, newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";
import { WireClient } from "../sync/wire";

type Server = Awaited<ReturnType<typeof startTestServer>>;

async function linesOf(server: Server, turns: number, lines: number) {
  const printed = await actionLines(server, "outcomes:printInTurn", { turns, lines });
  return printed.map((line) => line.replace("[LOG] ", ""));
}

async function actionLines({ backend }: Server, path: string, args: JSONValue) {
  const outcome = await backend.runtime.executeClientAction({
    path,
    args,
    identity: { kind: "none" },
    request: internalRequest(),
    mayCallInternal: false,
  });
  return outcome.logLines;
}

test("lines of an action and its mutations are told in order, of attempts only the last", async () => {
  const server = await startTestServer();
  const commit = vi.spyOn(server.backend.db, "commit");
  commit.mockImplementationOnce(() => {
    throw new ConflictError();
  });
  expect(await linesOf(server, 2, 2)).toEqual([
    "'in the action'",
    "'in the mutation'",
    "'in the mutation'",
    "'in the action'",
    "'in the mutation'",
    "'in the mutation'",
    "'at the end'",
  ]);
});

test("an action prints no more lines by calling mutations in between", async () => {
  const server = await startTestServer();
  const lines = await linesOf(server, 3, 200);
  expect(lines).toHaveLength(256);
  expect(lines.at(-1)).toBe("[ERROR] Log overflow (maximum 256). Remaining log lines omitted.");
  expect(server.logLines).toHaveLength(256);
});

test("a line has 32,768 bytes, and says that it had more", async () => {
  const server = await startTestServer();
  const printed = (text: string) => actionLines(server, "outcomes:printText", { text });
  const fits = "x".repeat(32_766);
  expect(await printed(fits)).toEqual([`[LOG] '${fits}'`]);
  const longer = (kept: string) => [`[LOG] '${kept} (truncated due to length)`];
  expect(await printed(`${fits}x`)).toEqual(longer(`${fits}x`));
  // Two bytes each, after the quote: the last one does not fit as a whole.
  expect(await printed("é".repeat(16_400))).toEqual(longer("é".repeat(16_383)));
});

test("timers tell whole milliseconds, and warn of a name that is taken or unknown", async () => {
  const told = await actionLines(await startTestServer(), "outcomes:timers", {});
  expect(told.map((line) => line.replace(/\d+ms/, "#ms"))).toEqual([
    "[WARN] Timer 'a' already exists",
    "[INFO] a: #ms",
    "[INFO] a: #ms 'so far' 1",
    "[INFO] a: #ms",
    "[WARN] Timer 'a' does not exist",
    "[WARN] Timer 'default' does not exist",
  ]);
});

test.each(["bare", "hostile", "foreign"])(
  "every caller is answered, whatever a function throws (%s)",
  async (kind) => {
    const strays: unknown[] = [];
    const onStray = (error: unknown): void => void strays.push(error);
    process.on("unhandledRejection", onStray);
    onTestFinished(() => void process.off("unhandledRejection", onStray));
    const server = await startTestServer();
    const http = newHttpClient(server);
    const text = "cannot be described";
    await expect(http.query(chat.oddQuery, { kind })).rejects.toThrow(text);
    await expect(http.mutation(chat.oddMutation, { kind })).rejects.toThrow(text);
    await expect(http.action(chat.oddAction, { kind })).rejects.toThrow(text);
    const wire = await WireClient.connect(server.origin);
    wire.mutate(0, "outcomes:oddMutation", { kind });
    const answer = await wire.until(({ type }) => type === "MutationResponse");
    expect(answer).toMatchObject({ success: false });
    const failures: Error[] = [];
    newClient(server).onUpdate(chat.oddQuery, { kind }, vi.fn(), (error) => failures.push(error));
    await vi.waitFor(() => expect(failures).toHaveLength(1), PATIENCE);
    expect(strays).toEqual([]);
  },
);

test("arguments have the lengths of values, too", async () => {
  const http = newHttpClient(await startTestServer());
  const list = (length: number) => Array.from({ length }, () => 0);
  const record = (length: number) => Object.fromEntries(list(length).map((_, at) => [`f${at}`, 0]));
  expect(await http.query(chat.lengthOf, { value: list(8_192) })).toBe(8_192);
  expect(await http.query(chat.lengthOf, { value: record(1_024) })).toBe(1_024);
  await expect(http.query(chat.lengthOf, { value: list(8_193) })).rejects.toThrow(
    "Invalid arguments for outcomes.js:lengthOf: Array length is too long (8193 > maximum length 8192)",
  );
  await expect(http.query(chat.lengthOf, { value: [record(1_025)] })).rejects.toThrow(
    "Object has too many fields (1025 > maximum number 1024)",
  );
});

test("results have the lengths of values: 8,192 elements, 1,024 fields", async () => {
  const http = newHttpClient(await startTestServer());
  const longest = { elements: 8_192, fields: 1_024 };
  const many = { elements: 0, fields: 1_025 };
  expect(await http.query(chat.longQuery, longest)).toBeTruthy();
  expect(await http.action(chat.longAction, longest)).toBeTruthy();
  await expect(http.query(chat.longQuery, { ...longest, elements: 8_193 })).rejects.toThrow(
    "Function outcomes.js:longQuery return value invalid: Array length is too long (8193 > maximum length 8192)",
  );
  await expect(http.query(chat.longQuery, many)).rejects.toThrow("too many fields (1025 >");
  await expect(http.action(chat.longAction, many)).rejects.toThrow("too many fields (1025 >");
});

test("a result may take 16 MiB", async () => {
  const http = newHttpClient(await startTestServer());
  const most = { elements: 0, fields: 0, chars: 16 * 1024 * 1024 - 100 };
  expect(await http.query(chat.longQuery, most)).toBeTruthy();
  const more = { ...most, chars: most.chars + 100 };
  for (const call of [http.query(chat.longQuery, more), http.action(chat.longAction, more)]) {
    await expect(call).rejects.toThrow(
      / outcomes\.js:long\w+ return value is too large \(actual: 16\.00 MiB, limit: 16 MiB\)/,
    );
  }
});

/** A mutation that succeeds, followed at once by one that fails after seeing the first one's write. */
function failAfter({ backend }: Server) {
  const [first, second] = ["messages:increment", "messages:refuse"].map((path) =>
    backend.runtime.startClientMutation({
      path,
      args: path === "messages:increment" ? { name: "any" } : {},
      identity: { kind: "none" },
      request: internalRequest(),
      mayCallInternal: false,
    }),
  );
  return { first: first!.outcome, second: second!.outcome };
}

test("a failure is told when what the mutation had seen is durable", async () => {
  const server = await startTestServer();
  const { db } = server.backend;
  const { first, second } = failAfter(server);
  expect(await second).toMatchObject({ failure: { data: { code: "REFUSED" } } });
  expect(db.durableTs).toBe(db.latestTs);
  expect(await first).toMatchObject({ ts: db.latestTs });
});

test("what failed of a commit that the disk refused is refused with it", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  vi.spyOn(fs, "writeSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { first, second } = failAfter(server);
  for (const outcome of [await first, await second]) {
    expect("failure" in outcome && outcome.failure.text).toContain("ENOSPC");
  }
});

test("the backend's own work, too, fails when what it had seen is durable", async () => {
  const server = await startTestServer();
  const { db, runtime } = server.backend;
  const { first } = failAfter(server);
  const failed = runtime.transact(() => {
    throw new Error("seen, and refused");
  });
  await expect(failed).rejects.toThrow("seen, and refused");
  expect(db.durableTs).toBe(db.latestTs);
  expect(await first).toMatchObject({ ts: db.latestTs });
});
