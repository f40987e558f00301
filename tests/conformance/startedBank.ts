/** Data folders with a stopped demonstration, and `npm start` on them. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { copyDemoData } from "../attacks/bank";

export const ROOT = path.resolve(import.meta.dirname, "..", "..");

export type Env = Record<string, string>;

/** A new data folder; removed when the test ends. */
export function emptyFolder(): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "starting-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Seeds a bank for the tests of a file; returns what makes a new data folder with a copy of it. */
export function stoppedBank(): () => string {
  let seeded = "";
  beforeAll(async () => {
    seeded = fs.mkdtempSync(path.join(os.tmpdir(), "starting-bank-"));
    await copyDemoData(seeded);
    // Builds what a start needs, once.
    spawnSync(process.execPath, ["scripts/doctor.mjs", "--data", seeded], { cwd: ROOT });
  });
  afterAll(() => fs.rmSync(seeded, { recursive: true, force: true }));
  return () => {
    const dataDir = emptyFolder();
    fs.cpSync(seeded, dataDir, { recursive: true });
    return dataDir;
  };
}

/** The output of `npm start` until it serves or exits; it is then stopped. */
export function start(
  dataDir: string,
  args: readonly string[] = [],
  env: Env = {},
): Promise<string> {
  // Started as by its supervisor: everything is built already, and the pages do not matter here.
  const all = { ...process.env, PORT: "0", DATA_DIR: dataDir, SUPERVISED_CHILD: "1", ...env };
  const child = spawn(process.execPath, ["scripts/start.mjs", ...args], { cwd: ROOT, env: all });
  return new Promise((resolve) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes("Serving at")) child.kill("SIGTERM");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => resolve(output));
  });
}
