/** The chat fixture under its supervisor, in separate processes, started and ready. */
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { ConvexHttpClient } from "convex/browser";
import { expect, onTestFinished, vi } from "vitest";
import { freePort } from "../../support/freePort";
import { PATIENCE } from "../../support/patience";
import { CHAT_DIR } from "./testServer";

/**
 * Starts one, with a limit on open files if one is given; it is stopped when the test ends. `child` is the
 * supervisor, `said` the output of both so far.
 */
export async function startSupervised(
  dataDir: string,
  env: NodeJS.ProcessEnv = process.env,
  openFilesMax: number | "unlimited" = "unlimited",
  nodeOptions: readonly string[] = [],
) {
  const args = ["scripts/embedded.mjs", "--functions", CHAT_DIR, "--data", dataDir];
  const port = await freePort();
  const command = [
    process.execPath,
    ...nodeOptions,
    ...args,
    "--port",
    String(port),
    "--watchdog-ms",
    "1500",
  ];
  const limited = ["sh", "-c", `ulimit -n ${openFilesMax} && exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = openFilesMax === "unlimited" ? command : limited;
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], env });
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  onTestFinished(async () => {
    child.kill("SIGTERM");
    while (child.exitCode === null) await delay(20);
  });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    vi.waitFor(
      () => fetch(`${origin}/healthz`).then((answer) => expect(answer.ok).toBe(true)),
      PATIENCE,
    );
  await isUp();
  const http = new ConvexHttpClient(origin, { logger: false });
  return { child, origin, isUp, http, said: () => said };
}
