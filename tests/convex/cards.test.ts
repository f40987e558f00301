import { beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import { issuePair } from "../../convex/model/cards";
import { bellOf, expectRefusal, internal, submit } from "./moneySupport";
import { newBackend, person, snapshot, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let ben: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { name: "Ada Ode", checkingCents: 10_000n });
  ben = await person(t, "ben@bank.example");
  await t.run((ctx) => issuePair(ctx, ada.userId, Date.parse("2026-03-02T17:00:00Z")));
});

const cards = () => ada.as.query(api.cards.listMine, {});

describe("the two cards", () => {
  test("are those of the specification", async () => {
    await submit(ada, internal());
    const [debit, credit] = await cards();
    expect(debit).toMatchObject({ kind: "debit", linkedAccount: "Checking", expiry: "03/30" });
    expect(debit?.maskedNumber).toMatch(/^•••• •••• •••• \d{4}$/);
    expect(debit?.lastTransactions).toHaveLength(1);
    expect(credit).toMatchObject({
      kind: "credit",
      limitCents: 500_000n,
      availableCents: 350_000n,
      rewardsPoints: 2_500,
      holderName: "Ada Ode",
      lastTransactions: [],
    });
  });

  test("are issued once", async () => {
    await t.run((ctx) => issuePair(ctx, ada.userId, Date.now()));
    expect(await cards()).toHaveLength(2);
  });

  test("lock, unlock and report lost take effect; lost is permanent", async () => {
    const cardId = (await cards())[0]?._id ?? "";
    const status = async () => (await cards())[0]?.status;
    await ada.as.mutation(api.cards.lock, { cardId });
    expect(await status()).toBe("Locked");
    await ada.as.mutation(api.cards.unlock, { cardId });
    expect(await status()).toBe("Active");
    await ada.as.mutation(api.cards.reportLost, { cardId });
    await expectRefusal(
      t,
      () => ada.as.mutation(api.cards.unlock, { cardId }),
      "CARD_CHANGE_REFUSED",
    );
    await expectRefusal(
      t,
      () => ada.as.mutation(api.cards.lock, { cardId }),
      "CARD_CHANGE_REFUSED",
    );
    expect(await status()).toBe("Reported lost");
    const { lastFour } = (await t.run((ctx) => ctx.db.query("cards").first()))!;
    const said = ["has been reported lost", "was unlocked", "was locked"];
    expect(await bellOf(ada)).toEqual(said.map((what) => `Debit card ending ${lastFour} ${what}.`));
  });

  test("asking for the status that a card already has changes nothing", async () => {
    const cardId = (await cards())[0]?._id ?? "";
    for (const change of [api.cards.lock, api.cards.reportLost]) {
      await ada.as.mutation(change, { cardId });
      const before = await snapshot(t);
      await ada.as.mutation(change, { cardId });
      expect(await snapshot(t)).toBe(before);
    }
  });

  test("the newest three rows of the linked account are shown, newest first", async () => {
    // Whose transfers are not limited.
    await t.run((ctx) => ctx.db.patch("users", ada.userId, { isProtected: true }));
    for (const amountCents of [1n, 2n, 3n, 4n]) await submit(ada, internal({ amountCents }));
    const [debit] = await cards();
    expect(debit?.lastTransactions.map((row) => row.amountCents)).toEqual([4n, 3n, 2n]);
  });

  test("another person's card does not exist", async () => {
    const cardId = (await cards())[0]?._id ?? "";
    await expectRefusal(t, () => ben.as.mutation(api.cards.lock, { cardId }), "NOT_FOUND");
    await expectRefusal(t, () => ben.as.mutation(api.cards.lock, { cardId: "x" }), "NOT_FOUND");
    const asked = { cardId, action: "Change PIN", code: "123456" } as const;
    await expectRefusal(t, () => ben.as.mutation(api.cards.verifyCode, asked), "NOT_FOUND");
  });

  test("codes get the specified answer", async () => {
    const cardId = (await cards())[0]?._id ?? "";
    expect(
      await ada.as.mutation(api.cards.verifyCode, { cardId, action: "Change PIN", code: "123456" }),
    ).toEqual({ ok: false, message: "Service temporarily unavailable. Please try again later." });
  });
});

describe("accounts", () => {
  test("a masked or missing number is replaced by ten digits, others stay", async () => {
    const [checking, savings] = await ada.as.query(api.accounts.listMine, {});
    const [other] = await ben.as.query(api.accounts.listMine, {});
    await t.run(async (ctx) => {
      if (!checking || !savings) throw new Error("No accounts");
      await ctx.db.patch("accounts", checking._id, { accountNumber: "****1234" });
      await ctx.db.patch("accounts", savings._id, { accountNumber: "" });
    });
    await t.mutation(functions.accounts.replaceMasked, {});
    const after = await ada.as.query(api.accounts.listMine, {});
    for (const { accountNumber } of after) expect(accountNumber).toMatch(/^[1-9]\d{9}$/);
    expect((await ben.as.query(api.accounts.listMine, {}))[0]).toEqual(other);
  });

  test.each(["****1234", "XXXX1234"])(
    "all numbers like %s are replaced at once, however many there are",
    async (masked) => {
      vi.useFakeTimers();
      await t.run(async (ctx) => {
        const [account] = await ctx.db.query("accounts").take(1);
        if (account === undefined) throw new Error("no accounts");
        const { _id, _creationTime, ...fields } = account;
        for (let count = 1; count <= 101; count++) {
          await ctx.db.insert("accounts", { ...fields, accountNumber: masked });
        }
      });
      await t.mutation(functions.accounts.replaceMasked, {});
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      vi.useRealTimers();
      const numbers = await t.run(async (ctx) =>
        (await ctx.db.query("accounts").take(500)).map(({ accountNumber }) => accountNumber),
      );
      expect(numbers.filter((number) => !/^\d+$/.test(number))).toEqual([]);
    },
  );
});
