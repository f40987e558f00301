/** An approved request does exactly what its summary lines said, or nothing. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import {
  balancesOf,
  expectRefusal,
  freshKey,
  internal as between,
  submit,
  toUser,
} from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = { paginationOpts: { numItems: 10, cursor: null } };

let t: Backend;
let ada: Person;
let requester: Person;
let other: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 6_000_000n });
  [requester, other] = [await admin(t), await admin(t, "other@bank.example")];
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await other.as.mutation(api.admin.policies.set, policy);
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (change: MoneyChange) => requester.as.mutation(api.admin.approvals.request, { change });
const expectOutdated = (approvalId: string) =>
  expectRefusal(
    t,
    () => other.as.mutation(api.admin.approvals.approve, { approvalId }),
    "APPROVAL_OUTDATED",
  );

const income = (amountCents: bigint, description = "Salary") => ({
  userId: ada.userId,
  rows: [
    {
      accountType: "Checking" as const,
      type: "credit" as const,
      amountCents,
      description,
      category: "Income" as const,
      date: Date.now() - 1_000,
      status: "Completed" as const,
    },
  ],
  updateBalance: true,
  requestKey: freshKey(),
});
/** Income that an administrator adds alone. */
const addIncome = (amountCents: bigint) =>
  requester.as.mutation(api.admin.transactions.addMany, income(amountCents));

test("a request stores rows in the form in which they will be written, without extra white space", async () => {
  const args = income(200_000n, `${" ".repeat(100_000)}Cafe\u0301`);
  const { approvalId } = await ask({ kind: "transactions.add", args });
  const waiting = await t.run((ctx) => ctx.db.query("approvals").first());
  expect(waiting?.change).toMatchObject({ args: { rows: [{ description: "Caf\u00e9" }] } });
  // Resent with the same key it is the same request, before and after it is carried out.
  expect((await ask({ kind: "transactions.add", args })).approvalId).toBe(approvalId);
  await other.as.mutation(api.admin.approvals.approve, { approvalId });
  const add = () => requester.as.mutation(api.admin.transactions.addMany, args);
  expect(await add()).toMatchObject({ count: 1 });
  expect(await balancesOf(t, ada)).toEqual([6_200_000n, 0n]);
});

test("an edit that an early version stored without the values it started from is outdated once they changed", async () => {
  const [account] = await ada.as.query(api.accounts.listMine, {});
  if (account === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber } = account;
  const edit = { accountId, accountNumber, routingNumber, availableCents: 7_000_000n };
  const args = { ...edit, balanceCents: 7_000_000n, reason: "Correction" };
  const askAsEarly = async () => {
    const { approvalId } = await ask({ kind: "account.update", args });
    await t.run((ctx) =>
      ctx.db.patch("approvals", approvalId, { change: { kind: "account.update", args } }),
    );
    return approvalId;
  };
  const outdated = await askAsEarly();
  await addIncome(5_000n);
  await expectOutdated(outdated);
  const approvalId = await askAsEarly();
  await other.as.mutation(api.admin.approvals.approve, { approvalId });
  expect(await balancesOf(t, ada)).toEqual([7_000_000n, 0n]);
});

test("a request whose expected values differ from the account is refused", async () => {
  const [checking] = await ada.as.query(api.accounts.listMine, {});
  if (checking === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber } = checking;
  const numbers = { accountNumber, routingNumber };
  const to = (cents: bigint) => ({ ...numbers, balanceCents: cents, availableCents: cents });
  // The lines would read "from $60,000.00 to $60,001.00", but apply only once the balance is $10,000.00.
  const args = { accountId, ...to(6_000_100n), expected: to(1_000_000n) };
  const elsewhere = { ...to(6_000_000n), routingNumber: "011000015" };
  const held = { ...to(6_000_000n), availableCents: 1_000_000n };
  for (const expected of [args.expected, elsewhere, held]) {
    const call = () => ask({ kind: "account.update", args: { ...args, expected } });
    await expectRefusal(t, call, "STALE_EDIT");
  }
  await ask({ kind: "account.update", args: { ...args, expected: to(6_000_000n) } });
});

