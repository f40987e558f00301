/** What administrators, and the server's metrics, say of the institution's machinery. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { startCheck } from "../../convex/model/ledgerCheckRun";
import { freshKey, internal as transfer, submit } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

const NOON = Date.parse("2026-03-10T16:00:00Z");

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON });
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  root = await admin(t);
});
afterEach(() => {
  vi.useRealTimers();
});

const health = () => root.as.query(api.admin.health.get, {});
/** The metrics' values by name and, where there is one, queue. */
const gauges = async () => {
  const found = await t.query(internal.admin.health.gauges, {});
  const named = found.map(({ name, labels, value }) => [
    labels === undefined ? name : `${name} ${labels.queue}`,
    value,
  ]);
  return Object.fromEntries(named) as Record<string, number>;
};
const schedule = (scheduleDate: string) =>
  ada.as.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "12345678",
    amountCents: 100n,
    scheduleDate,
    requestKey: freshKey(),
  });

test("a queue tells how many wait, and since when the oldest has", async () => {
  await schedule("2026-03-20");
  vi.setSystemTime(NOON + 60_000);
  await schedule("2026-03-12");
  const name = "Scheduled payments";
  const { queues } = await health();
  expect(queues.find((queue) => queue.name === name)).toEqual({ name, waiting: 2, oldestAt: NOON });
  vi.setSystemTime(NOON + 90_000);
  expect(await gauges()).toMatchObject({
    [`queue_waiting ${name}`]: 2,
    [`queue_oldest_seconds ${name}`]: 90,
    "queue_waiting Deposits to review": 0,
    "queue_oldest_seconds Deposits to review": 0,
  });
  vi.setSystemTime(NOON - 90_000);
  expect(await gauges()).toMatchObject({ [`queue_oldest_seconds ${name}`]: 0 });
});

test("open messages wait to be answered; of very long ones not all are read", async () => {
  const name = "Messages to answer";
  const queue = async () => (await health()).queues.find((one) => one.name === name);
  const write = (createdAt: number, message: string, isHandled = false) =>
    t.run((ctx) =>
      ctx.db.insert("contactMessages", {
        ...{ name: "Zoe", email: "zoe@mail.example", subject: "general" as const, message },
        ...{ preferredContact: "email" as const, reference: `C-${createdAt}` },
        ...{ createdAt, isHandled },
      }),
    );
  await write(1, "Answered", true);
  expect(await queue()).toEqual({ name, waiting: 0 });
  await write(2, "Hello");
  await write(3, "Hello");
  expect(await queue()).toEqual({ name, waiting: 2, oldestAt: 2 });
  for (let count = 0; count < 4; count++) await write(4, "x".repeat(400_000));
  expect(await queue()).toEqual({ name, waiting: 5, oldestAt: 2, hasMore: true });
});

test("the last finished ledger check counts, whatever has begun since", async () => {
  expect(await gauges()).not.toHaveProperty("ledger_ok");
  await submit(ada, transfer());
  const check = async () => {
    await root.as.mutation(api.admin.health.runLedgerCheck, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    await t.run((ctx) => startCheck(ctx, Date.now()));
    return (await health()).ledger;
  };
  const sound = await check();
  expect(sound).toMatchObject({ isOk: true });
  vi.setSystemTime(sound!.checkedAt + 30_000);
  expect(await gauges()).toMatchObject({
    ledger_ok: 1,
    ledger_check_age_seconds: 30,
    ledger_postings: sound!.postings,
  });
  await t.run(async (ctx) => {
    const account = await ctx.db.query("accounts").first();
    await ctx.db.patch("accounts", account!._id, { holdCents: 1n });
  });
  expect(await check()).toMatchObject({ isOk: false });
  expect(await gauges()).toMatchObject({ ledger_ok: 0 });
});

test("batches of work are due until they end, and failed when a part of them did", async () => {
  await t.run(async (ctx) => {
    const counts = { doneCount: 1, skippedCount: 0, erroredCount: 0 };
    const job = {
      kind: "resetTransferCounts" as const,
      actorId: root.userId,
      startedAt: NOON,
      ...counts,
    };
    await ctx.db.insert("jobs", job);
    await ctx.db.insert("jobs", { ...job, finishedAt: NOON });
    await ctx.db.insert("jobs", { ...job, finishedAt: NOON, failure: "Not allowed" });
    await ctx.db.insert("jobs", { ...job, finishedAt: NOON, erroredCount: 1 });
  });
  expect((await health()).jobs).toEqual({ due: 1, failed: 2 });
  expect(await gauges()).toMatchObject({ jobs_due: 1, jobs_failed: 2 });
});
