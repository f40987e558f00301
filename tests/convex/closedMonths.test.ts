/** Statements under the recommended policy: the month that has just ended, with all that moved the balance in it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { internal, submit } from "./moneySupport";
import {
  admin,
  newBackend,
  person,
  refusalOf,
  signedIn,
  type Backend,
  type Person,
} from "./support";

const period = "2031-02";

let t: Backend;
let ada: Person;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2031-02-10T17:00:00Z") });
  t = newBackend();
  const root = await admin(t);
  await root.as.mutation(api.admin.policies.applyRecommended, {});
  ada = await person(t, "ada@bank.example", { checkingCents: 5_000n, savingsCents: 700n });
  await submit(ada, internal({ amountCents: 1_000n, reference: "rent" }));
  vi.setSystemTime(Date.parse("2031-03-15T16:00:00Z"));
  ada = { ...ada, ...(await signedIn(t, ada.userId)) };
});
afterEach(() => {
  vi.useRealTimers();
});

test("the newest on offer is the month before the current one", async () => {
  const periods = await ada.as.query(api.statements.periods, {});
  expect(periods[0]).toEqual({ period, label: "February 2031" });
});

test("a balance that was set is listed by what set it, and a transfer with its reference", async () => {
  const { rows } = await ada.as.query(api.statements.get, { accountType: "Checking", period });
  expect(rows).toMatchObject([
    { description: "Opening balance", category: "Other", type: "credit", amountCents: 5_000n },
    { type: "debit", amountCents: 1_000n, reference: "rent", balanceAfterCents: 4_000n },
  ]);
  expect(rows[0]).not.toHaveProperty("reference");
});

test("the e-mail sums it up, for each person as often as they may ask", async () => {
  const asked = { accountType: "Savings", period } as const;
  const ben = await person(t, "ben@bank.example");
  for (let count = 0; count < 60; count++) await ben.as.mutation(api.statements.request, asked);
  await ada.as.mutation(api.statements.request, asked);
  const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
  expect(mail?.to).toBe(ada.email);
  expect(mail?.body).toContain(
    [
      "Opening balance: $0.00",
      "Credits: $17.00",
      "Debits: $0.00",
      "Closing balance: $17.00",
      "Transactions: 2",
    ].join("\n"),
  );
});

test.each(["2031-13", "2031-2", "February"])("%s is no month to sum up", async (month) => {
  const { monthTotals, spendingByCategory } = api.transactions;
  expect(await refusalOf(ada.as.query(monthTotals, { month }))).toBe("INVALID_DATE");
  expect(await refusalOf(ada.as.query(spendingByCategory, { month }))).toBe("INVALID_DATE");
});
