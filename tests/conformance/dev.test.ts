/** `npm run dev`, as its terminal ends it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../support/freePort";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";

test.each(["SIGHUP", "SIGTERM"] as const)(
  "%s ends the pages and the backend as well",
  async (signal) => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "dev-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const ports = [await freePort(), await freePort()] as const;
    const [PORT, BACKEND_PORT] = ports.map(String);
    const child = spawn(process.execPath, ["scripts/dev.mjs"], {
      cwd: ROOT,
      env: { ...process.env, PORT, BACKEND_PORT, DATA_DIR: dataDir, DEMO: "0" },
      stdio: "ignore",
      detached: true,
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // Whatever is left over has its process group.
    onTestFinished(() => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // Nothing is.
      }
    });
    const isServed = () => Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/`)));
    await vi.waitFor(isServed, { timeout: 2 * PATIENCE.timeout, interval: 100 });
    child.kill(signal);
    expect(await ended).toBe(0);
    for (const port of ports) {
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    }
  },
  4 * PATIENCE.timeout,
);
