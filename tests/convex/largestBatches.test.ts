/**
 * The largest pieces of administrators' work stay within what one function may read: on the embedded backend, because
 * convex-test counts nothing.
 */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { ROWS_PER_BATCH_MAX, SHORT_TEXT_LENGTH_MAX } from "../../convex/shared/limits";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { balancesOf, expectSoundLedger, submit, toUser } from "./moneySupport";
import { MODULES, admin, person, stubEnvironment, type Backend, type Person } from "./support";

/** The longest date of a month, so that each row has a month of its own. */
const MONTH_MS = 31 * 86_400_000;

let t: Backend;
let root: Person;
let second: Person;

beforeEach(async () => {
  stubEnvironment();
  t = embeddedTest(schema, MODULES);
  root = await admin(t);
  second = await admin(t, "second@bank.example");
});

/** Requested by one administrator, approved by the other; returns what it was stored as. */
async function carryOut(change: MoneyChange): Promise<void> {
  const { approvalId } = await root.as.mutation(api.admin.approvals.request, { change });
  await second.as.mutation(api.admin.approvals.approve, { approvalId });
}

test("as many rows as one file may hold, each of its own month, are added and deleted together", async () => {
  const ada = await person(t, "ada@bank.example");
  const row = {
    accountType: "Checking",
    type: "credit",
    amountCents: 1_000n,
    description: "界".repeat(SHORT_TEXT_LENGTH_MAX),
    category: "Deposit",
    status: "Completed",
  } as const;
  const rows = Array.from({ length: ROWS_PER_BATCH_MAX }, (_, index) => ({
    ...row,
    date: Date.now() - index * MONTH_MS,
  }));
  const args = { userId: ada.userId, rows, updateBalance: true, requestKey: "all of a file" };
  await carryOut({ kind: "transactions.add", args });
  expect(await balancesOf(t, ada)).toEqual([500_000n, 0n]);

  const [batch] = await root.as.query(api.admin.transactions.batches, { userId: ada.userId });
  const { batchId } = batch!;
  await carryOut({ kind: "transactions.removeBatch", args: { batchId } });
  expect(await balancesOf(t, ada)).toEqual([0n, 0n]);
  await expectSoundLedger(t);
});

test("transfers from a hundred people, half of which cannot be reversed, are deleted as far as possible", async () => {
  const ada = await person(t, "ada@bank.example");
  for (let index = 0; index < 100; index++) {
    const giver = await person(t, `giver${index}@bank.example`, { checkingCents: 1_000n });
    await submit(giver, toUser(ada.email));
  }
  const shop = await person(t, "shop@bank.example");
  await submit(ada, toUser(shop.email, { amountCents: 50_000n }));
  // Spent: the shop cannot give it back.
  await submit(shop, toUser(root.email, { amountCents: 50_000n }));
  vi.useFakeTimers({ now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await carryOut({ kind: "transactions.removeAll", args: { email: ada.email } });
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  expect(await balancesOf(t, ada)).toEqual([0n, 0n]);
  await expectSoundLedger(t);
});
