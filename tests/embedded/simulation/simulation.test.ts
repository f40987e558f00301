/**
 * The whole server core in a simulated world (tests/embedded/simulation), by seed. TEST_SCALE multiplies
 * seeds and operations: 100 makes it 200 seeds of 2,000. SIM_SEED runs one seed, or SIM_SEEDS seeds starting
 * there; SIM_OPERATIONS is the number of operations.
 */
import { expect, test } from "vitest";
import { SCALE } from "../../support/chance";
import { install } from "./world";

const SEEDS = Math.max(2, Math.min(200, Math.round(SCALE * 2)));
const OPERATIONS = Math.max(120, Math.min(2_000, Math.round(SCALE * 120)));
/** With more seeds than these, each prints a line, to show progress and to compare with a replay. */
const SEEDS_WITHOUT_LINES = 2;
const BASE_SEED = 20_261_121;

// Before the server's modules are loaded, because they keep references to the timers.
const seat = install();
const { simulate } = await import("./simulation");
const { loadFunctions } = await import("./server");
const { stubEnvironment } = await import("../../convex/support");
stubEnvironment();
const functions = await loadFunctions();

async function play(seed: number, operations: number, isDiskHonest = true) {
  try {
    return await simulate(seat.enter, functions, seed, operations, isDiskHonest);
  } catch (error) {
    throw new Error(`SIM_SEED=${seed} SIM_OPERATIONS=${operations}`, { cause: error });
  } finally {
    seat.leave();
  }
}

const given = process.env.SIM_SEED;
const firstSeed = given === undefined ? BASE_SEED : Number.parseInt(given, 10);
const seedCount = given === undefined ? SEEDS : Number(process.env.SIM_SEEDS ?? 1);
const seeds = Array.from({ length: seedCount }, (_, n) => firstSeed + n);
const operations = Number(process.env.SIM_OPERATIONS ?? OPERATIONS);
const TIMEOUT_MS = 300_000 + seedCount * operations * 200;

test(
  "nothing acknowledged is lost, nothing is applied twice, and every reader sees one moment, whatever breaks",
  async () => {
    const totals = { crashes: 0, cutConnections: 0, clockJumps: 0, replayedCommits: 0 };
    let [commits, frames] = [0, 0];
    const cpuBefore = process.cpuUsage();
    const cpuS = () => {
      const { user, system } = process.cpuUsage(cpuBefore);
      return Math.round((user + system) / 1_000_000);
    };
    for (const seed of seeds) {
      const report = await play(seed, operations);
      for (const name of Object.keys(totals) as (keyof typeof totals)[]) {
        totals[name] += report[name];
      }
      commits += report.checkedCommits;
      frames += report.checkedFrames;
      if (seeds.length > SEEDS_WITHOUT_LINES) {
        process.stdout.write(`seed ${seed}: trace ${report.traceHash.slice(0, 16)}, ${cpuS()} s\n`);
      }
    }
    process.stdout.write(
      `simulation: seeds ${seeds[0]} to ${seeds.at(-1)}, ${operations} operations each; ` +
        `${JSON.stringify(totals)}, ${commits} commits and ${frames} frames checked; ` +
        `${cpuS()} s of processor time\n`,
    );
    // A simulation without faults proves nothing; a short one may lack one kind of fault.
    if (given === undefined) {
      const troubles = Object.values(totals);
      expect(troubles.filter((count) => count > 0).length).toBeGreaterThan(SCALE > 1 ? 3 : 1);
      expect(frames).toBeGreaterThan(operations);
    }
  },
  TIMEOUT_MS,
);

test(
  "one seed is one trace, another seed another",
  async () => {
    // An odd and an even seed use different function contexts.
    const [first, other] = [await play(7, 60), await play(8, 60)];
    expect(await play(7, 60)).toEqual(first);
    expect(await play(8, 60)).toEqual(other);
    expect(other.traceHash).not.toBe(first.traceHash);
  },
  TIMEOUT_MS,
);

test(
  "a disk that does not keep what it says it has synced is noticed",
  async () => {
    let isNoticed = false;
    for (let seed = 1; seed <= 5 && !isNoticed; seed++) {
      const [outcome] = await Promise.allSettled([play(seed, 60, false)]);
      isNoticed = outcome.status === "rejected";
    }
    expect(isNoticed).toBe(true);
  },
  TIMEOUT_MS,
);
