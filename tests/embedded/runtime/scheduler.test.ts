/** Scheduled functions and the hourly clean-up while the disk takes no more, on a clock that the test moves. */
import fs from "node:fs";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
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
