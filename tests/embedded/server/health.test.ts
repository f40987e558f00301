/** What `/healthz` and `/metrics` report, also when commits are not applied to the store. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { StoreLag } from "../../../embedded/db/storeLag";
import { chat } from "../fixtures/chatApi";
import { newClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

async function told(lag: StoreLag) {
  const { origin, backend } = await startTestServer({ dataDir: temporaryDir() });
  vi.spyOn(backend.db, "storeLag", "get").mockReturnValue(lag);
  const health = await fetch(`${origin}/healthz`);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return { health: [health.status, await health.json()] as const, metrics };
}

const BEHIND = { bytes: 134_217_729, batchMs: 41_000, isFull: true };

test("one that hangs is told as soon as those who write wait for it", async () => {
  const { health, metrics } = await told(BEHIND);
  expect(health).toEqual([
    503,
    expect.objectContaining({
      status: "stalled",
      reason: expect.stringContaining("41 s") as string,
    }),
  ]);
  expect(metrics).toContain("\nconvex_store_missing_bytes 134217729\n");
  expect(metrics).toContain("\nconvex_store_batch_seconds 41\n");
});

test.each([
  ["a long batch that nobody waits for", { ...BEHIND, isFull: false }],
  ["a short one, at the limit of what is taken", { ...BEHIND, batchMs: 2_000 }],
])("%s is health", async (_, lag) => {
  const { health } = await told(lag);
  expect(health).toEqual([200, expect.objectContaining({ status: "ok" })]);
});

test("metrics tell each number in the unit of its name", async () => {
  const server = await startTestServer({ dataDir: temporaryDir() });
  const { db, runtime, scheduler } = server.backend;
  const client = newClient(server);
  const isShown = (channel: string) =>
    new Promise((resolve) => client.onUpdate(chat.list, { channel }, resolve));
  await Promise.all(["a", "b", "c"].map(isShown));
  vi.spyOn(db, "isReadOnly", "get").mockReturnValue("The disk is full");
  vi.spyOn(db, "durableTs", "get").mockReturnValue(1_700_000_000_250_000_000n);
  vi.spyOn(runtime, "waitingMutations", "get").mockReturnValue(4);
  vi.spyOn(scheduler, "backlog").mockReturnValue({ due: 5, oldestDueMs: 6_500 });
  const cpu = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 7_000_000, system: 500_000 });
  onTestFinished(() => cpu.mockRestore());
  const lines = (await (await fetch(`${server.origin}/metrics`)).text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "convex_connections 1",
      "convex_subscriptions 3",
      "convex_mutations_waiting 4",
      "convex_scheduled_waiting 5",
      "convex_scheduled_oldest_seconds 6.5",
      "convex_read_only 1",
      "convex_commit_timestamp_seconds 1700000000.25",
      "process_cpu_seconds_total 7.5",
    ]),
  );
});

test("metrics count how long the event loop was busy, and the processor time", async () => {
  const { origin } = await startTestServer({ dataDir: temporaryDir() });
  const busyS = async (): Promise<number> => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    expect(text).toContain("# TYPE convex_event_loop_busy_seconds_total counter\n");
    expect(text).toMatch(/\nprocess_cpu_seconds_total \d/);
    return Number(/\nconvex_event_loop_busy_seconds_total (.*)/.exec(text)?.[1]);
  };
  const beforeS = await busyS();
  expect(beforeS).toBeGreaterThan(0);
  expect(await busyS()).toBeGreaterThan(beforeS);
});

test.each([
  ["is missing", "nowhere:gauges"],
  ["is refused because it blocked the server", "messages:jobs"],
])("metrics lack only the application's own when its function %s", async (_, gaugesFunction) => {
  const dataDir = temporaryDir();
  const strike = JSON.stringify({ path: "messages:jobs", atMs: Date.now() });
  writeFileSync(path.join(dataDir, "blocked-functions.jsonl"), `${strike}\n${strike}\n`);
  const { origin } = await startTestServer({ dataDir, gaugesFunction });
  const answer = await fetch(`${origin}/metrics`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain("\nconvex_read_only 0\n");
  expect(text).toContain("\napp_gauges_up 0\n");
});
