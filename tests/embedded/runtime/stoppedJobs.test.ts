/** Jobs that are stopped: a backend may be closed while it starts them, and an application's may go on later. */
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Crons } from "../../../embedded/runtime/crons";
import { startTestServer } from "../server/testServer";

test("recurring jobs that were stopped are not started any more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const functionsDir = path.resolve(import.meta.dirname, "..", "fixtures", "crons");
  const { backend } = await startTestServer({ functions: { functionsDir } });
  const armed = vi.getTimerCount();
  expect(armed).toBeGreaterThan(0);
  const crons = new Crons(backend.runtime);
  await crons.stop();
  await crons.start();
  expect(vi.getTimerCount()).toBe(armed);
});

test("a scheduler that was stopped while it waited for a job waits for it again once it is started", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { runtime, scheduler } = (await startTestServer()).backend;
  await runtime.runInternal("messages:schedule", { name: "job", delayMs: 1_000 });
  await scheduler.stop();
  await scheduler.start();
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  await expect
    .poll(() => runtime.runInternal("messages:jobs", {}))
    .toMatchObject({ json: '["success"]' });
});
