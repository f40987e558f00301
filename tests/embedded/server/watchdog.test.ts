/** One function that never returns must not keep the others from being served. */
import { spawn } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { readRunning } from "../../../embedded/operations/dataFolder";
import { freePort } from "../../support/freePort";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR, newHttpClient, startTestServer, temporaryDir } from "./testServer";

const RESTARTS_TIMEOUT_MS = 180_000;
const STRIKES_FILE = "blocked-functions.jsonl";

/** A server under its supervisor, up; `child` is the supervisor. */
async function startSupervised(dataDir: string) {
  const args = ["scripts/embedded.mjs", "--functions", CHAT_DIR, "--data", dataDir];
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [...args, "--port", String(port), "--watchdog-ms", "1500"],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  onTestFinished(async () => {
    child.kill("SIGTERM");
    while (child.exitCode === null) await delay(20);
  });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    vi.waitFor(
      () => fetch(`${origin}/healthz`).then((answer) => expect(answer.ok).toBe(true)),
      PATIENCE,
    );
  await isUp();
  return { child, origin, isUp, http: new ConvexHttpClient(origin, { logger: false }) };
}

test(
  "a function that never returns ends the process, which comes back without it",
  async () => {
    const { origin, isUp, http } = await startSupervised(temporaryDir());
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(1n);
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    // Re-sent after each restart, until the backend refuses the function.
    await expect(client.mutation(chat.endless, {})).rejects.toThrow("Server Error");
    await isUp();
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(2n);
    expect(await http.query(chat.list, { channel: "endless" })).toEqual([]);
  },
  RESTARTS_TIMEOUT_MS,
);

test(
  "the process ends also when the function's name cannot be noted",
  async () => {
    const dataDir = temporaryDir();
    symlinkSync(path.join(dataDir, "missing", "file"), path.join(dataDir, STRIKES_FILE));
    const { http } = await startSupervised(dataDir);
    await expect(http.mutation(chat.endless, {})).rejects.toThrow("fetch failed");
    await vi.waitFor(
      async () => expect(await http.mutation(chat.increment, { name: "after" })).toBe(1n),
      PATIENCE,
    );
  },
  RESTARTS_TIMEOUT_MS,
);

test(
  "a scheduled function that never returns is failed for good after its second try",
  async () => {
    const { http } = await startSupervised(temporaryDir());
    await http.mutation(chat.scheduleEndless, { delayMs: 500 });
    await vi.waitFor(
      async () => expect(await http.query(chat.jobs, {})).toEqual(["failed"]),
      PATIENCE,
    );
    expect(await http.mutation(chat.increment, { name: "after" })).toBe(1n);
  },
  RESTARTS_TIMEOUT_MS,
);

test("a stop that is asked for between two runs of the server is not forgotten", async () => {
  const dataDir = temporaryDir();
  const { child } = await startSupervised(dataDir);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stderr?.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes("starting again")) child.kill("SIGTERM");
  });
  const server = readRunning(dataDir);
  if (server === null) throw new Error("the server left no note of itself");
  process.kill(server.pid, "SIGKILL");
  expect(await ended).toBe(1);
});

test("a note that was broken off hides no other", async () => {
  const dataDir = temporaryDir();
  const note = JSON.stringify({ path: "messages:endless", atMs: Date.now() });
  writeFileSync(path.join(dataDir, STRIKES_FILE), `${note}\n${note}\n${note.slice(0, -5)}`);
  const server = await startTestServer({ dataDir });
  const http = newHttpClient(server);
  await expect(http.mutation(chat.endless, {})).rejects.toThrow("timed out");
  expect(await http.mutation(chat.increment, { name: "other" })).toBe(1n);
});
