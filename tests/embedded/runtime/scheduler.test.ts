/** Scheduled functions and the hourly clean-up while the disk is full, on a clock controlled by the test. */
import fs from "node:fs";
import { convexToJson } from "convex/values";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import type { Tx } from "../../../embedded/db/transaction";
import { MUTATION_ATTEMPTS_MAX } from "../../../embedded/runtime/mutations";
import { internalRequest } from "../../../embedded/runtime/runtime";
import { copyAsKilled, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

type Server = Awaited<ReturnType<typeof startTestServer>>;

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
/** Many more turns than one attempt of a job takes. */
const TURNS = 100;

async function pass(durationMs: number): Promise<void> {
  vi.advanceTimersByTime(durationMs);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function fillDisk(): void {
  vi.spyOn(fs, "writeSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

function stopClockAt(nowMs: number): void {
  vi.useFakeTimers({
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    now: nowMs,
  });
}

beforeEach(() => {
  stopClockAt(Date.now());
  onTestFinished(() => void vi.useRealTimers());
});

test("a job that the store refuses is tried again after a second, and not before", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const refusals = () => server.logLines.filter((line) => /messages:increment.*ENOSPC/.test(line));
  const job = { name: "job", delayMs: HOUR_MS / 2 };
  await server.backend.runtime.runInternal("messages:schedule", job);
  fillDisk();
  await pass(HOUR_MS / 2);
  expect(refusals()).toHaveLength(1);
  await pass(SECOND_MS - 1);
  expect(refusals()).toHaveLength(1);
  await pass(1);
  expect(refusals()).toHaveLength(2);
});

test("a job that others keep from committing waits, and runs once when they let it", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const { runtime } = server.backend;
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: HOUR_MS / 2 });
  const commit = vi.spyOn(server.backend.db, "commit");
  for (let attempt = 0; attempt < MUTATION_ATTEMPTS_MAX; attempt += 1) {
    commit.mockImplementationOnce(() => {
      throw new ConflictError();
    });
  }
  await pass(HOUR_MS / 2);
  expect(server.logLines).toContainEqual(expect.stringMatching(/messages:increment.*Optimistic/));
  await pass(SECOND_MS);
  const answer = await runtime.runInternal("messages:increment", { name: "job" });
  expect(answer).toMatchObject({ json: JSON.stringify(convexToJson(2n)) });
});

test("twenty jobs that cannot be committed keep no other from running", async () => {
  const { runtime, db } = (await startTestServer()).backend;
  for (let count = 0; count < 20; count += 1) {
    await runtime.runInternal("messages:schedule", { name: "stuck", delayMs: HOUR_MS });
  }
  await runtime.runInternal("messages:schedule", { name: "free", delayMs: HOUR_MS + 1 });
  const commit = db.commit.bind(db);
  vi.spyOn(db, "commit").mockImplementation((txn) => {
    const written = [...(txn as Tx).writes.values()].map(({ doc }) => doc?.value().name);
    if (written.includes("stuck")) throw new ConflictError();
    return commit(txn);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await pass(HOUR_MS + 1);
  for (let seconds = 0; seconds < 4; seconds += 1) await pass(SECOND_MS);
  const answer = await runtime.runInternal("messages:jobs", {});
  expect(answer).toMatchObject({ json: expect.stringContaining('"success"') as string });
});

test("a clock that is set back while a job is left alone does not hold it back", async () => {
  const { runtime, db } = (await startTestServer()).backend;
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: HOUR_MS });
  const commit = vi.spyOn(db, "commit").mockImplementation(() => {
    throw new ConflictError();
  });
  await pass(2 * HOUR_MS);
  commit.mockRestore();
  vi.setSystemTime(Date.now() - HOUR_MS / 2);
  await pass(60 * SECOND_MS);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({ json: '["success"]' });
});

