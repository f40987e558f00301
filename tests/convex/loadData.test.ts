/** People for load tests (`npm run seed:large`). */
import { expect, test } from "vitest";
import { internal } from "../../convex/_generated/api";
import { expectSoundLedger } from "./moneySupport";
import { newBackend } from "./support";

test("load people are numbered without gaps, so that their count is the next number", async () => {
  const t = newBackend();
  const count = () => t.query(internal.dev.seed.loadedCount, {});
  expect(await count()).toBe(0);
  for (const [firstNumber, users] of [
    [0, 1],
    [1, 2],
    [3, 10],
  ] as const) {
    await t.action(internal.dev.seed.large, { firstNumber, users, transactionsEach: 2 });
    expect(await count()).toBe(firstNumber + users);
  }
  await expectSoundLedger(t);
});
