/** Long work of administrators goes on after its scheduled functions were lost: archives hold none. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { countOf, submit, toUser } from "./moneySupport";
import {
  MODULES,
  admin,
  newBackend,
  person,
  refusalOf,
  snapshot,
  stubEnvironment,
  type Backend,
  type Person,
} from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  await person(t, "ben@bank.example");
  root = await admin(t);
  await submit(ada, toUser("ben@bank.example"));
});
afterEach(() => {
  vi.useRealTimers();
});

const jobFields = () => ({
  actorId: root.userId,
  startedAt: Date.now(),
  doneCount: 0,
  skippedCount: 0,
  erroredCount: 0,
});

async function runTheJob() {
  await t.mutation(internal.admin.health.continueJobs, {});
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
}

test("a deletion and a reset that nothing continues are finished by the recurring job", async () => {
  vi.useFakeTimers();
  const [jobId, resetId] = await t.run(async (ctx) => [
    await ctx.db.insert("jobs", {
      ...jobFields(),
      kind: "removeTransactions",
      userId: ada.userId,
    }),
    await ctx.db.insert("jobs", { ...jobFields(), kind: "resetTransferCounts" }),
  ]);
  expect((await root.as.query(api.admin.health.get, {})).jobs).toEqual({ due: 2, failed: 0 });
  await runTheJob();
  expect(await root.as.query(api.admin.transactions.removalJob, { jobId })).toEqual({
    deletedCount: 1,
    isDone: true,
  });
  expect(
    await root.as.query(api.admin.transferCounts.resetAllStatus, { jobId: resetId }),
  ).toMatchObject({ updated: 2, isDone: true });
  expect((await root.as.query(api.admin.health.get, {})).jobs).toEqual({ due: 0, failed: 0 });
});

test("a deletion that has ended does not end again, should anything still continue it", async () => {
  vi.useFakeTimers();
  const { email } = ada;
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, { email });
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  const before = await snapshot(t);
  await t.mutation(internal.admin.transactions.continueRemoval, { jobId });
  expect(await snapshot(t)).toBe(before);
});

test("beside a deletion under way it changes nothing", async () => {
  vi.useFakeTimers();
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, {
    email: ada.email,
  });
  await runTheJob();
  expect(await root.as.query(api.admin.transactions.removalJob, { jobId })).toEqual({
    deletedCount: 1,
    isDone: true,
  });
});

test("a reset that has ended is not done again, and the status of a deletion is no reset's", async () => {
  const { jobId } = await root.as.mutation(api.admin.transferCounts.resetAll, {});
  await submit(ada, toUser("ben@bank.example"));
  const before = await snapshot(t);
  await t.mutation(internal.admin.transferCounts.continueReset, { jobId });
  expect(await snapshot(t)).toBe(before);
  const { jobId: deletionId } = await root.as.mutation(api.admin.transactions.removeAllForUser, {
    email: ada.email,
  });
  const status = root.as.query(api.admin.transferCounts.resetAllStatus, { jobId: deletionId });
  expect(await refusalOf(status)).toBe("NOT_FOUND");
});

test("a reset goes on from where it stood in another deployment, whose page cursors are worth nothing here", async () => {
  stubEnvironment();
  const there = embeddedTest(schema, MODULES);
  const chief = await admin(there);
  await there.run(async (ctx) => {
    for (let index = 0; index < 600; index++) {
      const fields = { email: `${index}@bank.example`, createdAt: index, updatedAt: index };
      await ctx.db.insert("users", { ...fields, role: "user", status: "approved" });
    }
  });
  const begun = await chief.as.mutation(api.admin.transferCounts.resetAll, {});
  expect(begun.isDone).toBe(false);
  const unfinished = await there.run((ctx) => ctx.db.get("jobs", begun.jobId));

  const here = embeddedTest(schema, MODULES);
  const heir = await admin(here);
  const member = await person(here, "late@bank.example", { transferCount: 2 });
  const jobId = await here.run((ctx) =>
    ctx.db.insert("jobs", {
      ...jobFields(),
      kind: "resetTransferCounts",
      actorId: heir.userId,
      cursor: unfinished?.cursor,
    }),
  );
  await here.mutation(internal.admin.transferCounts.continueReset, { jobId });
  expect(await countOf(here, member)).toBe(0);
  expect(await here.run((ctx) => ctx.db.get("jobs", jobId))).toMatchObject({ doneCount: 1 });
});
