/**
 * A backend on `functions/` with a folder of its own, one client with quick mutations one after the
 * other, and, when told so, another with slow ones that wait for work on another thread.
 *
 * Everything runs in this process: what is asked is whether the lane is held, which the clients' share of
 * the processor does not change. Prints `result JSON`.
 */
import path from "node:path";
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { serve } from "../../../embedded/main";
import { readPlan } from "./plan";

export interface WaitingPlan {
  readonly root: string;
  readonly dataDir: string;
  readonly hasSlow: boolean;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface WaitingResult {
  readonly quickMs: readonly number[];
  readonly slowMs: readonly number[];
}

const plan = readPlan<WaitingPlan>();
const server = await serve({
  functions: { functionsDir: path.join(plan.root, "tests", "bench", "functions") },
  dataDir: plan.dataDir,
  host: "127.0.0.1",
  port: 0,
  sitePort: null,
  publicOrigin: null,
  allowedOrigins: null,
  trustedProxy: null,
  adminKey: null,
  uploadTokenKey: null,
  env: () => ({}),
  isRedacting: false,
  staticDir: null,
  frameOrigins: [],
  messageMaxBytes: 1_000_000,
  uploadMaxBytes: 1_000_000,
  connectionsMax: 10,
  version: "bench",
  watchdogMs: null,
  onLogLine: null,
});

const measureFrom = performance.now() + plan.warmUpMs;
const endAt = measureFrom + plan.measureMs;

/** Calls a mutation again and again; answers how long each call of the measured time took. */
async function repeat(name: string): Promise<number[]> {
  const client = new ConvexClient(server.origin, { logger: false });
  const times: number[] = [];
  while (performance.now() < endAt) {
    const sentAt = performance.now();
    await client.mutation(makeFunctionReference<"mutation">(name), {});
    if (sentAt >= measureFrom) times.push(performance.now() - sentAt);
  }
  await client.close();
  return times;
}

const [quickMs, slowMs] = await Promise.all([
  repeat("work:quick"),
  plan.hasSlow ? repeat("work:slow") : [],
]);
const result: WaitingResult = { quickMs, slowMs };
await server.close();
console.log(`result ${JSON.stringify(result)}`);
process.exit(0);
