/**
 * A backend on `functions/` with its own folder, one client with quick mutations one after the other, and
 * optionally another one with slow calls that wait for work on another thread.
 *
 * Everything runs in this process: the question is whether slow calls block the mutation queue, which does
 * not depend on the clients' share of the CPU. Prints `result JSON`.
 */
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { readPlan } from "./plan";
import { serveOwnFunctions } from "./ownFunctions";

export interface WaitingPlan {
  readonly root: string;
  readonly dataDir: string;
  /** The kind of the slow calls; null for none. */
  readonly slow: "mutation" | "action" | null;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface WaitingResult {
  readonly quickMs: readonly number[];
  readonly slowMs: readonly number[];
}

/** An empty key set, because nobody signs in. */
const NO_KEYS = `data:application/json;base64,${btoa('{"keys":[]}')}`;

const plan = readPlan<WaitingPlan>();
const server = await serveOwnFunctions({ ...plan, port: 0, jwksUri: NO_KEYS });

const measureFrom = performance.now() + plan.warmUpMs;
const endAt = measureFrom + plan.measureMs;

type Call = (client: ConvexClient) => Promise<unknown>;
const quick: Call = (client) =>
  client.mutation(makeFunctionReference<"mutation">("work:quick"), {});
const SLOW: Readonly<Record<"mutation" | "action", Call>> = {
  mutation: (client) => client.mutation(makeFunctionReference<"mutation">("work:slow"), {}),
  action: (client) => client.action(makeFunctionReference<"action">("work:slowAction"), {}),
};

/** Repeats a call; returns the durations of the calls in the measured time. */
async function repeat(call: Call): Promise<number[]> {
  const client = new ConvexClient(server.origin, { logger: false });
  const times: number[] = [];
  while (performance.now() < endAt) {
    const sentAt = performance.now();
    await call(client);
    if (sentAt >= measureFrom) times.push(performance.now() - sentAt);
  }
  await client.close();
  return times;
}

const [quickMs, slowMs] = await Promise.all([
  repeat(quick),
  plan.slow === null ? [] : repeat(SLOW[plan.slow]),
]);
const result: WaitingResult = { quickMs, slowMs };
await server.close();
console.log(`result ${JSON.stringify(result)}`);
process.exit(0);