test.each([
  ["a mutation", "calling:schedule", { delayMs: HOUR_MS }],
  ["an action", "calling:scheduleAction", {}],
])("%s that is canceled at the last moment does not run", async (_what, schedule, args) => {
  const { runtime } = (await startTestServer()).backend;
  const scheduled = await runtime.runInternal(schedule, args);
  if (!("json" in scheduled)) throw new Error("not scheduled");
  // Committed, and not durable yet: whoever looks for due jobs still finds this one.
  const id = JSON.parse(scheduled.json) as string;
  const canceled = runtime.runInternal("calling:cancel", { id });
  await pass(HOUR_MS);
  await canceled;
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({ json: '["canceled"]' });
  const count = await runtime.runInternal("messages:increment", { name: "far" });
  expect(count).toMatchObject({ json: JSON.stringify(convexToJson(1n)) });
});

test("a job that has run is not canceled any more", async () => {
  const { runtime } = (await startTestServer()).backend;
  const scheduled = await runtime.runInternal("calling:schedule", { delayMs: 0 });
  if (!("json" in scheduled)) throw new Error("not scheduled");
  await pass(0);
  await runtime.runInternal("calling:cancel", { id: JSON.parse(scheduled.json) as string });
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({ json: '["success"]' });
});

test("of what one mutation schedules, each waits for its own time, in whatever order", async () => {
  const { runtime } = (await startTestServer()).backend;
  await runtime.runInternal("calling:scheduleAll", {
    delaysMs: [50 * SECOND_MS, 10 * SECOND_MS],
  });
  await pass(10 * SECOND_MS);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({
    json: '["pending","success"]',
  });
});

test("what an action schedules after it was canceled does not run", async () => {
  const { runtime } = (await startTestServer()).backend;
  const runAction = runtime.runAction.bind(runtime);
  vi.spyOn(runtime, "runAction").mockImplementationOnce(async (call) => {
    await runtime.runInternal("calling:cancel", { id: call.request.scheduledFunctionId });
    return await runAction(call);
  });
  await runtime.runInternal("calling:scheduleScheduling", {});
  await pass(0);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({
    json: '["canceled","canceled"]',
  });
});

test("an action that a kill cut off has failed at the next start, and is not repeated", async () => {
  const [dataDir, killed] = [temporaryDir(), temporaryDir()];
  const { runtime } = (await startTestServer({ dataDir })).backend;
  const runAction = runtime.runAction.bind(runtime);
  vi.spyOn(runtime, "runAction").mockImplementationOnce((...call) => {
    copyAsKilled(dataDir, killed);
    return runAction(...call);
  });
  await runtime.runInternal("calling:scheduleAction", {});
  await pass(0);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({ json: '["success"]' });
  const restarted = (await startTestServer({ dataDir: killed })).backend.runtime;
  await pass(0);
  expect(await restarted.runInternal("messages:jobs", {})).toMatchObject({ json: '["failed"]' });
  const count = await restarted.runInternal("messages:increment", { name: "far" });
  expect(count).toMatchObject({ json: JSON.stringify(convexToJson(1n)) });
});

test.each([
  ["no well-formed text", { text: "\u{1f3e6}", times: 1, chars: 1 }],
  ["longer than a document", { text: "x", times: 2 ** 21, chars: 2 ** 21 }],
])("a job has failed and is not repeated when its error is %s", async (_what, args) => {
  const { backend, logLines } = await startTestServer();
  await backend.runtime.runInternal("calling:scheduleFailing", args);
  await pass(0);
  await pass(5 * SECOND_MS);
  expect(await backend.runtime.runInternal("messages:jobs", {})).toMatchObject({
    json: '["failed","failed"]',
  });
  expect(logLines.filter((line) => line.startsWith("scheduled"))).toHaveLength(1);
});

test("a job with the longest arguments that are accepted can end, well or not", async () => {
  const { runtime } = (await startTestServer()).backend;
  const longest = 1024 * 1024 - 16_384;
  const schedule = (chars: number) =>
    runtime.runInternal("calling:scheduleLong", { count: 1, chars });
  // An object with one field, whose name is "name".
  const namesOwn = 2 + 5 + 2;
  expect(await schedule(longest - namesOwn + 1)).toMatchObject({
    failure: {
      text: expect.stringContaining("Too large arguments of a scheduled function") as string,
    },
  });
  expect(await schedule(longest - namesOwn)).toMatchObject({ json: "null" });
  await pass(0);
  const failing = { text: "\u20ac", times: 10_000, chars: 10_000 };
  await runtime.runInternal("calling:scheduleFailing", { ...failing, pad: longest - 200 });
  await pass(0);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({
    json: '["success","failed","failed"]',
  });
});

