/** Scheduled functions and the hourly clean-up while the disk takes no more, on a clock that the test moves. */
import fs from "node:fs";
import { convexToJson } from "convex/values";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import { MUTATION_ATTEMPTS_MAX } from "../../../embedded/runtime/mutations";
import { startTestServer, temporaryDir } from "../server/testServer";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
/** Many more than one attempt at a job takes. */
const TURNS = 100;

async function pass(durationMs: number): Promise<void> {
  vi.advanceTimersByTime(durationMs);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function fillDisk(): void {
  vi.spyOn(fs, "fdatasyncSync").mockImplementation(() => {
    throw new Error("ENOSPC: no space left on device, write");
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
  });
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
