/**
 * Row 13: a mutation that waits 150 ms for real work does not delay other mutations.
 *
 * The work itself uses a core in any case. Therefore the mutation is compared with an action that does the
 * same work, because actions never block the mutation queue.
 */
import { ROOT, start, temporaryFolder } from "../processes";
import type { WaitingPlan, WaitingResult } from "../programs/waiting";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { describeRange, median, percentile } from "../statistics";
import type { World } from "../world";

/** Close to 1: a blocked queue would make the p99 a hundred times longer. */
const RATIO_MAX = 1.2;

const KINDS = ["mutation", "action", "none"] as const;

/** Row 13. */
export async function waitingRows(world: World): Promise<Row[]> {
  const { rounds: count, warmUpMs, measureMs } = world.pace;
  const rounds = await alternate("waiting", KINDS, count, async (kind) => {
    const { dir, remove } = temporaryFolder();
    const slow = kind === "none" ? null : kind;
    const plan: WaitingPlan = { root: ROOT, dataDir: dir, slow, warmUpMs, measureMs };
    const program = start("waiting", plan);
    const { quickMs, slowMs } = JSON.parse(await program.line("result")) as WaitingResult;
    await program.stop();
    remove();
    return { p50: median(quickMs), p99: percentile(quickMs, 0.99), slowMs: median(slowMs) };
  });
  const slow = describeRange(rounds.map((round) => round.mutation.slowMs));
  const row = (number: string, field: "p50" | "p99"): Row => {
    const of = (kind: (typeof KINDS)[number]) => rounds.map((round) => round[kind][field]);
    return {
      number,
      name: `quick mutations beside one that waits: ${field}`,
      unit: "ms",
      ours: of("mutation"),
      other: { name: "beside an action with that work", values: of("action") },
      ratios: ratiosOf(
        rounds,
        (round) => round.mutation[field],
        (round) => round.action[field],
      ),
      target: { atMost: RATIO_MAX },
      notes: [`the slow one took ${slow} ms; beside nothing ${describeRange(of("none"))} ms`],
    };
  };
  return [row("13a", "p50"), row("13b", "p99")];
}
