/**
 * Starts the product as a person would (`scripts/start.mjs`) on a free port with its own data folder, and
 * stops, kills or restarts it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../support/freePort";
import { ROOT } from "../../support/sources";

/** Demo data seeded once per run by globalSetup and copied for each server. */
export const SEEDED_DATA_DIR = path.join(ROOT, "test-results", "seeded-data");
/** Includes a build when the sources are newer than `dist`. */
const START_TIMEOUT_MS = 180_000;
const HEALTH_POLL_MS = 25;

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  /** Stops it like an operator (SIGTERM) and waits; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it like a power cut (SIGKILL) and waits. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
}

interface ServerOptions {
  /** Start from an empty folder instead of a copy of the demo data. */
  readonly isEmpty?: boolean;
  readonly env?: Record<string, string>;
  readonly dataDir?: string;
}

async function untilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`server ended at start:\n${output()}`);
    const isHealthy = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resume) => setTimeout(resume, HEALTH_POLL_MS));
  }
  throw new Error(`server did not answer /healthz:\n${output()}`);
}

/** Starts the product; resolves once `/healthz` responds. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const isOwnDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(path.join(os.tmpdir(), "e2e-data-"));
  if (isOwnDir && !options.isEmpty) cpSync(SEEDED_DATA_DIR, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess;

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    return new Promise((resolve) => {
      child.once("exit", (code) => resolve(code));
      if (signal === "SIGKILL" && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    });
  };
  const launch = async (): Promise<void> => {
    let output = "";
    child = spawn(process.execPath, ["scripts/start.mjs"], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO: "1", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that a simulated power cut kills supervisor and server at once.
      detached: true,
    });
    child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    try {
      await untilHealthy(url, child, () => output);
    } catch (error) {
      await end("SIGKILL");
      throw error;
    }
  };

  await launch();
  return {
    url,
    dataDir,
    async stop() {
      const code = await end("SIGTERM");
      if (isOwnDir) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
    async kill() {
      await end("SIGKILL");
    },
    async restart() {
      await end("SIGTERM");
      await launch();
    },
  };
}
