/** Data folders with a stopped demonstration, and our commands on them. */
import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { copyDemoData } from "../attacks/bank";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

export type Env = Record<string, string>;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of ours as package.json does. Without a port: doctor must not find servers of other tests. */
export function run(...args: string[]): Promise<Outcome> {
  const env = { ...process.env, PORT: process.env.PORT ?? "0" };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

/** Runs an operator's command. */
export const operate = (command: string, ...args: string[]): Promise<Outcome> =>
  run(`scripts/${command}.mjs`, ...args);

/** What doctor finds; `found` is of one check. */
export async function doctor(dataDir: string, check: string, ...args: string[]) {
  const { code, output } = await operate("doctor", "--data", dataDir, "--json", ...args);
  const findings = JSON.parse(output) as {
    check: string;
    status: string;
    text: string;
    next?: string;
  }[];
  return { code, findings, found: findings.filter((finding) => finding.check === check) };
}

/**
 * Seeds a bank for the tests of a file, and builds what commands need; returns what makes a new data folder with a copy
 * of it. `prepare` is called with the seeded folder.
 */
export function stoppedBank(
  prepare: (seeded: string) => Promise<void> = async () => undefined,
): () => string {
  let seeded = "";
  beforeAll(async () => {
    seeded = fs.mkdtempSync(path.join(os.tmpdir(), "bank-"));
    await copyDemoData(seeded);
    await prepare(seeded);
    await run("scripts/doctor.mjs", "--data", seeded);
  });
  afterAll(() => fs.rmSync(seeded, { recursive: true, force: true }));
  return () => {
    const dataDir = temporaryDir();
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
