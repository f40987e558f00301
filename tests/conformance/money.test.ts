/**
 * Money on the embedded backend: random histories, and races of hundreds of concurrent calls.
 * TEST_SCALE multiplies the number of histories.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import schema from "../../convex/schema";
import {
  balancesOf,
  countOf,
  expectSoundLedger,
  freshKey,
  internal,
  submit,
  toUser,
} from "../convex/moneySupport";
import {
  admin,
  MODULES,
  person,
  refusalOf,
  stubEnvironment,
  type Backend,
  type Person,
} from "../convex/support";
import { embeddedTest } from "../../embedded/testing";
import { longer, SCALE } from "../support/chance";
import { conserveMoney, HISTORY, liveThrough, TRANSFERS } from "../support/histories";

const TIMEOUT_MS = 120_000 * SCALE;

function newEmbedded(): Backend {
  stubEnvironment();
  return embeddedTest(schema, MODULES);
}

describe("random histories on the embedded backend", () => {
  test(
    "agree with a simple model of a bank, step by step",
    async () => {
      const history = fc.asyncProperty(HISTORY, async (steps) => {
        await liveThrough(newEmbedded(), steps);
      });
      await fc.assert(history, longer(10));
    },
    TIMEOUT_MS,
  );

  test(
    "conserve money to the cent",
    async () => {
      const history = fc.asyncProperty(TRANSFERS, (steps) => conserveMoney(newEmbedded(), steps));
      await fc.assert(history, longer(5));
    },
    TIMEOUT_MS,
  );
});

describe("races on the embedded backend", () => {
  /** Number of calls per outcome: "ok" or the code of the refusal. */
  async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
    const outcomes = await Promise.all(
      calls.map(async (call) => {
        const settled = await Promise.allSettled([call]);
        return settled[0]?.status === "fulfilled" ? "ok" : await refusalOf(call);
      }),
    );
    const counts: Record<string, number> = {};
    for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  }
  const times = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));

  async function people(): Promise<{ t: Backend; ada: Person; ben: Person; root: Person }> {
    const t = newEmbedded();
    const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
    const ben = await person(t, "ben@bank.example", { checkingCents: 10_000n });
    return { t, ada, ben, root: await admin(t) };
  }

  test("200 transfers of 60 from 100 at once: exactly one succeeds", async () => {
    const { t, ada } = await people();
    const counts = await tally(times(200, () => submit(ada, internal({ amountCents: 6_000n }))));
    expect(counts).toEqual({ ok: 1, INSUFFICIENT_FUNDS: 199 });
    expect(await balancesOf(t, ada)).toEqual([4_000n, 6_000n]);
    await expectSoundLedger(t);
  });

  test("1,000 first transfers at once: exactly two", async () => {
    const { t, ada } = await people();
    const counts = await tally(times(1_000, () => submit(ada, internal({ amountCents: 1n }))));
    expect(counts).toEqual({ ok: 2, TRANSFER_BLOCKED: 998 });
    expect(await countOf(t, ada)).toBe(2);
    await expectSoundLedger(t);
  });

  test("one request key sent 100 times at once moves money once, and every call returns the same receipt", async () => {
    const { t, ada } = await people();
    const args = internal({ amountCents: 100n });
    const receipts = await Promise.all(times(100, () => submit(ada, args)));
    expect(new Set(receipts.map(({ transferId }) => transferId)).size).toBe(1);
    expect(await balancesOf(t, ada)).toEqual([9_900n, 100n]);
    expect(await countOf(t, ada)).toBe(1);
    await expectSoundLedger(t);
  });

  test(
    "A to B and B to A, 500 each: nothing is lost or doubled",
    async () => {
      const { t, ada, ben } = await people();
      await t.run(async (ctx) => {
        for (const { userId } of [ada, ben]) {
          await ctx.db.patch("users", userId, { isProtected: true });
        }
      });
      const counts = await tally(
        times(1_000, (index) =>
          index % 2 === 0
            ? submit(ada, toUser(ben.email, { amountCents: 7n }))
            : submit(ben, toUser(ada.email, { amountCents: 5n })),
        ),
      );
      expect(counts).toEqual({ ok: 1_000 });
      expect(await balancesOf(t, ada)).toEqual([10_000n - 500n * 7n + 500n * 5n, 0n]);
      expect(await balancesOf(t, ben)).toEqual([10_000n + 500n * 7n - 500n * 5n, 0n]);
      await expectSoundLedger(t);
    },
    TIMEOUT_MS,
  );

  test("the same row deleted 50 times at once: one reversal", async () => {
    const { t, ada, root } = await people();
    await submit(ada, internal({ amountCents: 100n }));
    const [row] = await ada.as.query(api.transactions.recent, {});
    const transactionId = row?._id ?? "";
    const remove = () => root.as.mutation(api.admin.transactions.remove, { transactionId });
    expect(await tally(times(50, remove))).toEqual({ ok: 1, TRANSACTION_NOT_FOUND: 49 });
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    await expectSoundLedger(t);
  });

  test("a transfer and the concurrent deletion of the credit that funds it never overdraw the account", async () => {
    const { t, ada, ben, root } = await people();
    await submit(ada, toUser(ben.email, { amountCents: 10_000n }));
    const [row] = await ada.as.query(api.transactions.recent, {});
    const counts = await tally([
      submit(ben, internal({ amountCents: 15_000n })),
      root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" }),
    ]);
    expect(counts.ok).toBe(1);
    await expectSoundLedger(t);
  });

  test("two concurrent edits of one account: the second is refused as stale", async () => {
    const { t, ada, root } = await people();
    const [account] = await ada.as.query(api.accounts.listMine, {});
    if (account === undefined) throw new Error("No account");
    const { _id: accountId, accountNumber, routingNumber, balanceCents, availableCents } = account;
    const expected = { accountNumber, routingNumber, balanceCents, availableCents };
    const edit = (cents: bigint) =>
      root.as.mutation(api.admin.accounts.update, {
        accountId,
        accountNumber,
        routingNumber,
        balanceCents: cents,
        availableCents: cents,
        expected,
      });
    expect(await tally([edit(1n), edit(2n)])).toEqual({ ok: 1, STALE_EDIT: 1 });
    await expectSoundLedger(t);
  });

  test("a batch sent twice with one key is one batch", async () => {
    const { t, ada, root } = await people();
    const args = {
      userId: ada.userId,
      updateBalance: true,
      requestKey: freshKey(),
      rows: times(20, (index) => ({
        accountType: "Checking" as const,
        type: "credit" as const,
        amountCents: 1n,
        description: `row ${index}`,
        category: "Income" as const,
        date: 1_700_000_000_000 + index,
        status: "Completed" as const,
      })),
    };
    const add = () => root.as.mutation(api.admin.transactions.addMany, args);
    const batches = await Promise.all(times(10, add));
    expect(new Set(batches.map(({ batchId }) => batchId)).size).toBe(1);
    expect(await balancesOf(t, ada)).toEqual([10_020n, 0n]);
    await expectSoundLedger(t);
  });
});
