/** The bounds within which postings keep an account's balance and available amount, each by itself. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { BALANCE_MAX_CENTS } from "../../convex/shared/ledger";
import { expectRefusal, freshKey, internal, submit } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example");
  root = await admin(t);
});

async function checking() {
  return await t.run(async (ctx) => {
    const accounts = ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", ada.userId).eq("type", "Checking"));
    return (await accounts.unique())!;
  });
}

/** Sets the account's amounts without a journal entry. */
async function put(balanceCents: bigint, availableCents: bigint) {
  const { _id } = await checking();
  await t.run((ctx) => ctx.db.patch("accounts", _id, { balanceCents, availableCents }));
}

const add = (type: "credit" | "debit", amountCents: bigint) =>
  root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: [
      {
        accountType: "Checking",
        type,
        amountCents,
        description: "Correction",
        category: "Other",
        date: Date.now() - 1_000,
        status: "Completed",
      },
    ],
    updateBalance: true,
    requestKey: freshKey(),
  });

test.each([
  ["held back", 10_000n, 4_000n],
  ["available before it is posted", 4_000n, 10_000n],
])("a part of the money is %s: neither amount falls below zero", async (_what, ...amounts) => {
  await put(...amounts);
  await expectRefusal(t, () => add("debit", 4_001n), "INSUFFICIENT_FUNDS");
  await add("debit", 4_000n);
  const { balanceCents, availableCents } = await checking();
  expect([balanceCents, availableCents]).toEqual(amounts.map((cents) => cents - 4_000n));
});

test.each([
  ["balance", BALANCE_MAX_CENTS - 100n, 0n],
  ["available amount", 0n, BALANCE_MAX_CENTS - 100n],
])("the %s reaches its upper bound and does not pass it", async (_what, ...amounts) => {
  await put(...amounts);
  await expectRefusal(t, () => add("credit", 101n), "INVALID_AMOUNT");
  await add("credit", 100n);
  const { balanceCents, availableCents } = await checking();
  expect([balanceCents, availableCents]).toEqual(amounts.map((cents) => cents + 100n));
});

test("an amount above its bound may be reduced", async () => {
  await put(BALANCE_MAX_CENTS + 500n, BALANCE_MAX_CENTS + 500n);
  await add("debit", 100n);
  expect((await checking()).balanceCents).toBe(BALANCE_MAX_CENTS + 400n);
});

test("an amount below zero may be raised", async () => {
  await put(-500n, -500n);
  await add("credit", 100n);
  expect((await checking()).balanceCents).toBe(-400n);
});

test("a receipt states what is left to spend, of which a hold is no part", async () => {
  await put(10_000n, 6_000n);
  const receipt = await submit(ada, internal({ amountCents: 1_000n }));
  expect(receipt.availableCents).toBe(5_000n);
});
