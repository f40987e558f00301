/**
 * Attacks on money and roles over the wire: invalid amounts in every function that takes one, replays,
 * administrators who act for themselves, the protected account, formulas in files.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { statementCsv, transactionsCsv } from "../../convex/shared/statementExport";
import { auditCsv } from "../../src/features/adminAudit/auditCsv";
import {
  balancesOf,
  DEMO,
  enter,
  httpClient,
  internalTransfer,
  ledgerProblems,
  openBank,
  outcomeOf,
  sendTo,
  stateOf,
  type Bank,
  type Visitor,
} from "./bank";
import { as, call, outcomeIn, post, wireCents, wireFloat, wireTransfer } from "./wireCalls";

const TIMEOUT_MS = 120_000;

let bank: Bank;
let root: Visitor;
let maya: Visitor;
let vera: Visitor;
/** The administrator's own id and accounts, and those of the protected member. */
let rootId: string;
let veraId: string;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
  vera = await enter(bank, DEMO.vip);
  rootId = await idOf(DEMO.admin);
  veraId = await idOf(DEMO.vip);
}, TIMEOUT_MS);

afterAll(() => bank.close());

async function idOf(email: string): Promise<string> {
  const person = await root.http.mutation(api.admin.users.findByEmail, { email });
  if (person === null) throw new Error(`nobody is ${email}`);
  return person.userId;
}

async function accountsOf(userId: string) {
  const details = await root.http.query(api.admin.users.get, { userId: userId as never });
  return details?.accounts ?? [];
}

/** Invalid amounts, in the wire format where JSON cannot represent them. */
const INVALID_AMOUNTS: readonly unknown[] = [
  ...[0n, -1n, -(2n ** 63n), 2n ** 63n - 1n, 1_000_000_000_001n].map(wireCents),
  ...[1, 0.5, 0.001, -0, 1e21, 10.005, "100", null, [], {}, true],
  ...[NaN, Infinity, -Infinity, 1e-9, -0].map(wireFloat),
  { $integer: "" },
  { $integer: "AA==" },
  { $integer: 5 },
  { $integer: "ZAAAAAAAAAA=", $float: "AAAAAAAAAAA=" },
];

test("TH25 invalid amounts are refused by every function that takes one, never rounded", async () => {
  const [account] = await accountsOf(veraId);
  const bankDetails = { routingNumber: "990010139", accountNumber: "123456789", accountName: "V" };
  const row = { accountType: "Checking", type: "credit", description: "x", category: "Income" };
  const takers: readonly [path: string, who: Visitor, args: (amount: unknown) => object][] = [
    ["transfers:submit", vera, (amountCents) => wireTransfer({ amountCents })],
    [
      "transfers:submit",
      maya,
      (amountCents) => {
        const { toAccount: _own, ...rest } = wireTransfer({ amountCents });
        return { ...rest, transferType: "user", recipientEmail: DEMO.omar };
      },
    ],
    [
      "transfers:startExternal",
      maya,
      (amountCents) => ({
        ...bankDetails,
        fromAccount: "Checking",
        toBank: "Alder & Finch Bank",
        amountCents,
        reference: "rent",
        requestKey: randomUUID(),
      }),
    ],
    [
      "billPayments:schedule",
      maya,
      (amountCents) => ({
        fromAccount: "Checking",
        provider: "electric",
        accountNumber: "123456",
        amountCents,
        scheduleDate: "2099-01-01",
        requestKey: randomUUID(),
      }),
    ],
    [
      "admin/transactions:addMany",
      root,
      (amountCents) => ({
        userId: veraId,
        rows: [{ ...row, amountCents, date: 1, status: "Completed" }],
        updateBalance: true,
        requestKey: randomUUID(),
      }),
    ],
    [
      "admin/accounts:update",
      root,
      // A balance of zero is valid; negative and invalid ones must be refused.
      (amount) => ({
        accountId: account?._id,
        accountNumber: account?.accountNumber,
        routingNumber: account?.routingNumber,
        balanceCents: JSON.stringify(amount) === JSON.stringify(wireCents(0n)) ? null : amount,
        availableCents: wireCents(0n),
      }),
    ],
  ];
  const before = stateOf(bank);
  const accepted: unknown[] = [];
  for (const [path, who, argsFor] of takers) {
    for (const amount of INVALID_AMOUNTS) {
      const answer = await post(bank, "mutation", call(path, argsFor(amount)), as(who));
      if (answer.text.includes('"status":"success"')) accepted.push([path, amount]);
    }
  }
  expect(accepted).toEqual([]);
  expect(stateOf(bank)).toBe(before);
});