test("the lines show numbers and texts as they will be stored", async () => {
  const [checking] = await ada.as.query(api.accounts.listMine, {});
  if (checking === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber } = checking;
  const cents = { balanceCents: 6_500_000n, availableCents: 6_500_000n };
  // Ten digits, as the form wants them; one of them is not ASCII.
  const args = { accountId, routingNumber, ...cents, accountNumber: "1\u06602345678905" };
  const { approvalId } = await ask({ kind: "account.update", args: { ...args, reason: " Typo " } });
  const page = await other.as.query(api.admin.approvals.list, PAGE);
  expect(page.page[0]?.lines.slice(2)).toEqual([
    `Account number from ${accountNumber} to 1234567890`,
    "Reason: Typo",
  ]);
  await other.as.mutation(api.admin.approvals.approve, { approvalId });
  const [after] = await ada.as.query(api.accounts.listMine, {});
  expect(after?.accountNumber).toBe("1234567890");
});

const bill = {
  fromAccount: "Checking",
  provider: "electric",
  accountNumber: "123456",
} as const;

describe("deleting a pending payment is outdated once the payment was made", () => {
  test.each(["alone", "with all others"])("%s", async (how) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await ada.as.mutation(api.billPayments.schedule, {
      ...bill,
      amountCents: 300_000n,
      scheduleDate: new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10),
      requestKey: freshKey(),
    });
    const { page } = await requester.as.query(api.admin.transactions.listForUser, {
      userId: ada.userId,
      ...PAGE,
    });
    const { approvalId } = await ask(
      how === "alone"
        ? { kind: "transactions.remove", args: { transactionId: page[0]?._id ?? "" } }
        : { kind: "transactions.removeAll", args: { email: ada.email } },
    );
    vi.setSystemTime(Date.now() + 3 * DAY_MS);
    await t.mutation(internal.billPayments.settleDue, {});
    expect(await balancesOf(t, ada)).toEqual([5_700_000n, 0n]);
    vi.setSystemTime(Date.now() - 3 * DAY_MS);
    await expectOutdated(approvalId);
    expect(await balancesOf(t, ada)).toEqual([5_700_000n, 0n]);
  });
});

test("deleting one side of a transfer to somebody names whose money moves as well", async () => {
  const ben = await person(t, "ben@bank.example");
  await submit(ada, toUser(ben.email, { amountCents: 200_000n }));
  await submit(ada, between({ amountCents: 300_000n }));
  const rows = await ada.as.query(api.transactions.recent, {});
  const [toSelf, toBen] = [300_000n, 200_000n].map((cents) =>
    rows.find((row) => row.amountCents === cents),
  );
  for (const row of [toBen, toSelf]) {
    await ask({ kind: "transactions.remove", args: { transactionId: row?._id ?? "" } });
  }
  const { page } = await other.as.query(api.admin.approvals.list, PAGE);
  const further = page.map(({ lines }) => lines.slice(1));
  expect(further).toContainEqual([`The other side, of ${ben.email}, is reversed as well`]);
  expect(further).toContainEqual([]);
  expect(further).toHaveLength(2);
});

test("deleting a batch is said to take back what its rows moved, not what Pending rows say", async () => {
  const { rows, ...batch } = income(100n);
  const waiting = rows.map((row) => ({ ...row, status: "Pending" as const, amountCents: 70_000n }));
  const saved = rows.map((row) => ({ ...row, accountType: "Savings" as const }));
  const spent = rows.map((row) => ({ ...row, type: "debit" as const, amountCents: 40n }));
  const both = { ...batch, rows: [...rows, ...spent, ...waiting, ...saved] };
  const { batchId } = await requester.as.mutation(api.admin.transactions.addMany, both);
  await ask({ kind: "transactions.removeBatch", args: { batchId } });
  const { page } = await other.as.query(api.admin.approvals.list, PAGE);
  expect(page[0]?.lines.slice(1)).toEqual([
    "Adds $0.40 to Checking and takes $1.00 from it",
    "Takes $1.00 from Savings",
  ]);
});

