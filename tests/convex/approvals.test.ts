/** Changes above the limit for one administrator (policy `secondAdminApprovalAbove`). */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { balancesOf, expectRefusal, expectSoundLedger, freshKey, rowsOf } from "./moneySupport";
import { admin, newBackend, person, refusalOf, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;
let second: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 500_000n });
  root = await admin(t);
  second = await admin(t, "second@bank.example");
  await root.as.mutation(api.admin.policies.set, {
    key: "secondAdminApprovalAbove",
    value: "100000",
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const PAGE = { paginationOpts: { numItems: 10, cursor: null } };

async function editTo(balanceCents: bigint) {
  const accounts = await ada.as.query(api.accounts.listMine, {});
  const [checking] = accounts;
  if (checking === undefined) throw new Error("no account");
  const { _id: accountId, accountNumber, routingNumber } = checking;
  return { accountId, accountNumber, routingNumber, balanceCents, availableCents: balanceCents };
}

const rows = (...amounts: bigint[]) => ({
  userId: ada.userId,
  rows: amounts.map((amountCents) => ({
    accountType: "Checking" as const,
    type: "credit" as const,
    amountCents,
    description: "Salary",
    category: "Income" as const,
    date: Date.now() - 1_000,
    status: "Completed" as const,
  })),
  updateBalance: true,
  requestKey: freshKey(),
});

const ask = (change: MoneyChange, by: Person = root) =>
  by.as.mutation(api.admin.approvals.request, { change });
const approve = (approvalId: string, by: Person = second) =>
  by.as.mutation(api.admin.approvals.approve, { approvalId });
const waiting = async (by: Person = root) =>
  (await by.as.query(api.admin.approvals.list, PAGE)).page;

/** Adds a row of 2,000.00 as two administrators do, and answers its id. */
async function largeRow(): Promise<string> {
  const { approvalId } = await ask({ kind: "transactions.add", args: rows(200_000n) });
  await approve(approvalId);
  const { page } = await root.as.query(api.admin.transactions.listForUser, {
    userId: ada.userId,
    ...PAGE,
  });
  return page[0]?._id ?? "";
}

describe("one administrator alone", () => {
  test("edits, adds and deletes up to the limit", async () => {
    await root.as.mutation(api.admin.accounts.update, await editTo(600_000n));
    await root.as.mutation(api.admin.transactions.addMany, rows(60_000n, 40_000n));
    expect(await balancesOf(t, ada)).toEqual([700_000n, 0n]);
    expect(await waiting()).toEqual([]);
  });

  test("is refused above it, whichever way the money would move, and nothing changes", async () => {
    const transactionId = await largeRow();
    const edit = await editTo(1_000_001n);
    const { as } = root;
    const [batch] = await as.query(api.admin.transactions.batches, { userId: ada.userId });
    const calls: (() => Promise<unknown>)[] = [
      () => as.mutation(api.admin.accounts.update, edit),
      () =>
        as.mutation(api.admin.accounts.update, {
          ...edit,
          balanceCents: 700_000n,
          availableCents: 0n,
        }),
      () => as.mutation(api.admin.transactions.addMany, rows(60_000n, 40_001n)),
      () => as.mutation(api.admin.transactions.remove, { transactionId }),
      () => as.mutation(api.admin.transactions.removeBatch, { batchId: batch?.batchId ?? "" }),
      () => as.mutation(api.admin.transactions.removeAllForUser, { email: ada.email }),
      () => as.mutation(api.admin.policies.set, { key: "secondAdminApprovalAbove", value: "null" }),
    ];
    for (const call of calls) await expectRefusal(t, call, "SECOND_ADMIN_REQUIRED");
  });

  test("does as ever while the policy stands as specified", async () => {
    const { approvalId } = await ask({
      kind: "policy.set",
      args: { key: "secondAdminApprovalAbove", value: "null" },
    });
    await approve(approvalId);
    await root.as.mutation(api.admin.accounts.update, await editTo(9_000_000n));
    expect(await balancesOf(t, ada)).toEqual([9_000_000n, 0n]);
  });
});

describe("a request", () => {
  test("waits, says what it would do, and is carried out by another administrator", async () => {
    const args = { ...(await editTo(900_000n)), reason: "Settlement" };
    const { approvalId } = await ask({ kind: "account.update", args });
    expect(await balancesOf(t, ada)).toEqual([500_000n, 0n]);
    expect(await waiting(second)).toMatchObject([
      {
        targetLabel: "Checking of ada@bank.example",
        lines: [
          "Balance from $5,000.00 to $9,000.00",
          "Available from $5,000.00 to $9,000.00",
          "Reason: Settlement",
        ],
        requestedBy: root.email,
        isOwn: false,
      },
    ]);
    await approve(approvalId);
    expect(await balancesOf(t, ada)).toEqual([900_000n, 0n]);
    expect(await waiting()).toEqual([]);
    const { page } = await root.as.query(api.admin.audit.page, PAGE);
    expect(page[0]).toMatchObject({
      action: "account.update",
      actorEmail: second.email,
      requestedBy: root.email,
      reason: "Settlement",
    });
    await expectSoundLedger(t);
  });

  test("is approved neither by the one who asked nor a second time", async () => {
    const { approvalId } = await ask({ kind: "transactions.add", args: rows(200_000n) });
    await expectRefusal(t, () => approve(approvalId, root), "OWN_APPROVAL_FORBIDDEN");
    await approve(approvalId);
    await expectRefusal(t, () => approve(approvalId), "APPROVAL_DECIDED");
    await expectRefusal(t, () => approve("nonsense"), "NOT_FOUND");
    expect(await balancesOf(t, ada)).toEqual([700_000n, 0n]);
    expect(await rowsOf(ada)).toHaveLength(1);
  });

  test("about an account that changed meanwhile is refused as stale", async () => {
    const stale = await editTo(900_000n);
    const { accountNumber, routingNumber } = stale;
    const expected = {
      accountNumber,
      routingNumber,
      balanceCents: 500_000n,
      availableCents: 500_000n,
    };
    const { approvalId } = await ask({ kind: "account.update", args: { ...stale, expected } });
    await root.as.mutation(api.admin.accounts.update, await editTo(500_100n));
    await expectRefusal(t, () => approve(approvalId), "STALE_EDIT");
    await second.as.mutation(api.admin.approvals.reject, { approvalId, reason: "Out of date" });
    expect(await waiting()).toEqual([]);
  });

  test("about an administrator's own money is not taken", async () => {
    const args = { ...rows(200_000n), userId: root.userId };
    await expectRefusal(t, () => ask({ kind: "transactions.add", args }), "OWN_ACCOUNT_FORBIDDEN");
    const { approvalId } = await ask({
      kind: "transactions.add",
      args: { ...rows(200_000n), userId: second.userId },
    });
    expect(await refusalOf(approve(approvalId))).toBe("OWN_ACCOUNT_FORBIDDEN");
  });

  test("is withdrawn with a reason, and deletes only when approved", async () => {
    const transactionId = await largeRow();
    const change: MoneyChange = { kind: "transactions.remove", args: { transactionId } };
    const { approvalId } = await ask(change);
    const reject = (reason: string) =>
      root.as.mutation(api.admin.approvals.reject, { approvalId, reason });
    await expectRefusal(t, () => reject(" "), "REASON_REQUIRED");
    await reject("Asked by mistake");
    expect(await balancesOf(t, ada)).toEqual([700_000n, 0n]);

    vi.useFakeTimers();
    const all = await ask({ kind: "transactions.removeAll", args: { email: ada.email } });
    await approve(all.approvalId);
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    vi.useRealTimers();
    expect(await balancesOf(t, ada)).toEqual([500_000n, 0n]);
    expect(await rowsOf(ada)).toEqual([]);
    await expectSoundLedger(t);
  });
});