test("TH28 the same key moves money once, changed details are refused, another key is another transfer", async () => {
  const [before = 0n] = await balancesOf(vera);
  const args = internalTransfer({ amountCents: 500n });
  const first = await vera.http.mutation(api.transfers.submit, args);
  expect(await vera.http.mutation(api.transfers.submit, args)).toEqual(first);
  const otherAmount = { ...args, amountCents: 501n };
  const reused = await outcomeOf(vera.http.mutation(api.transfers.submit, otherAmount));
  expect(reused).toBe("REQUEST_KEY_REUSED");
  expect((await balancesOf(vera))[0]).toBe(before - 500n);
  const second = { ...args, requestKey: randomUUID() };
  expect(await vera.http.mutation(api.transfers.submit, second)).not.toEqual(first);
  expect((await balancesOf(vera))[0]).toBe(before - 1_000n);
  // Keys belong to a member: the same key from somebody else is another transfer.
  await maya.http.mutation(api.transfers.submit, args);
  expect((await balancesOf(vera))[0]).toBe(before - 1_000n);
});

test("TH33 administrators can change neither their own role or status nor their own money", async () => {
  const userId = rootId as never;
  await sendTo(await enter(bank, DEMO.omar), DEMO.admin, 500n);
  await sendTo(root, DEMO.maya, 200n);
  const [farRow] = await maya.http.query(api.transactions.recent, {});
  const before = stateOf(bank);
  const row = {
    accountType: "Checking",
    type: "credit",
    amountCents: 100_000n,
    description: "bonus",
    category: "Income",
    date: 1,
    status: "Completed",
  } as const;
  const { locks, registrations, restrictions, transactions, transferCounts, users } = api.admin;
  const reason = "attack";
  const calls = {
    demote: () => root.http.mutation(users.setRole, { userId, role: "user" }),
    disable: () => root.http.mutation(users.setDisabled, { userId, isDisabled: true, reason }),
    "end a wait": () => root.http.mutation(locks.lift, { userId, reason }),
    restrict: () => root.http.mutation(restrictions.set, { userId, reason, expiresAt: 1 }),
    "lift a restriction": () => root.http.mutation(restrictions.lift, { userId }),
    reject: () => root.http.mutation(registrations.reject, { userId, reason }),
    post: () =>
      root.http.mutation(transactions.addMany, {
        userId,
        rows: [row],
        updateBalance: true,
        requestKey: randomUUID(),
      }),
    erase: () => root.http.mutation(transactions.removeAllForUser, { email: DEMO.admin }),
    "take a transfer of theirs back from its other side": () =>
      root.http.mutation(transactions.remove, { transactionId: farRow?._id ?? "" }),
    "open the gate": () => root.http.mutation(transferCounts.resetOne, { userId: rootId }),
  };
  for (const [name, act] of Object.entries(calls)) {
    expect([name, await outcomeOf(act())]).toEqual([name, "OWN_ACCOUNT_FORBIDDEN"]);
  }
  expect(stateOf(bank)).toBe(before);
});

