/** Runs load processes against a running server, and measures CPU use meanwhile. */
import { cpuSeconds, machineBusySeconds } from "./machine";
import { start } from "./processes";
import type { LoadPlan, LoadResult } from "./programs/load";
import type { Pace } from "./rounds";
import { describeRange, percentile } from "./statistics";

/** More would only compete with the server for its core. */
const LOAD_PROCESSES = 1;
const MS_PER_SECOND = 1000;
const MICROS_PER_SECOND = 1_000_000;

/** Measurements of one load. */
export interface LoadSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server (and its database) per transfer. */
  readonly cpuMicros: number;
  /** Cores in use; 1 is one whole core. */
  readonly serverCores: number;
  readonly clientCores: number;
  /** Cores used by other programs on the machine, which make a figure doubtful. */
  readonly foreignCores: number;
  /** All transfers answered, including those outside the measured time. */
  readonly answered: number;
}

interface LoadTarget {
  readonly url: string;
  /** Processes whose CPU time counts as the server's. */
  readonly pids: readonly number[];
}

export type Load = Pick<LoadPlan, "kind" | "tokens" | "recipients" | "peerMode"> & {
  /** Called when the warm-up is over. */
  readonly onMeasuring?: () => Promise<unknown>;
};

function startClients(pace: Pick<Pace, "warmUpMs" | "measureMs">, url: string, load: Load) {
  const { kind, tokens, recipients, peerMode } = load;
  const { warmUpMs, measureMs } = pace;
  const share = Math.ceil(tokens.length / LOAD_PROCESSES);
  const shares = Array.from({ length: LOAD_PROCESSES }, (_, at) =>
    tokens.slice(at * share, (at + 1) * share),
  ).filter((own) => own.length > 0);
  return shares.map((own) => {
    const plan: LoadPlan = {
      kind,
      url,
      tokens: own,
      recipients,
      warmUpMs,
      measureMs,
      ...(peerMode === undefined ? {} : { peerMode }),
    };
    return start("load", plan);
  });
}

/** Runs one load until it ends. */
export async function runLoad(
  pace: Pick<Pace, "warmUpMs" | "measureMs">,
  target: LoadTarget,
  load: Load,
): Promise<LoadSample> {
  const clients = startClients(pace, target.url, load);
  await Promise.all(clients.map((program) => program.line("measuring")));
  await load.onMeasuring?.();
  const clientPids = clients.map((program) => program.pid);
  const used = () => ({
    atMs: performance.now(),
    server: cpuSeconds(...target.pids),
    clients: cpuSeconds(...clientPids),
    machine: machineBusySeconds(),
  });
  const before = used();
  const results = await Promise.all(
    clients.map(async (program) => JSON.parse(await program.line("result")) as LoadResult),
  );
  const after = used();
  await Promise.all(clients.map((program) => program.stop("SIGKILL")));
  const seconds = (after.atMs - before.atMs) / MS_PER_SECOND;
  const cores = (part: "server" | "clients" | "machine"): number =>
    (after[part] - before[part]) / seconds;
  const latenciesMs = results.flatMap((result) => result.latenciesMs);
  const perSecond = (latenciesMs.length * MS_PER_SECOND) / pace.measureMs;
  return {
    perSecond,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMicros: (cores("server") / perSecond) * MICROS_PER_SECOND,
    serverCores: cores("server"),
    clientCores: cores("clients"),
    foreignCores: Math.max(0, cores("machine") - cores("server") - cores("clients")),
    answered: results.reduce((sum, result) => sum + result.answered, 0),
  };
}

/** Describes the CPU use in the samples of one kind. */
export function describeUse(kind: string, samples: readonly LoadSample[]): string {
  const of = (pick: (sample: LoadSample) => number): string => describeRange(samples.map(pick));
  return (
    `${kind}: server ${of((sample) => sample.serverCores)} cores, ` +
    `clients ${of((sample) => sample.clientCores)}, others ${of((sample) => sample.foreignCores)}, ` +
    `${of((sample) => sample.cpuMicros)} µs of server for one`
  );
}
