/**
 * Edge cases of many rules: concurrent work of others, the last one of a kind, values beyond a limit.
 *
 * Long because each is one of many small rules that no larger test touches.
 */
import { afterEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { adjust } from "../../convex/model/ledger";
import { INSTITUTION } from "../../convex/shared/institution";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { stubAuthKeys } from "./authKeys";
import {
  balancesOf,
  expectSoundLedger,
  external,
  freshKey,
  internal as internalTransfer,
  submit,
  toUser,
} from "./moneySupport";
import {
  admin,
  newBackend,
  person,
  refusalOf,
  signedIn,
  type Backend,
  type Person,
} from "./support";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 20, 17);

afterEach(() => {
  vi.useRealTimers();
});
const at = (ms: number) => {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
};

const row = {
  accountType: "Checking",
  category: "Other",
  status: "Completed",
  description: "x",
} as const;

async function scheduleBill(maya: Person, amountCents: bigint) {
  await maya.as.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "1234",
    amountCents,
    scheduleDate: "2026-11-21",
    requestKey: freshKey(),
  });
}
const billOf = (t: Backend) => t.run((ctx) => ctx.db.query("billPayments").first());

test("a payment of somebody whose sign-in is disabled fails", async () => {
  at(NOON);
  const t = newBackend();
  const maya = await person(t, "maya@bank.example", { checkingCents: 10_000n });
  await scheduleBill(maya, 5_000n);
  await t.run((ctx) => ctx.db.patch("users", maya.userId, { disabledAt: NOON }));
  at(NOON + DAY_MS);
  await t.mutation(internal.billPayments.settleDue, {});
  expect(await billOf(t)).toMatchObject({
    status: "Failed",
    failureReason: "The membership is not active",
  });
  expect(await balancesOf(t, maya)).toEqual([10_000n, 0n]);
});

test("a payment above the available amount fails, even if the balance covers it; the others are paid", async () => {
  at(NOON);
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example", { checkingCents: 10_000n });
  await scheduleBill(maya, 5_000n);
  await t.run(async (ctx) => {
    const account = await ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", maya.userId).eq("type", "Checking"))
      .unique();
    if (account)
      await adjust(
        ctx,
        account,
        { balanceCents: 10_000n, availableCents: 1_000n },
        NOON,
        root.userId,
      );
  });
  const ben = await person(t, "ben@bank.example", { checkingCents: 10_000n });
  await scheduleBill(ben, 5_000n);
  at(NOON + DAY_MS);
  await t.mutation(internal.billPayments.settleDue, {});
  const bills = await t.run((ctx) => ctx.db.query("billPayments").take(2));
  expect(bills.map(({ status }) => status)).toEqual(["Failed", "Completed"]);
});

test("an expired first step is kept for a day, so that its code is refused as expired, not as unknown", async () => {
  at(NOON);
  const t = newBackend();
  const maya = await person(t, "maya@bank.example", { checkingCents: 100_000n });
  const { pendingId } = await maya.as.mutation(api.transfers.startExternal, external());
  at(NOON + 3_600_000);
  await t.mutation(internal.transfers.sweepLapsed, {});
  const confirmation = maya.as.mutation(api.transfers.confirmExternal, {
    pendingId,
    code: "111111",
  });
  expect(await refusalOf(confirmation)).toBe("STEP_EXPIRED");
});

test("approval after a rejection clears the rejection reason", async () => {
  const t = newBackend();
  const root = await admin(t);
  const { userId } = await person(t, "lena@bank.example", { role: "pending", status: "pending" });
  await root.as.mutation(api.admin.registrations.reject, { userId, reason: "Blurred" });
  for (const check of VERIFICATION_CHECKS) {
    await root.as.mutation(api.admin.registrations.setCheck, { userId, check, isChecked: true });
  }
  await root.as.mutation(api.admin.registrations.approve, { userId });
  const user = await t.run((ctx) => ctx.db.get("users", userId));
  expect([user?.rejectionReason, user?.rejectedAt]).toEqual([undefined, undefined]);
});

test("enabling resets the count of wrong passwords; a right password does, too", async () => {
  const t = newBackend();
  const root = await admin(t);
  const { userId, email } = await person(t, "ada@bank.example");
  const attempts = () => t.run((ctx) => ctx.db.query("passwordAttempts").take(5));
  const wrong = () => t.mutation(internal.authSteps.settleTry, { email, derivedHash: "wrong" });
  for (let n = 0; n < 12; n += 1) await wrong();
  await root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason: "x" });
  await root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: false, reason: "x" });
  expect(await attempts()).toEqual([]);
  await wrong();
  await t.mutation(internal.authSteps.settleTry, { email, derivedHash: "no-password" });
  expect(await attempts()).toEqual([]);
});

