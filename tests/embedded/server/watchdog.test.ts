/** One function that never returns must not keep the others from being served. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ConvexClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { readRunning } from "../../../embedded/operations/dataFolder";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { startSupervised } from "./supervised";
import { newClient, newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

const RESTARTS_TIMEOUT_MS = 180_000;
const STRIKES_FILE = "blocked-functions.jsonl";

function strikes(dataDir: string): string[] {
  const file = path.join(dataDir, STRIKES_FILE);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { path: string }).path);
}

test(
  "a function that never returns ends the process, which comes back without it",
  async () => {
    const { origin, isUp, http } = await startSupervised(temporaryDir());
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(1n);
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    // Resent after each restart, until the backend refuses the function.
    await expect(client.mutation(chat.endless, {})).rejects.toThrow("Server Error");
    await isUp();
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(2n);
    expect(await http.query(chat.list, { channel: "endless" })).toEqual([]);
  },
  RESTARTS_TIMEOUT_MS,
);

test(
  "whatever a function did before it stopped returning, and whoever else ran meanwhile, it ends the process",
  async () => {
    const dataDir = temporaryDir();
    const { isUp, http } = await startSupervised(dataDir);
    for (const hang of [
      () => http.mutation(chat.hangAfterNestedCall, {}),
      () => http.action(chat.hangAfterWait, {}),
      () => http.action(chat.hangInTimer, {}),
    ]) {
      const end = expect(hang()).rejects.toThrow("fetch failed");
      // Answered before the function continues; refused after it has.
      await http.query(chat.counter, { name: "any" }).catch(() => null);
      await end;
      await isUp();
    }
    expect(strikes(dataDir)).toEqual([
      "hanging:afterNestedCall",
      "hanging:afterWait",
      "hanging:inTimer",
    ]);
  },
  RESTARTS_TIMEOUT_MS,
);

test(
  "a disk that stands still is not blamed on a function that waits",
  async () => {
    const dataDir = temporaryDir();
    const isSlow = path.join(dataDir, "slow");
    const slowDisk = path.join(dataDir, "slowDisk.cjs");
    // Longer than a function may block.
    writeFileSync(
      slowDisk,
      `const fs = require("node:fs");
       const sync = fs.fdatasyncSync;
       fs.fdatasyncSync = (file) => {
         if (fs.existsSync(${JSON.stringify(isSlow)})) {
           fs.rmSync(${JSON.stringify(isSlow)});
           Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
         }
         return sync(file);
       };
       require("node:module").syncBuiltinESMExports();`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--require=${slowDisk}` };
    const { origin } = await startSupervised(dataDir, env);
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    await client.query(chat.counter, { name: "any" });
    writeFileSync(isSlow, "");
    // In one packet: the second one hashes while the first one waits for the disk.
    const quick = client.mutation(chat.increment, { name: "any" });
    const hashing = client.mutation(chat.slowIncrement, { name: "other", iterations: 600_000 });
    expect(await quick).toBe(1n);
    expect(await hashing).toBeNull();
    expect(existsSync(isSlow)).toBe(false);
    expect(strikes(dataDir)).toEqual([]);
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

test("a function that did it twice is refused for ten minutes, and served from then on", async () => {
  const MINUTE_MS = 60_000;
  const secondMs = Date.now();
  const note = (atMs: number, path = "messages:list") => `${JSON.stringify({ path, atMs })}\n`;
  const dataDir = temporaryDir();
  const notes = [
    note(secondMs - 30 * MINUTE_MS, "messages:counter"),
    note(secondMs - 9 * MINUTE_MS),
    note(secondMs, "messages:counter"),
    note(secondMs),
  ];
  writeFileSync(path.join(dataDir, STRIKES_FILE), notes.join(""));
  vi.useFakeTimers({ toFake: ["Date"], now: secondMs + 10 * MINUTE_MS - 1 });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startTestServer({ dataDir });
  const answer = async () => {
    const client = newClient(server);
    return new Promise((resolve) => {
      client.onUpdate(chat.list, { channel: "a" }, resolve, ({ message }) => resolve(message));
    });
  };
  // This client stays subscribed.
  expect(await answer()).toContain("timed out");
  expect(await newHttpClient(server).query(chat.counter, { name: "x" })).toBe(0n);
  vi.setSystemTime(secondMs + 10 * MINUTE_MS + 10_000);
  expect(await answer()).toEqual([]);
});

test("a clock that was set back keeps no function refused until it has caught up", async () => {
  const dataDir = temporaryDir();
  const nowMs = Date.now();
  const note = `${JSON.stringify({ path: "messages:counter", atMs: nowMs })}\n`;
  writeFileSync(path.join(dataDir, STRIKES_FILE), note + note);
  const http = newHttpClient(await startTestServer({ dataDir }));
  const read = () => http.query(chat.counter, { name: "any" });
  await expect(read()).rejects.toThrow("timed out");
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs - 24 * 60 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await read()).toBe(0n);
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
