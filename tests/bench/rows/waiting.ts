/** Row 13: a mutation that waits 150 ms for real work delays nobody else's. */
import { ROOT, start, temporaryFolder } from "../processes";
import type { WaitingPlan, WaitingResult } from "../programs/waiting";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { describeRange, median, percentile } from "../statistics";
import type { World } from "../world";

/**
 * "By nothing": a held lane would make the p99 a hundred times longer. Up to this much is the work's own
 * share of the two cores.
 */
const RATIO_MAX = 1.5;

/** Row 13. */
export async function waitingRows(world: World): Promise<Row[]> {
  const { rounds: count, warmUpMs, measureMs } = world.pace;
  const rounds = await alternate("waiting", ["with", "without"] as const, count, async (kind) => {
    const { dir, remove } = temporaryFolder();
    const hasSlow = kind === "with";
    const plan: WaitingPlan = { root: ROOT, dataDir: dir, hasSlow, warmUpMs, measureMs };
    const program = start("waiting", plan);
    const { quickMs, slowMs } = JSON.parse(await program.line("result")) as WaitingResult;
    await program.stop();
    remove();
    return { p50: median(quickMs), p99: percentile(quickMs, 0.99), slowMs: median(slowMs) };
  });
  const slow = describeRange(rounds.map((round) => round.with.slowMs));
  const row = (number: string, field: "p50" | "p99"): Row => ({
    number,
    name: `quick mutations beside one that waits: ${field}`,
    unit: "ms",
    ours: rounds.map((round) => round.with[field]),
    other: { name: "without it", values: rounds.map((round) => round.without[field]) },
    ratios: ratiosOf(
      rounds,
      (round) => round.with[field],
      (round) => round.without[field],
    ),
    target: { atMost: RATIO_MAX },
    notes: [`the slow one took ${slow} ms`],
  });
  return [row("13a", "p50"), row("13b", "p99")];
}