test("pictures are not served to an expired session", async () => {
  const t = newBackend();
  await stubAuthKeys();
  const maya = await person(t, "maya@bank.example");
  await t.run((ctx) =>
    ctx.db.patch("authSessions", maya.sessionId, { expirationTime: Date.now() - 1 }),
  );
  const response = await maya.as.fetch("/api/deposit-images/x", { method: "GET" });
  expect(response.status).toBe(401);
});

test("a picture of an hour ago is not swept", async () => {
  const t = newBackend();
  const maya = await person(t, "maya@bank.example");
  const imageId = await t.run(async (ctx) => {
    const storageId = await ctx.storage.store(new Blob(["x"]));
    return await ctx.db.insert("depositImages", {
      userId: maya.userId,
      storageId,
      side: "front",
      contentType: "image/png",
      sizeBytes: 1,
      createdAt: Date.now() - 3_600_000,
    });
  });
  await t.mutation(internal.mobileDeposits.sweepImages, {});
  expect(await t.run((ctx) => ctx.db.get("depositImages", imageId))).not.toBeNull();
});

async function removeAll(t: Backend, root: Person, email: string) {
  const { jobId } = await root.as.mutation(api.admin.transactions.removeAllForUser, { email });
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  return await root.as.query(api.admin.transactions.removalJob, { jobId });
}

test("rows that one pass of a deletion cannot reverse are deleted by the next", async () => {
  vi.useFakeTimers();
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example");
  const nowMs = Date.now();
  // A hundred new credits, spent by an older debit: reversing the first batch would overdraw.
  const credits = Array.from({ length: 100 }, (_, n) => ({
    ...row,
    type: "credit" as const,
    amountCents: 1n,
    date: nowMs - n * 1_000,
  }));
  const rows = [
    ...credits,
    { ...row, type: "debit" as const, amountCents: 100n, date: nowMs - DAY_MS },
  ];
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: maya.userId,
    rows,
    updateBalance: true,
    requestKey: freshKey(),
  });
  expect(await removeAll(t, root, maya.email)).toEqual({ deletedCount: 101, isDone: true });
  vi.useRealTimers();
  await expectSoundLedger(t);
});

test("a deletion misses none of many rows with the same timestamp", async () => {
  vi.useFakeTimers();
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example");
  const rows = Array.from({ length: 150 }, () => ({
    ...row,
    type: "credit" as const,
    amountCents: 1n,
    date: Date.now() - 1_000,
  }));
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: maya.userId,
    rows,
    updateBalance: true,
    requestKey: freshKey(),
  });
  expect(await removeAll(t, root, maya.email)).toEqual({ deletedCount: 150, isDone: true });
});

test("credits and debits of a batch are added up, not offset, for the second administrator's limit", async () => {
  const t = newBackend();
  const root = await admin(t);
  await admin(t, "other@bank.example");
  const maya = await person(t, "maya@bank.example", { checkingCents: 200_000n });
  await root.as.mutation(api.admin.policies.set, {
    key: "secondAdminApprovalAbove",
    value: "100000",
  });
  const both = (["credit", "debit"] as const).map((type) => ({
    ...row,
    type,
    amountCents: 90_000n,
    date: Date.now(),
  }));
  const call = root.as.mutation(api.admin.transactions.addMany, {
    userId: maya.userId,
    rows: both,
    updateBalance: true,
    requestKey: freshKey(),
  });
  expect(await refusalOf(call)).toBe("SECOND_ADMIN_REQUIRED");
});

test("a rate bucket never holds more than its limit, however long it was unused", async () => {
  at(NOON);
  const t = newBackend();
  const ada = await person(t, "ada@bank.example");
  const find = () =>
    ada.as.mutation(api.transfers.findRecipient, { email: "nobody@bank.example" }).then(
      () => 1,
      () => 0,
    );
  await find();
  at(NOON + 10 * 3_600_000);
  let allowed = 0;
  for (let n = 0; n < 20; n += 1) allowed += await find();
  expect(allowed).toBe(10);
});

test("an empty rate bucket refills even if the clock was set back since", async () => {
  at(NOON);
  const t = newBackend();
  const ada = await person(t, "ada@bank.example");
  const email = "nobody@bank.example";
  const find = () => ada.as.mutation(api.transfers.findRecipient, { email });
  for (let n = 0; n < 10; n += 1) await find();
  expect(await refusalOf(find())).toBe("RATE_LIMITED");
  at(NOON - DAY_MS);
  expect(await find()).toMatchObject({ code: "RECIPIENT_NOT_FOUND" });
});

