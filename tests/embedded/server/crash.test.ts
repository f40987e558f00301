/** The process of a supervised server: its options, its output, and its crash, as of one without memory. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { startSupervised } from "./supervised";
import { temporaryDir } from "../../support/temporaryDir";

const TIMEOUT_MS = 120_000;

function pidOf(dataDir: string): number {
  const note = fs.readFileSync(path.join(dataDir, "running.json"), "utf8");
  return (JSON.parse(note) as { pid: number }).pid;
}

test.skipIf(process.platform !== "linux")(
  "it has the room in memory that its supervisor was given, and leaves a core to the event loop",
  async () => {
    const dataDir = temporaryDir();
    const option = "--max-old-space-size=234";
    await startSupervised(dataDir, process.env, "unlimited", [option]);
    const pid = await vi.waitFor(() => pidOf(dataDir), PATIENCE);
    const threads = Math.min(4, Math.max(1, os.availableParallelism() - 1));
    const options = [`--v8-pool-size=${threads}`, option];
    const given = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(given).toEqual(expect.arrayContaining(options));
  },
  TIMEOUT_MS,
);

test(
  "after a crash it is started again, unless it crashes again within a minute",
  async () => {
    const dataDir = temporaryDir();
    const { child, isUp, said } = await startSupervised(dataDir);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const first = await vi.waitFor(() => pidOf(dataDir), PATIENCE);
    process.kill(first, "SIGABRT");
    await vi.waitFor(() => expect(pidOf(dataDir)).not.toBe(first), PATIENCE);
    await isUp();
    expect(said()).toContain("The server crashed (SIGABRT; out of memory?): starting again.");
    process.kill(pidOf(dataDir), "SIGABRT");
    expect(await ended).toBe(1);
    expect(said()).toContain("The server crashed (SIGABRT) and is not started again.");
    expect(said()).toContain(`while it opened ${dataDir}: the disk may be full`);
  },
  TIMEOUT_MS,
);

/** What a log collector's socket does that was closed with unread lines in it. */
const RESET = `process.on("SIGUSR2", () => {
  process.stdout.emit("error", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
  process.stdout.write("reset\\n");
});`;

test(
  "whatever becomes of its output, it goes on, and does not report that in its output",
  async () => {
    const dataDir = temporaryDir();
    const preload = path.join(dataDir, "reset.cjs");
    fs.writeFileSync(preload, RESET);
    const env = { ...process.env, NODE_OPTIONS: `--require=${preload}` };
    const { isUp, said } = await startSupervised(dataDir, env);
    process.kill(await vi.waitFor(() => pidOf(dataDir), PATIENCE), "SIGUSR2");
    await vi.waitFor(() => expect(said()).toContain("reset"), PATIENCE);
    await isUp();
    expect(said()).not.toContain("ECONNRESET");
  },
  TIMEOUT_MS,
);
