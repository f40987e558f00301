/** Random histories on convex-test. TEST_SCALE multiplies their number. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { internal as functions } from "../../convex/_generated/api";
import { longer, SCALE } from "../support/chance";
import { conserveMoney, HISTORY, liveThrough, Pair, TRANSFERS } from "../support/histories";
import { newBackend, snapshot } from "./support";

const TIMEOUT_MS = 120_000 * SCALE;

test(
  "the product agrees with a simple model of a bank, step by step",
  async () => {
    const history = fc.asyncProperty(HISTORY, async (steps) => {
      await liveThrough(newBackend(), steps);
    });
    await fc.assert(history, longer(5));
  },
  TIMEOUT_MS,
);

test(
  "internal transfers keep the sum of all balances, international ones lower it by their amount",
  async () => {
    const history = fc.asyncProperty(TRANSFERS, (steps) => conserveMoney(newBackend(), steps));
    await fc.assert(history, longer(3));
  },
  TIMEOUT_MS,
);

test("the job of due payments changes nothing when nothing is due", async () => {
  const { t } = await Pair.open(newBackend());
  const before = await snapshot(t);
  await t.mutation(functions.billPayments.settleDue, {});
  expect(await snapshot(t)).toBe(before);
});
