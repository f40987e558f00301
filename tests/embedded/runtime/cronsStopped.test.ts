/** Recurring jobs that are stopped before they have started: a backend may be closed while it starts its jobs. */
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Crons } from "../../../embedded/runtime/crons";
import { startTestServer } from "../server/testServer";

test("what was stopped is not started any more", async () => {
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
