/** `npm run embedded` as people run it: any functions folder, in its own process. */
import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./sources";

const SCRIPT = path.join(ROOT, "scripts", "embedded.mjs");
/** The last line it prints once it serves. */
const READY = "Admin key";

export interface EmbeddedProcess {
  readonly origin: string;
  /** Origin that serves only the HTTP actions; empty without a second port. */
  readonly siteOrigin: string;
  /** Ends it as an operator would (SIGTERM); resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would (SIGKILL), with its supervisor. */
  kill(): Promise<number | null>;
}

/** Starts it; resolves once it serves. @throws Error with what it printed if it ends instead */
export async function startEmbedded(options: {
  readonly functionsDir: string;
  readonly dataDir: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  readonly hasSitePort?: boolean;
}): Promise<EmbeddedProcess> {
  const { functionsDir, dataDir, port = 0, hasSitePort = false } = options;
  const args = ["--functions", functionsDir, "--data", dataDir, "--port", String(port)];
  if (hasSitePort) args.push("--site-port", "0");
  // Its own process group: a power cut takes down the supervisor and the server at once.
  const child = spawn(process.execPath, [SCRIPT, ...args], { cwd: ROOT, detached: true });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(READY)) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then(() => reject(new Error(`the server ended:\n${output}`)));
  });
  return {
    origin: /at (http:\S+)/.exec(output)?.[1] ?? "",
    siteOrigin: /HTTP actions also at (http:\S+)/.exec(output)?.[1] ?? "",
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    kill() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      return ended;
    },
  };
}