test.each(["****1234", "XXXX1234", "••••1234", ""])(
  "the number %j is replaced by ten digits",
  async (accountNumber) => {
    const t = newBackend();
    const maya = await person(t, "maya@bank.example");
    const [account] = await t.run((ctx) =>
      ctx.db
        .query("accounts")
        .withIndex("by_userId_and_type", (q) => q.eq("userId", maya.userId))
        .take(1),
    );
    if (account === undefined) throw new Error("no account");
    await t.run((ctx) => ctx.db.patch("accounts", account._id, { accountNumber }));
    await t.mutation(internal.accounts.replaceMasked, {});
    expect((await t.run((ctx) => ctx.db.get("accounts", account._id)))?.accountNumber).toMatch(
      /^[1-9]\d{9}$/,
    );
  },
);

test("wrong codes do not disable the last administrator who can sign in", async () => {
  at(NOON);
  const t = newBackend();
  const root = await admin(t);
  const other = await admin(t, "other@bank.example");
  await root.as.mutation(api.admin.users.setDisabled, {
    userId: other.userId,
    isDisabled: true,
    reason: "x",
  });
  const fail = async () => {
    const session = await signedIn(t, root.userId, false);
    await session.as.mutation(api.otp.verifyLogin, { code: "000000" }).catch(() => null);
    vi.setSystemTime(Date.now() + 16 * 60_000);
  };
  const disabledAt = async () =>
    (await t.run((ctx) => ctx.db.get("users", root.userId)))?.disabledAt;
  for (let n = 0; n < 25; n += 1) await fail();
  expect(await disabledAt()).toBeUndefined();
  // Once there is another one, the next wrong code does.
  await admin(t, "third@bank.example");
  await fail();
  expect(await disabledAt()).toBeDefined();
});

test("both rows of a transfer carry its reference, and are found by it", async () => {
  const t = newBackend();
  const maya = await person(t, "maya@bank.example", { checkingCents: 10_000n });
  await submit(maya, internalTransfer({ reference: "for June" }));
  const rows = await maya.as.query(api.transactions.recent, {});
  expect(rows.map(({ reference }) => reference)).toEqual(["for June", "for June"]);
  const { page } = await maya.as.query(api.transactions.history, {
    text: "FOR JUNE",
    paginationOpts: { numItems: 10, cursor: null },
  });
  expect(page).toHaveLength(2);
});

test("the protected account is found by its e-mail in any spelling", async () => {
  const t = newBackend();
  vi.stubEnv("PROTECTED_ACCOUNT_EMAIL", " VIP@Bank.example");
  const vip = await person(t, "vip@bank.example");
  expect(await vip.as.query(api.transfers.usage, {})).toMatchObject({ limit: null });
});

test("an administrator does not reset their own transfer count", async () => {
  const t = newBackend();
  const root = await admin(t);
  const call = root.as.mutation(api.admin.transferCounts.resetOne, { userId: root.userId });
  expect(await refusalOf(call)).toBe("OWN_ACCOUNT_FORBIDDEN");
});

test("nobody may request the removal of their own transfer", async () => {
  const t = newBackend();
  const root = await person(t, "root@bank.example", {
    role: "admin",
    status: "active",
    checkingCents: 10_000n,
  });
  const maya = await person(t, "maya@bank.example");
  await submit(root, toUser(maya.email));
  const [row] = await maya.as.query(api.transactions.recent, {});
  const change = { kind: "transactions.remove" as const, args: { transactionId: row?._id ?? "" } };
  expect(await refusalOf(root.as.mutation(api.admin.approvals.request, { change }))).toBe(
    "OWN_ACCOUNT_FORBIDDEN",
  );
});

test("starting a second deletion returns the running one; everybody concerned is notified once", async () => {
  vi.useFakeTimers();
  const t = newBackend();
  const [root, other] = [await admin(t), await admin(t, "other@bank.example")];
  const maya = await person(t, "maya@bank.example", { checkingCents: 10_000n });
  const ben = await person(t, "ben@bank.example");
  await submit(maya, toUser(ben.email));
  const { email } = maya;
  const first = await root.as.mutation(api.admin.transactions.removeAllForUser, { email });
  expect(await other.as.mutation(api.admin.transactions.removeAllForUser, { email })).toEqual(
    first,
  );
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  vi.useRealTimers();
  const notificationsOf = async (userId: Person["userId"]) =>
    (await t.run((ctx) => ctx.db.query("securityEvents").take(20)))
      .filter((event) => event.userId === userId)
      .map(({ text }) => text);
  expect(await notificationsOf(maya.userId)).toEqual([
    expect.stringMatching(/^(A|1) transactions? (was|were) removed/),
  ]);
  expect(await notificationsOf(ben.userId)).toEqual([
    "1 transaction was removed from your accounts.",
  ]);
});