test("TH34 the protected account stays protected, by id and by every spelling of its e-mail", async () => {
  const before = stateOf(bank);
  const reset = root.http.mutation(api.admin.transferCounts.resetOne, { userId: veraId });
  expect(await reset.catch((error: { data?: { message?: string } }) => error.data?.message)).toBe(
    `Cannot reset transfer count for ${DEMO.vip}`,
  );
  const leave = vera.http.mutation(api.transfers.submit, {
    ...internalTransfer(),
    transferType: "international",
    toAccount: undefined,
    recipientName: "Vera",
    bankName: "Bank",
    swiftCode: "DEUTDEFF",
    accountNumber: "12345678",
    country: "DE",
    currency: "EUR",
  });
  expect(await outcomeOf(leave)).toBe("ACTIVITY_ALERT");
  for (const email of [DEMO.vip, "VIP@Demo.example", " vip@demo.example ", "ｖｉｐ@demo.example"]) {
    const params = { flow: "signUp", email, password: "a sound password 77" };
    const again = httpClient(bank).action(api.auth.signIn, { provider: "password", params });
    expect([email, await outcomeOf(again)]).toEqual([email, "EMAIL_TAKEN"]);
  }
  expect(stateOf(bank)).toBe(before);
  const count = async () =>
    (await root.http.query(api.admin.users.get, { userId: veraId as never }))?.transferCount;
  const counted = await count();
  await root.http.mutation(api.admin.transferCounts.resetAll, {});
  expect(await count()).toBe(counted);
});

test("TH35 text that starts like a formula is quoted in every exported file", async () => {
  const formulas = [
    '=HYPERLINK("https://evil.example","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
  ];
  const userId = await idOf(DEMO.omar);
  const rows = formulas.map((description) => ({
    accountType: "Checking" as const,
    type: "credit" as const,
    amountCents: 100n,
    description,
    category: "Income" as const,
    date: Date.UTC(2025, 2, 14, 15),
    status: "Completed" as const,
  }));
  await root.http.mutation(api.admin.transactions.addMany, {
    userId,
    rows,
    updateBalance: true,
    requestKey: randomUUID(),
  });
  const omar = await enter(bank, DEMO.omar);
  const paginationOpts = { numItems: 100, cursor: null };
  const { page } = await omar.http.query(api.transactions.history, { paginationOpts });
  const period = { accountType: "Checking", period: "2025-03" } as const;
  const statement = await omar.http.query(api.statements.get, period);
  const audit = formulas.map((reason) => ({ ...AUDIT_ENTRY, targetLabel: reason, reason }));
  for (const text of [transactionsCsv(page), statementCsv(statement), auditCsv(audit)]) {
    for (const formula of formulas) {
      expect(text).toContain(`"'${formula.replaceAll('"', '""')}"`);
      expect(text).not.toContain(`,${formula}`);
    }
  }
});

const AUDIT_ENTRY = { _id: "x" as never, at: 0, actorEmail: DEMO.admin, action: "x" };

test("the page size that a client can ask for is limited", async () => {
  const sizes: number[] = [];
  for (const numItems of [1_000_000_000, wireFloat(Infinity), -1, 0, 0.5, wireFloat(NaN)]) {
    const args = { paginationOpts: { numItems, cursor: null } };
    const answer = await post(bank, "query", call("transactions:history", args), as(maya));
    expect([numItems, outcomeIn(answer)]).toEqual([numItems, "ok"]);
    const { value } = JSON.parse(answer.text) as { value: { page: unknown[] } };
    sizes.push(value.page.length);
  }
  expect(sizes).toEqual([100, 100, 1, 1, 1, 1]);
});

test("a cursor of somebody else's list gives no access to it", async () => {
  const paginationOpts = { numItems: 2, cursor: null };
  const ofMaya = await maya.http.query(api.transactions.history, { paginationOpts });
  const taken = { numItems: 100, cursor: ofMaya.continueCursor };
  const answer = await vera.http
    .query(api.transactions.history, { paginationOpts: taken })
    .catch(() => ({ page: [] }));
  const mine = new Set(ofMaya.page.map(({ _id }) => _id));
  expect(answer.page.some(({ _id }) => mine.has(_id))).toBe(false);
});

test("after all attacks the ledger is sound", async () => {
  expect(await ledgerProblems(root)).toEqual([]);
});
