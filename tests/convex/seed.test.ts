import { beforeAll, expect, test } from "vitest";
import { internal } from "../../convex/_generated/api";
import { DEMO_APPLICANTS } from "../../convex/model/dev/demoPeople";
import { demoEvents, demoNetCents } from "../../convex/model/dev/demoHistory";
import { dateOf, monthOf, monthsBack } from "../../convex/shared/dates";
import { api } from "../../convex/_generated/api";
import { newBackend, signedIn, type Backend } from "./support";

const SEED_TIMEOUT_MS = 60_000;

/** Shared by all tests, which only read it. */
let t: Backend;
beforeAll(async () => {
  t = newBackend();
  expect(await t.action(internal.dev.seed.demo, {})).toEqual({ isNew: true });
}, SEED_TIMEOUT_MS);

const userOf = async (email: string) => {
  const users = await t.run((ctx) => ctx.db.query("users").take(20));
  const user = users.find((candidate) => candidate.email === email);
  if (user === undefined) throw new Error(`nobody has ${email}`);
  return user;
};

test("the demo data set has the eight people with their exact balances", async () => {
  expect(await t.action(internal.dev.seed.demo, {}), "once and no more").toEqual({ isNew: false });
  const users = await t.run((ctx) => ctx.db.query("users").take(20));
  expect(users).toHaveLength(8);
  for (const person of DEMO_APPLICANTS) {
    const user = users.find((candidate) => candidate.email === person.email);
    expect(user?.status).toBe(person.standing);
    if (user === undefined || person.standing !== "approved") continue;
    const { as } = await signedIn(t, user._id);
    const accounts = await as.query(api.accounts.listMine, {});
    const amounts = accounts.map(({ type, balanceCents, availableCents }) => [
      type,
      balanceCents,
      availableCents,
    ]);
    expect(amounts, person.email).toEqual([
      ["Checking", person.checkingCents, person.checkingCents],
      ["Savings", person.savingsCents, person.savingsCents],
    ]);
  }
});

/** The data has rows for this many last months; later, the months between them and the specified ones are empty. */
const RECENT_MONTHS = 24;

test("every statement offered to the member with history has rows and a balance", async () => {
  const maya = await userOf("maya@demo.example");
  const { as } = await signedIn(t, maya._id);
  const specified = await as.query(api.statements.periods, {});
  const admin = await signedIn(t, (await userOf("admin@demo.example"))._id);
  await admin.as.mutation(api.admin.policies.applyRecommended, {});
  const everyMonth = await as.query(api.statements.periods, {});

  const rows = await t.run((ctx) => ctx.db.query("transactions").take(5_000));
  const months = rows
    .filter((row) => row.userId === maya._id && row.accountType === "Checking")
    .map((row) => dateOf(row.date).slice(0, 7));
  for (const { period, label } of [...specified, ...everyMonth.slice(0, RECENT_MONTHS)]) {
    expect(months.filter((month) => month === period).length, label).toBeGreaterThan(10);
  }

  const read = (period: string) =>
    as.query(api.statements.get, { accountType: "Checking", period });
  const [april, march] = [await read("2024-04"), await read("2024-03")];
  expect(april.openingCents).toBe(march.closingCents);
  for (const { balanceAfterCents } of march.rows) expect(balanceAfterCents).toBeGreaterThan(0n);
});

test("the waiting deposit is in the review queue, with both photos", async () => {
  const maya = await userOf("maya@demo.example");
  const [deposit, ...others] = await t.run((ctx) => ctx.db.query("mobileDeposits").take(10));
  expect(others).toEqual([]);
  expect(deposit).toMatchObject({ userId: maya._id, status: "Pending Review" });
  const { as } = await signedIn(t, maya._id);
  const rows = await as.query(api.transactions.recent, {});
  expect(rows.find((row) => row._id === deposit?.transactionId)).toMatchObject({
    description: "Mobile check deposit",
    status: "Pending",
    amountCents: deposit?.amountCents,
  });
  const images = await t.run((ctx) => ctx.db.query("depositImages").take(10));
  expect(images.map(({ side, depositId }) => [side, depositId])).toEqual([
    ["front", deposit?._id],
    ["back", deposit?._id],
  ]);
});

test.each(["2026-11-21", "2027-07-01", "2029-02-28", "2034-12-31"])(
  "seeded on %s, the specified and the most recent months have rows, and no balance falls below zero",
  (date) => {
    const nowMs = Date.parse(`${date}T18:00:00Z`);
    const maya = DEMO_APPLICANTS.find(({ email }) => email === "maya@demo.example");
    const events = demoEvents(nowMs);
    const months = events.map((event) => monthOf(event.atMs));
    const recent = monthsBack(monthOf(nowMs), "2025-04").slice(1, RECENT_MONTHS);
    for (const month of [...monthsBack("2025-03", "2024-03"), ...recent]) {
      expect(months.filter((one) => one === month).length, month).toBeGreaterThan(10);
    }
    const net = demoNetCents(events);
    const balances = {
      Checking: (maya?.checkingCents ?? 0n) - net.Checking,
      Savings: (maya?.savingsCents ?? 0n) - net.Savings,
    };
    for (const event of events) {
      balances[event.account] += event.amountCents;
      if (event.isToSavings === true) balances.Savings -= event.amountCents;
      expect(balances.Checking).toBeGreaterThan(0n);
      expect(balances.Savings).toBeGreaterThan(0n);
    }
  },
);