test("each job waits for its own time, behind others and over a restart", async () => {
  const dataDir = temporaryDir();
  const states = async (server: Server) => server.backend.runtime.runInternal("messages:jobs", {});
  const first = await startTestServer({ dataDir });
  for (const hours of [1, 2, 3]) {
    const job = { name: "job", delayMs: hours * HOUR_MS };
    await first.backend.runtime.runInternal("messages:schedule", job);
  }
  await pass(HOUR_MS);
  expect(await states(first)).toMatchObject({ json: '["success","pending","pending"]' });
  await pass(HOUR_MS);
  expect(await states(first)).toMatchObject({ json: '["success","success","pending"]' });
  const stoppedMs = Date.now();
  vi.useRealTimers();
  await first.close();
  stopClockAt(stoppedMs + HOUR_MS / 2);
  const second = await startTestServer({ dataDir });
  await pass(HOUR_MS / 2 - 1);
  expect(await states(second)).toMatchObject({ json: '["success","success","pending"]' });
  await pass(1);
  expect(await states(second)).toMatchObject({ json: '["success","success","success"]' });
});

test("a job that the clock jumps past, as when the machine slept, is late by a minute at most", async () => {
  const { runtime } = (await startTestServer()).backend;
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: 5 * HOUR_MS });
  await pass(0);
  vi.setSystemTime(Date.now() + 5 * HOUR_MS);
  await pass(60 * SECOND_MS);
  expect(await runtime.runInternal("messages:jobs", {})).toMatchObject({ json: '["success"]' });
});

test("a job is shown for seven days, and a request sent again is answered for fourteen", async () => {
  const server = await startTestServer();
  const { runtime } = server.backend;
  const jobs = () => runtime.runInternal("messages:jobs", {});
  const call = {
    path: "messages:increment",
    args: { name: "counter" },
    identity: { kind: "none" },
    request: internalRequest(),
    mayCallInternal: false,
  } as const;
  const resend = { sessionId: "session", requestId: 1, path: call.path };
  const send = () => runtime.startClientMutation(call, resend).outcome;
  const json = (count: bigint) => ({ json: JSON.stringify(convexToJson(count)) });
  expect(await send()).toMatchObject(json(1n));
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: 0 });
  await pass(1);
  for (const [days, shown, count] of [
    [6, '["success"]', 1n],
    [2, "[]", 1n],
    [5, "[]", 1n],
    [2, "[]", 2n],
  ] as const) {
    vi.setSystemTime(Date.now() + days * 24 * HOUR_MS);
    await pass(HOUR_MS);
    expect(await jobs()).toMatchObject({ json: shown });
    expect(await send()).toMatchObject(json(count));
  }
});

test("jobs that wait keep no finished ones", async () => {
  const server = await startTestServer();
  const { runtime } = server.backend;
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: 0 });
  await pass(1);
  // As many rows as one batch of the clean-up reads.
  for (let waiting = 0; waiting < 500; waiting += 1) {
    await runtime.runInternal("messages:schedule", { name: "job", delayMs: 30 * 24 * HOUR_MS });
  }
  vi.setSystemTime(Date.now() + 8 * 24 * HOUR_MS);
  await pass(HOUR_MS);
  const jobs = await runtime.runInternal("messages:jobs", {});
  expect(jobs).toMatchObject({ json: JSON.stringify(Array<string>(100).fill("pending")) });
});

test("a clean-up that the store refuses is reported, and tried again an hour later", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const refusals = () => server.logLines.filter((line) => /^clean-up.*ENOSPC/.test(line));
  fillDisk();
  await server.backend.runtime.runInternal("messages:increment", { name: "any" });
  await pass(HOUR_MS);
  expect(refusals()).toHaveLength(1);
  await pass(HOUR_MS);
  expect(refusals()).toHaveLength(2);
});
