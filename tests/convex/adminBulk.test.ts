/** Bulk actions of administrators: deleting all rows of a person, resetting transfer counts. */
import { getDocumentSize } from "convex/values";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import type { RowArgs } from "../../convex/model/adminPostings";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import {
  balancesOf,
  countOf,
  expectRefusal,
  expectSoundLedger,
  freshKey,
  internal,
  newRow,
  rowsOf,
  submit,
  toUser,
} from "./moneySupport";
import {
  MODULES,
  admin,
  newBackend,
  person,
  snapshot,
  stubEnvironment,
  type Backend,
  type Person,
} from "./support";

const DOCUMENT_MAX_BYTES = 1_048_576;

let t: Backend;
let ada: Person;
let ben: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  ben = await person(t, "ben@bank.example");
  root = await admin(t);
});
afterEach(() => {
  vi.useRealTimers();
});

const auditActions = () =>
  t.run(async (ctx) => (await ctx.db.query("auditLog").take(500)).map(({ action }) => action));

const add = (rows: RowArgs[]) =>
  root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows,
    updateBalance: true,
    requestKey: freshKey(),
  });

describe("deleting all of a person's rows", () => {
  const untilDone = async <Answer>(start: () => Promise<Answer>): Promise<Answer> => {
    vi.useFakeTimers();
    const answer = await start();
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    vi.useRealTimers();
    return answer;
  };
  const removeAll = async (email: string, by: Person = root) => {
    const { jobId } = await untilDone(() =>
      by.as.mutation(api.admin.transactions.removeAllForUser, { email }),
    );
    return await root.as.query(api.admin.transactions.removalJob, { jobId });
  };

  test("runs in batches, counts the person's own rows and keeps the opening balance", async () => {
    await add(Array.from({ length: 110 }, (_, index) => newRow({ date: Date.now() - index })));
    await submit(ada, internal());
    await submit(ada, toUser(ben.email));
    expect(await removeAll(" ADA@bank.example")).toEqual({ deletedCount: 113, isDone: true });
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await balancesOf(t, ben)).toEqual([0n, 0n]);
    expect(await rowsOf(ada)).toEqual([]);
    await expectSoundLedger(t);
  });

  test("forgets the uploaded file, so that it may be added again", async () => {
    const { userId } = ada;
    const file = { userId, updateBalance: true, requestKey: freshKey(), fileHash: "abc" };
    const rows = [newRow(), newRow()];
    await root.as.mutation(api.admin.transactions.addMany, { ...file, rows });
    const found = { userId, fileHash: "abc" };
    const duplicate = () => root.as.query(api.admin.transactions.findDuplicateFile, found);
    const { page } = await root.as.query(api.admin.transactions.listForUser, {
      userId,
      paginationOpts: { numItems: 1, cursor: null },
    });
    const transactionId = page[0]?._id ?? "";
    await root.as.mutation(api.admin.transactions.remove, { transactionId });
    expect(await duplicate()).toMatchObject({ count: 2 });
    await removeAll(ada.email);
    expect(await duplicate()).toBeNull();
    expect(await root.as.query(api.admin.transactions.batches, { userId })).toMatchObject([
      { isRemoved: true },
    ]);
  });

  test("deletes what it can and says so when an account would fall below zero", async () => {
    await add([newRow()]);
    await submit(ada, toUser(ben.email));
    await submit(ben, internal({ amountCents: 1n }));
    const outcome = await removeAll(ada.email);
    expect(outcome).toEqual({
      deletedCount: 1,
      isDone: true,
      failed: "Error deleting transactions",
    });
    await expectSoundLedger(t);
  });

  const newAdmin = () =>
    person(t, "boss@bank.example", { role: "admin", status: "active", checkingCents: 5_000n });

  test("keeps transfers from the acting administrator, who would get the money back", async () => {
    const newcomer = await newAdmin();
    await submit(newcomer, toUser(ada.email));
    await submit(newcomer, toUser(ada.email));
    await add([newRow()]);
    const { page } = await ada.as.query(api.transactions.history, {
      text: "from",
      paginationOpts: { numItems: 5, cursor: null },
    });
    expect(page).toHaveLength(2);
    for (const { _id: transactionId } of page) {
      const takeBack = () => newcomer.as.mutation(api.admin.transactions.remove, { transactionId });
      await expectRefusal(t, takeBack, "OWN_ACCOUNT_FORBIDDEN");
      const change = { kind: "transactions.remove" as const, args: { transactionId } };
      const ask = () => newcomer.as.mutation(api.admin.approvals.request, { change });
      await expectRefusal(t, ask, "OWN_ACCOUNT_FORBIDDEN");
    }
    expect(await removeAll(ada.email, newcomer)).toEqual({
      deletedCount: 1,
      isDone: true,
      failed: "Error deleting transactions",
    });
    expect(await balancesOf(t, newcomer)).toEqual([3_000n, 0n]);
    expect(await removeAll(ada.email)).toEqual({ deletedCount: 2, isDone: true });
    expect(await balancesOf(t, newcomer)).toEqual([5_000n, 0n]);
    await expectSoundLedger(t);
  });

  test("keeps transfers from the requesting administrator, whoever approves", async () => {
    const newcomer = await newAdmin();
    await submit(newcomer, toUser(ada.email));
    const change = { kind: "transactions.removeAll" as const, args: { email: ada.email } };
    const { approvalId } = await newcomer.as.mutation(api.admin.approvals.request, { change });
    await untilDone(() => root.as.mutation(api.admin.approvals.approve, { approvalId }));
    expect(await balancesOf(t, newcomer)).toEqual([4_000n, 0n]);
    expect(await removeAll(ada.email)).toEqual({ deletedCount: 1, isDone: true });
    expect(await balancesOf(t, newcomer)).toEqual([5_000n, 0n]);
  });

  test("is refused for an unknown person; without rows it is done at once", async () => {
    const nobody = { email: "nobody@bank.example" };
    await expectRefusal(
      t,
      () => root.as.mutation(api.admin.transactions.removeAllForUser, nobody),
      "USER_NOT_FOUND",
    );
    expect(await removeAll(ben.email)).toEqual({ deletedCount: 0, isDone: true });
  });
});

