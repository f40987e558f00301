/** Changes above the limit for one administrator (policy `secondAdminApprovalAbove`). */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { balancesOf, expectRefusal, expectSoundLedger, freshKey, rowsOf } from "./moneySupport";
import {
  admin,
  newBackend,
  newUser,
  person,
  refusalOf,
  type Backend,
  type Person,
} from "./support";

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

/** Adds a row of 2,000.00 as two administrators do, and returns its id. */
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

  test("is refused above the limit, whichever way the money moves, and nothing changes", async () => {
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

  test("has no limit while the policy is off, as specified", async () => {
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

  test("is approved neither by its requester nor a second time", async () => {
    const { approvalId } = await ask({ kind: "transactions.add", args: rows(200_000n) });
    await expectRefusal(t, () => approve(approvalId, root), "OWN_APPROVAL_FORBIDDEN");
    await approve(approvalId);
    await expectRefusal(t, () => approve(approvalId), "APPROVAL_DECIDED");
    await expectRefusal(t, () => approve("nonsense"), "NOT_FOUND");
    expect(await balancesOf(t, ada)).toEqual([700_000n, 0n]);
    expect(await rowsOf(ada)).toHaveLength(1);
  });

  test("made twice with one key adds its rows once, whoever approves", async () => {
    const change: MoneyChange = { kind: "transactions.add", args: rows(200_000n) };
    const asked = await ask(change);
    expect(await ask(change)).toEqual(asked);
    await approve(asked.approvalId);
    const again = await ask(change);
    await approve(again.approvalId, await admin(t, "third@bank.example"));
    expect(await balancesOf(t, ada)).toEqual([700_000n, 0n]);
  });

  test("about an account that changed meanwhile is refused as outdated", async () => {
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
    await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
    await second.as.mutation(api.admin.approvals.reject, { approvalId, reason: "Out of date" });
    expect(await waiting()).toEqual([]);
  });

  test("about the requester's or approver's own money is refused", async () => {
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

describe("a change of who is an administrator", () => {
  const setRole = (who: Person, role: "user" | "admin", by: Person = root) =>
    by.as.mutation(api.admin.users.setRole, { userId: who.userId, role });

  test("is refused to one administrator alone: nobody may create their own approver", async () => {
    const { as } = root;
    const { userId } = second;
    const calls: (() => Promise<unknown>)[] = [
      () => setRole(ada, "admin"),
      () => setRole(second, "user"),
      () => as.mutation(api.admin.registrations.reject, { userId, reason: "Gone" }),
      () => as.action(api.admin.users.create, newUser({ role: "admin" })),
    ];
    for (const call of calls) await expectRefusal(t, call, "SECOND_ADMIN_FOR_ROLE");
    await as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason: "Stolen" });
    await expectRefusal(t, () => setRole(ada, "admin"), "SECOND_ADMIN_FOR_ROLE");
  });

  test("is made by two together, or by a sole administrator, who has nobody to ask", async () => {
    const args = { userId: ada.userId, role: "admin" as const };
    const { approvalId } = await ask({ kind: "user.setRole", args });
    expect(await waiting(second)).toMatchObject([
      { targetLabel: ada.email, lines: ["Becomes an administrator"] },
    ]);
    await approve(approvalId);
    expect((await t.run((ctx) => ctx.db.get("users", ada.userId)))?.role).toBe("admin");
    const away = await ask({ kind: "user.setRole", args: { ...args, role: "user" } });
    await approve(away.approvalId);
    const demotion = { userId: second.userId, role: "user" as const };
    const third = await admin(t, "third@bank.example");
    await approve((await ask({ kind: "user.setRole", args: demotion })).approvalId, third);
    const last = { userId: third.userId, role: "user" as const };
    await t.run((ctx) => ctx.db.patch("users", last.userId, { role: last.role }));
    await setRole(ada, "admin");
  });

  test("cannot bypass the limit through the opening balances of a new person", async () => {
    const create = (checking: ReturnType<typeof newUser>["checking"]) => () =>
      root.as.action(api.admin.users.create, newUser({ checking }));
    const large = { balanceCents: 100_001n, availableCents: 0n };
    await expectRefusal(t, create(large), "SECOND_ADMIN_REQUIRED");
    const spendable = { balanceCents: 0n, availableCents: 100_001n };
    await expectRefusal(t, create(spendable), "SECOND_ADMIN_REQUIRED");
    await create({ balanceCents: 100_000n, availableCents: 100_000n })();
  });
});

describe("what the second administrator reads", () => {
  test("is what is carried out: an edit without expected values is outdated, too", async () => {
    const args = await editTo(900_000n);
    const { approvalId } = await ask({ kind: "account.update", args });
    await root.as.mutation(api.admin.accounts.update, await editTo(500_100n));
    await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  });

  test("sums up the rows that it does not list", async () => {
    const small = Array.from({ length: 20 }, () => 1n);
    const args = rows(...small, 90_000_000n);
    await ask({ kind: "transactions.add", args });
    await ask({ kind: "transactions.add", args: { ...args, updateBalance: false } });
    const [posted, memos] = await waiting(second);
    const lines = posted?.lines ?? [];
    expect(lines).toHaveLength(22);
    expect(lines[20]).toBe("and 1 more row");
    expect(lines[21]).toBe("Adds $900,000.20 to Checking");
    expect(memos?.lines.at(-1)).toBe("Changes no balance");
  });

  test("contains no control characters that could disguise the text", async () => {
    const [first] = rows(200_000n).rows;
    if (first === undefined) throw new Error("no row");
    const hidden = { ...first, description: "Refund \u202e00.1$" };
    const add = { ...rows(1n), rows: [hidden] };
    await expectRefusal(t, () => ask({ kind: "transactions.add", args: add }), "INVALID_TEXT");
    const edit = { ...(await editTo(900_000n)), reason: "ok\nBalance from $1.00 to $1.01" };
    await expectRefusal(t, () => ask({ kind: "account.update", args: edit }), "INVALID_TEXT");
    const policy = (key: string, value: string) => () =>
      ask({ kind: "policy.set", args: { key, value } });
    await expectRefusal(t, policy("otpReuse\u202e", "null"), "NOT_FOUND");
    const key = "secondAdminApprovalAbove";
    await expectRefusal(t, policy(key, "\u202ellun"), "INVALID_POLICY_VALUE");
  });
});
