import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import { startCheck } from "../../convex/model/ledgerCheckRun";
import { writtenLedger } from "./ledgerSupport";
import { expectSoundLedger, internal, ledgerProblems, submit } from "./moneySupport";
import { person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  ({ t, ada, root } = await writtenLedger());
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the ledger check", () => {
  test("finds nothing in a ledger that only the product wrote", async () => {
    await expectSoundLedger(t);
  });

  test("accepts an imported count, then checks each later transfer against it", async () => {
    const cleo = await person(t, "cleo@bank.example", { checkingCents: 5_000n, transfers: 1 });
    await expectSoundLedger(t);
    await submit(cleo, internal());
    await expectSoundLedger(t);
    await t.run((ctx) =>
      ctx.db.patch("users", cleo.userId, { transferCount: 3, transfers: 3, transfer_count: 3 }),
    );
    expect((await ledgerProblems(t)).join("\n")).toMatch(/more transfers counted than there were/);
    await root.as.mutation(api.admin.transferCounts.resetOne, { userId: cleo.userId });
    await submit(cleo, internal());
    await expectSoundLedger(t);
  });

  test("counts neither rows that failed nor transfers of somebody who is protected by now", async () => {
    await root.as.mutation(api.admin.transactions.addMany, {
      userId: ada.userId,
      rows: [
        {
          accountType: "Checking",
          type: "debit",
          amountCents: 7n,
          description: "Refused",
          category: "Other",
          date: Date.now() - 1,
          status: "Failed",
        },
      ],
      updateBalance: false,
      requestKey: "failed",
    });
    await t.run((ctx) => ctx.db.patch("users", ada.userId, { isProtected: true }));
    await submit(ada, internal());
    await expectSoundLedger(t);
  });

  test("a reset while the clock was set back does not count the transfers before it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    await root.as.mutation(api.admin.transferCounts.resetOne, { userId: ada.userId });
    await expectSoundLedger(t);
  });

  test("runs in batches and shows administrators its result", async () => {
    vi.useFakeTimers();
    const health = () => root.as.query(api.admin.health.get, {});
    expect((await health()).ledger).toBeNull();
    await root.as.mutation(api.admin.health.runLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    const { ledger, queues } = await health();
    expect(ledger).toMatchObject({ isOk: true, problems: [] });
    expect(ledger?.journals).toBeGreaterThan(3);
    expect(queues.find(({ name }) => name === "Scheduled payments")?.waiting).toBe(1);
    await t.run(async (ctx) => {
      const account = await ctx.db.query("accounts").first();
      if (account !== null) await ctx.db.patch("accounts", account._id, { holdCents: 1n });
    });
    // The newest result counts, whatever the clock says.
    vi.setSystemTime(Date.now() - 3_600_000);
    await t.mutation(functions.admin.health.startLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect((await health()).ledger).toMatchObject({ isOk: false });
  });

  test.each([
    ["long ago", -3_600_000],
    ["before the clock was set back", 3_600_000],
  ])(
    "does not start while another is running, unless that was abandoned %s",
    async (_, shiftMs) => {
      vi.useFakeTimers();
      const runs = () => t.run(async (ctx) => (await ctx.db.query("ledgerChecks").take(9)).length);
      const checkId = await t.run((ctx) => startCheck(ctx, Date.now()));
      await t.mutation(functions.admin.health.startLedgerCheck, {});
      expect(await runs()).toBe(1);
      const startedAt = Date.now() + shiftMs;
      await t.run((ctx) => ctx.db.patch("ledgerChecks", checkId, { startedAt }));
      await t.mutation(functions.admin.health.startLedgerCheck, {});
      expect(await runs()).toBe(2);
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      expect((await root.as.query(api.admin.health.get, {})).ledger).toMatchObject({ isOk: true });
    },
  );

  test("does not start while another goes on, however long ago that one began", async () => {
    vi.useFakeTimers({ now: Date.now() });
    await t.mutation(functions.admin.health.startLedgerCheck, {});
    const [checkId] = await t.run(async (ctx) =>
      (await ctx.db.query("ledgerChecks").take(9)).map(({ _id }) => _id),
    );
    if (checkId === undefined) throw new Error("no check");
    vi.setSystemTime(Date.now() + 3_600_000);
    await t.mutation(functions.admin.health.continueLedgerCheck, { checkId });
    await t.mutation(functions.admin.health.startLedgerCheck, {});
    expect(await t.run((ctx) => ctx.db.query("ledgerChecks").take(9))).toHaveLength(1);
  });

  test("keeps the thirty newest runs, and of its problems the first fifty", async () => {
    vi.useFakeTimers();
    await t.run(async (ctx) => {
      const request = await ctx.db.query("requests").first();
      if (request === null) throw new Error("no request");
      const { _id, _creationTime, ...fields } = request;
      for (let n = 0; n < 60; n++) await ctx.db.insert("requests", fields);
    });
    for (let n = 0; n < 32; n++) await t.run((ctx) => startCheck(ctx, Date.now()));
    await root.as.mutation(api.admin.health.runLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    const runs = await t.run((ctx) => ctx.db.query("ledgerChecks").take(50));
    expect(runs).toHaveLength(30);
    const { ledger } = await root.as.query(api.admin.health.get, {});
    expect(ledger?.isOk).toBe(false);
    expect(ledger?.problems).toHaveLength(50);
  });

  test("pauses between batches when nobody waits for it", async () => {
    const durationMs = async (start: () => Promise<null>): Promise<number> => {
      vi.useFakeTimers();
      const startedMs = Date.now();
      await start();
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      return Date.now() - startedMs;
    };
    const asked = await durationMs(() => root.as.mutation(api.admin.health.runLedgerCheck, {}));
    const daily = await durationMs(() => t.mutation(functions.admin.health.startLedgerCheck, {}));
    expect(asked).toBeLessThan(100);
    expect(daily).toBeGreaterThan(500);
  });
});
