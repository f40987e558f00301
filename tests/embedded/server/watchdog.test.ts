/** One function that never returns must not keep the others from being served. */
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR, temporaryDir } from "./testServer";

const START_TIMEOUT_MS = 30_000;
const RESTARTS_TIMEOUT_MS = 60_000;

test(
  "a function that never returns ends the process, which comes back without it",
  async () => {
    const args = ["scripts/embedded.mjs", "--functions", CHAT_DIR, "--data", temporaryDir()];
    const port = 31_900 + (process.pid % 90);
    const child = spawn(
      process.execPath,
      [...args, "--port", String(port), "--watchdog-ms", "600"],
      {
        stdio: "ignore",
      },
    );
    onTestFinished(async () => {
      child.kill("SIGTERM");
      while (child.exitCode === null) await delay(20);
    });
    const origin = `http://127.0.0.1:${port}`;
    const isUp = () => fetch(`${origin}/healthz`).then((answer) => expect(answer.ok).toBe(true));
    await vi.waitFor(isUp, { timeout: START_TIMEOUT_MS });
    const http = new ConvexHttpClient(origin, { logger: false });
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(1n);
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    // Re-sent after each restart, until the backend refuses the function.
    await expect(client.mutation(chat.endless, {})).rejects.toThrow("Server Error");
    await vi.waitFor(isUp, { timeout: START_TIMEOUT_MS });
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(2n);
    expect(await http.query(chat.list, { channel: "endless" })).toEqual([]);
  },
  RESTARTS_TIMEOUT_MS,
);
