/** The applier thread ends while it works: only a new process can continue. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { startSupervised } from "./supervised";
import { newHttpClient, startTestServer } from "./testServer";
import { temporaryDir } from "../../support/temporaryDir";

const RESTARTS_TIMEOUT_MS = 180_000;
const REASON = "The thread that writes the store ended: exit code 7";

/** Loaded first: while the file exists, the thread cannot read the log. */
const UNREADABLE = `
const fs = require("node:fs");
const { readSync } = fs;
fs.readSync = (...args) => {
  if (require("node:worker_threads").workerData?.journalFolder !== undefined && fs.existsSync(process.env.ENDING_FILE)) {
    fs.writeFileSync(process.env.ENDING_FILE, "refused");
    throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE", syscall: "read" });
  }
  return readSync(...args);
};
require("node:module").syncBuiltinESMExports();`;

/** Loaded first: while the file exists, the thread ends when it reads the log, once or every time ("always"). */
const ENDING = `
const fs = require("node:fs");
const { readSync } = fs;
const ending = process.env.ENDING_FILE;
fs.readSync = (...args) => {
  if (require("node:worker_threads").workerData?.journalFolder !== undefined && fs.existsSync(ending)) {
    if (fs.readFileSync(ending, "utf8") !== "always") fs.rmSync(ending);
    process.exit(7);
  }
  return readSync(...args);
};
require("node:module").syncBuiltinESMExports();`;

async function startEnding(how: "once" | "always", program = ENDING) {
  const dataDir = temporaryDir();
  // With existing tables a start may serve before the log is applied to the store.
  const first = await startTestServer({ dataDir });
  await newHttpClient(first).mutation(chat.increment, { name: "x" });
  await first.close();
  const [preload, endingFile] = ["ending.cjs", "ending"].map((name) => path.join(dataDir, name));
  fs.writeFileSync(preload!, program);
  const server = await startSupervised(dataDir, {
    ...process.env,
    NODE_OPTIONS: `--require=${preload}`,
    ENDING_FILE: endingFile,
  });
  fs.writeFileSync(endingFile!, how);
  return { ...server, dataDir, endingFile: endingFile! };
}

test(
  "the server starts again, says why, and has everything that was acknowledged",
  async () => {
    const { http, isUp, said } = await startEnding("once");
    expect(await http.mutation(chat.increment, { name: "x" })).toBe(2n);
    await vi.waitFor(() => expect(said()).toContain("The server was killed"), PATIENCE);
    await isUp();
    expect(said()).toContain(`The store takes no more writes (${REASON}): starting again.`);
    expect(await http.query(chat.counter, { name: "x" })).toBe(2n);
    expect(await http.mutation(chat.increment, { name: "x" })).toBe(3n);
  },
  RESTARTS_TIMEOUT_MS,
);

test(
  "a thread that ends again at the next start ends that and the supervisor, with the reason and a way out",
  async () => {
    const { child, http, dataDir, said } = await startEnding("always");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    expect(await http.mutation(chat.increment, { name: "x" })).toBe(2n);
    expect(await ended).toBe(1);
    expect(said().split("The server was killed")).toHaveLength(2);
    expect(said()).toContain(`Refusing to start: The store cannot be written (${REASON})`);
    expect(said()).toContain("npm run recover");
    const recovered = spawnSync(process.execPath, ["scripts/recover.mjs", "--data", dataDir]);
    expect(String(recovered.stdout)).toMatch(/was sound and lacked \d+ commits: it has them now/);
    const next = await startSupervised(dataDir);
    expect(await next.http.mutation(chat.increment, { name: "x" })).toBe(3n);
  },
  RESTARTS_TIMEOUT_MS,
);

/** systemd kills after fifteen seconds (deploy/), Podman and Docker after ten. */
const GRACE_MS = 9_000;

test(
  "a server that waits for its log to be readable again can be stopped in order meanwhile",
  async () => {
    const { child, http, dataDir, endingFile } = await startEnding("always", UNREADABLE);
    expect(await http.mutation(chat.increment, { name: "x" })).toBe(2n);
    const isRefused = () => fs.readFileSync(endingFile, "utf8") === "refused";
    await vi.waitFor(() => expect(isRefused()).toBe(true), PATIENCE);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const stoppedMs = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(GRACE_MS);
    fs.rmSync(endingFile);
    const next = await startSupervised(dataDir);
    expect(await next.http.mutation(chat.increment, { name: "x" })).toBe(3n);
  },
  RESTARTS_TIMEOUT_MS,
);