describe("resetting transfer counts", () => {
  const setCount = (who: Person, count: number) =>
    t.run((ctx) => ctx.db.patch("users", who.userId, { transfers: count }));

  test("of one sets all three names to zero and opens the gate", async () => {
    await setCount(ada, 2);
    const answer = await root.as.mutation(api.admin.transferCounts.resetOne, {
      userId: ada.userId,
    });
    expect(answer.message).toContain(ada.email);
    expect(await t.run((ctx) => ctx.db.get("users", ada.userId))).toMatchObject({
      transferCount: 0,
      transfers: 0,
      transfer_count: 0,
    });
    await submit(ada, internal());
    expect(await countOf(t, ada)).toBe(1);
    await expectSoundLedger(t);
  });

  test("is told to whoever it lets through again", async () => {
    const again = "You can make transfers again";
    for (const count of [1, 2]) {
      await setCount(ada, count);
      await root.as.mutation(api.admin.transferCounts.resetOne, { userId: ada.userId });
      const notices = await ada.as.query(api.notifications.mine, {});
      expect(notices.map(({ title }) => title)).toEqual(count === 2 ? [again] : []);
    }
  });

  test("of the protected account is refused by name", async () => {
    const vip = await person(t, "vip@bank.example");
    const before = await snapshot(t);
    await expect(
      root.as.mutation(api.admin.transferCounts.resetOne, { userId: vip.userId }),
    ).rejects.toThrow("Cannot reset transfer count for vip@bank.example");
    expect(await snapshot(t)).toBe(before);
  });

  test("of everyone reports how many were reset and how many were skipped", async () => {
    await person(t, "vip@bank.example");
    await person(t, "lena@bank.example", { role: "pending", status: "pending" });
    await setCount(ada, 2);
    const outcome = await root.as.mutation(api.admin.transferCounts.resetAll, {});
    expect(outcome).toMatchObject({ updated: 3, skipped: 1, errored: 0, isDone: true });
    expect(await auditActions()).toEqual(["transferCount.resetAll"]);
    const { page } = await root.as.query(api.admin.transferCounts.list, {
      paginationOpts: { numItems: 20, cursor: null },
    });
    expect(page.map(({ email, count, isProtected }) => [email, count, isProtected])).toEqual([
      ["ada@bank.example", 0, false],
      ["ben@bank.example", 0, false],
      ["vip@bank.example", 0, true],
      ["lena@bank.example", 0, false],
    ]);
  });

  test.each([500, 501])("of everyone, five hundred at a time, ends after %i", async (total) => {
    vi.useFakeTimers();
    await t.run(async (ctx) => {
      const { _id, _creationTime, ...fields } = (await ctx.db.get("users", ada.userId))!;
      const { length } = await ctx.db.query("users").take(total);
      for (let n = length + 1; n < total; n++) {
        await ctx.db.insert("users", { ...fields, email: `${n}@x.y` });
      }
    });
    const last = await person(t, "last@bank.example", { transferCount: 2 });
    const { jobId } = await root.as.mutation(api.admin.transferCounts.resetAll, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    const outcome = await root.as.query(api.admin.transferCounts.resetAllStatus, { jobId });
    expect(outcome).toMatchObject({ updated: total - 1, isDone: true });
    expect(await countOf(t, last)).toBe(0);
  });

  test("of everyone stops when the administrator who started it may no longer act", async () => {
    await setCount(ada, 2);
    const jobId = await t.run((ctx) =>
      ctx.db.insert("jobs", {
        kind: "resetTransferCounts",
        actorId: root.userId,
        startedAt: Date.now(),
        doneCount: 500,
        skippedCount: 0,
        erroredCount: 0,
      }),
    );
    await t.run((ctx) => ctx.db.patch("users", root.userId, { disabledAt: 1 }));
    await t.mutation(functions.admin.transferCounts.continueReset, { jobId });
    const member = await t.run((ctx) => ctx.db.get("users", ada.userId));
    expect(member).toMatchObject({ transfers: 2 });
    expect(await t.run((ctx) => ctx.db.get("jobs", jobId))).toMatchObject({
      doneCount: 500,
      finishedAt: expect.any(Number) as number,
    });
    const [ended] = await t.run((ctx) => ctx.db.query("auditLog").order("desc").take(1));
    expect(ended).toMatchObject({
      actorEmail: root.email,
      action: "transferCount.resetAllEnded",
      after: JSON.stringify({ updated: 500, skipped: 0, errored: 0, isComplete: false }),
    });
  });

  test("of everyone continues after a person whose write fails, and counts the error", async () => {
    stubEnvironment();
    // The embedded engine refuses documents above 1 MiB, as hosted Convex does: the only way to make a write fail.
    const engine = embeddedTest(schema, MODULES);
    const chief = await admin(engine);
    const full = await person(engine, "full@bank.example", { name: "" });
    const last = await person(engine, "last@bank.example", { transferCount: 2 });
    await engine.run(async (ctx) => {
      const user = await ctx.db.get("users", full.userId);
      if (user === null) throw new Error("nobody");
      const name = "x".repeat(DOCUMENT_MAX_BYTES - getDocumentSize(user) - 10);
      await ctx.db.patch("users", full.userId, { name });
    });
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const outcome = await chief.as.mutation(api.admin.transferCounts.resetAll, {});
    expect(outcome).toMatchObject({ updated: 1, skipped: 0, errored: 1, isDone: true });
    expect(logged.mock.calls.map(([text]) => String(text))).toEqual([
      `The transfer count of ${full.userId} could not be reset:`,
    ]);
    expect(await countOf(engine, last)).toBe(0);
    expect(await engine.run((ctx) => ctx.db.get("users", full.userId))).not.toHaveProperty(
      "transferCountResetAt",
    );
  });
});