test("deleting all transactions covers those before the request, and none made since", async () => {
  await addIncome(100n);
  const all = await ask({ kind: "transactions.removeAll", args: { email: ada.email } });
  const page = await other.as.query(api.admin.approvals.list, PAGE);
  expect(page.page[0]?.lines).toEqual([
    "Every transaction made before this request: $1.00 in and out together, $0.00 of it still pending",
    "Transfers to and from others are reversed on both sides",
  ]);
  const [batch] = await requester.as.query(api.admin.transactions.batches, { userId: ada.userId });
  const args = { batchId: batch?.batchId ?? "" };
  const one = await ask({ kind: "transactions.removeBatch", args });
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  vi.setSystemTime(Date.now() + 1_000);
  await addIncome(90_000n);
  const pending = { ...bill, amountCents: 700n, requestKey: freshKey() };
  await ada.as.mutation(api.billPayments.schedule, { ...pending, scheduleDate: "2999-01-01" });
  await other.as.mutation(api.admin.approvals.approve, { approvalId: all.approvalId });
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  expect(await balancesOf(t, ada)).toEqual([6_090_000n, 0n]);
  const { page: left } = await requester.as.query(api.admin.transactions.listForUser, {
    userId: ada.userId,
    ...PAGE,
  });
  expect(left.map((row) => row.amountCents)).toEqual([700n, 90_000n]);
  const log = await other.as.query(api.admin.audit.page, { personId: ada.userId, ...PAGE });
  expect(log.page.find(({ action }) => action === "transactions.removeAllEnded")).toMatchObject({
    actorEmail: other.email,
    requestedBy: requester.email,
  });
  await expectOutdated(one.approvalId);
});

test("deleting all transactions spares those that moved the money of whoever requested it", async () => {
  const savings = { checkingCents: 500n, role: "admin", status: "active" } as const;
  requester = await person(t, "rich@bank.example", savings);
  await submit(requester, toUser(ada.email, { amountCents: 500n }));
  await addIncome(100n);
  const { approvalId } = await ask({ kind: "transactions.removeAll", args: { email: ada.email } });
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  await other.as.mutation(api.admin.approvals.approve, { approvalId });
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  expect(await balancesOf(t, requester)).toEqual([0n, 0n]);
  expect(await balancesOf(t, ada)).toEqual([6_000_500n, 0n]);
});

test("a deletion is outdated when some of its rows were deleted meanwhile, and may be asked for anew", async () => {
  await addIncome(100n);
  await addIncome(200n);
  const askAll = () => ask({ kind: "transactions.removeAll", args: { email: ada.email } });
  const { approvalId } = await askAll();
  const [batch] = await requester.as.query(api.admin.transactions.batches, { userId: ada.userId });
  await other.as.mutation(api.admin.transactions.removeBatch, { batchId: batch?.batchId ?? "" });
  await expectOutdated(approvalId);
  expect((await askAll()).approvalId).not.toBe(approvalId);
});

test("a request to delete all rows is outdated while an earlier, smaller deletion is running", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  await addIncome(100n);
  await requester.as.mutation(api.admin.transactions.removeAllForUser, { email: ada.email });
  vi.setSystemTime(Date.now() + 1_000);
  await addIncome(90_000n);
  vi.setSystemTime(Date.now() + 1_000);
  const { approvalId } = await ask({ kind: "transactions.removeAll", args: { email: ada.email } });
  await expectOutdated(approvalId);
  await t.finishAllScheduledFunctions(vi.runAllTimers);
  expect(await balancesOf(t, ada)).toEqual([6_090_000n, 0n]);
});
