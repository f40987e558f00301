/** One function that never returns must not keep the others from being served. */
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../support/freePort";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { CHAT_DIR, temporaryDir } from "./testServer";

const RESTARTS_TIMEOUT_MS = 180_000;

test(
  "a function that never returns ends the process, which comes back without it",
  async () => {
    const args = ["scripts/embedded.mjs", "--functions", CHAT_DIR, "--data", temporaryDir()];
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [...args, "--port", String(port), "--watchdog-ms", "1500"],
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
    await vi.waitFor(isUp, PATIENCE);
    const http = new ConvexHttpClient(origin, { logger: false });
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(1n);
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    // Re-sent after each restart, until the backend refuses the function.
    await expect(client.mutation(chat.endless, {})).rejects.toThrow("Server Error");
    await vi.waitFor(isUp, PATIENCE);
    expect(await http.mutation(chat.increment, { name: "before" })).toBe(2n);
    expect(await http.query(chat.list, { channel: "endless" })).toEqual([]);
  },
  RESTARTS_TIMEOUT_MS,
);