test("the current month has no statement, whatever the policy", async () => {
  at(NOON);
  const t = newBackend();
  const root = await admin(t);
  await root.as.mutation(api.admin.policies.set, {
    key: "statementPeriods",
    value: '"everyClosedMonth"',
  });
  const maya = await person(t, "maya@bank.example");
  const [newest] = await maya.as.query(api.statements.periods, {});
  expect(newest?.period).toBe("2026-10");
});

test("an administrator who must change the password can do nothing before", async () => {
  const t = newBackend();
  const root = await admin(t);
  await t.run((ctx) => ctx.db.patch("users", root.userId, { mustChangePassword: true }));
  expect(await refusalOf(root.as.query(api.admin.users.counts, {}))).toBe(
    "PASSWORD_CHANGE_REQUIRED",
  );
});

test("a credit is not removed when held amounts would no longer be covered", async () => {
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example");
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: maya.userId,
    rows: [{ ...row, type: "credit" as const, amountCents: 5_000n, date: Date.now() }],
    updateBalance: true,
    requestKey: freshKey(),
  });
  await t.run(async (ctx) => {
    const [account] = await ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", maya.userId).eq("type", "Checking"))
      .take(1);
    if (account)
      await adjust(
        ctx,
        account,
        { balanceCents: 5_000n, availableCents: 1_000n },
        Date.now(),
        root.userId,
      );
  });
  const [credit] = await maya.as.query(api.transactions.recent, {});
  const call = root.as.mutation(api.admin.transactions.remove, {
    transactionId: credit?._id ?? "",
  });
  expect(await refusalOf(call)).toBe("REVERSAL_OVERDRAWS");
});

test("a change of a balance at midnight is in the new month's statement, in the order in which it was made", async () => {
  at(Date.UTC(2025, 2, 1, 5));
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example");
  const [checking] = await maya.as.query(api.accounts.listMine, {});
  if (checking === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber } = checking;
  const numbers = { accountId, accountNumber, routingNumber };
  const cents = { balanceCents: 5_000n, availableCents: 5_000n };
  await root.as.mutation(api.admin.accounts.update, { ...numbers, ...cents });
  await submit(maya, internalTransfer());
  const balancesIn = async (period: string) => {
    const choice = { accountType: "Checking", period } as const;
    const { rows } = await maya.as.query(api.statements.get, choice);
    return rows.map(({ balanceAfterCents }) => balanceAfterCents);
  };
  expect(await balancesIn("2025-02")).toEqual([]);
  expect(await balancesIn("2025-03")).toEqual([5_000n, 4_000n]);
});

test("a page of the history may end among rows at the first moment that is asked for", async () => {
  const t = newBackend();
  const root = await admin(t);
  const maya = await person(t, "maya@bank.example");
  const row = {
    accountType: "Checking",
    type: "credit",
    amountCents: 1n,
    description: "at midnight",
    category: "Other",
    date: Date.UTC(2025, 2, 1, 5),
    status: "Completed",
  } as const;
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: maya.userId,
    rows: [row, row],
    updateBalance: true,
    requestKey: "midnight",
  });
  const read = (cursor: string | null) =>
    maya.as.query(api.transactions.history, {
      fromDate: "2025-03-01",
      paginationOpts: { numItems: 1, cursor },
    });
  const first = await read(null);
  const second = await read(first.continueCursor);
  expect([first.page.length, second.page.length]).toEqual([1, 1]);
});

test("a statement names the routing number that the dashboard shows for an account without one", async () => {
  const t = newBackend();
  const maya = await person(t, "maya@bank.example");
  await t.run(async (ctx) => {
    const accounts = await ctx.db.query("accounts").take(10);
    for (const { _id } of accounts) await ctx.db.patch("accounts", _id, { routingNumber: "" });
  });
  const [shown] = await maya.as.query(api.accounts.listMine, {});
  const choice = { accountType: "Checking", period: "2025-02" } as const;
  const { routingNumber } = await maya.as.query(api.statements.get, choice);
  expect(routingNumber).toBe(shown?.routingNumber);
  expect(routingNumber).toBe(INSTITUTION.routingNumber);
});
