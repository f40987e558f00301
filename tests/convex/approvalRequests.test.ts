/** Approval requests: limits per person, duplicates, and what happens when the requester is no longer an administrator. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import { MS } from "../../convex/shared/limits";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { balancesOf, expectRefusal, freshKey } from "./moneySupport";
import {
  addCodes,
  admin,
  MODULES,
  newBackend,
  person,
  signedIn,
  type Backend,
  type Person,
} from "./support";

let t: Backend;
let requester: Person;
let other: Person;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  [requester, other] = [await admin(t), await admin(t, "other@bank.example")];
  ada = await person(t, "ada@bank.example");
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await other.as.mutation(api.admin.policies.set, policy);
});

afterEach(() => {
  vi.useRealTimers();
});

const patchRequester = (fields: Partial<Doc<"users">>) =>
  t.run((ctx) => ctx.db.patch("users", requester.userId, fields));
const roleOfAda = async () => (await t.run((ctx) => ctx.db.get("users", ada.userId)))?.role;

test("requests of a disabled or demoted administrator cannot be approved", async () => {
  const change: MoneyChange = {
    kind: "user.setRole",
    args: { userId: ada.userId, role: "admin" },
  };
  const { approvalId } = await requester.as.mutation(api.admin.approvals.request, { change });
  const approve = () => other.as.mutation(api.admin.approvals.approve, { approvalId });
  await patchRequester({ disabledAt: 1 });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
  await patchRequester({ disabledAt: undefined, role: "user" });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
  expect(await roleOfAda()).toBe("user");
  await patchRequester({ role: "admin" });
  await approve();
  expect(await roleOfAda()).toBe("admin");
});

const ROW = {
  accountType: "Savings",
  type: "credit",
  amountCents: 60_000n,
  description: "Bonus",
  category: "Income",
  status: "Completed",
} as const;
const TO_OFF: MoneyChange = {
  kind: "policy.set",
  args: { key: "secondAdminApprovalAbove", value: "null" },
};
const waiting = async () => {
  const paginationOpts = { numItems: 30, cursor: null };
  return (await other.as.query(api.admin.approvals.list, { paginationOpts })).page;
};

test.each([
  ["enabled again", ["disable", "enable"]],
  ["an administrator again", ["demote", "promote"]],
  ["given a password", ["reset"]],
] as const)("a request is outdated when its requester has since been %s", async (_, acts) => {
  await addCodes(t, "111111");
  const third = await admin(t, "third@bank.example");
  const { approvalId } = await requester.as.mutation(api.admin.approvals.request, {
    change: TO_OFF,
  });
  const approve = () => other.as.mutation(api.admin.approvals.approve, { approvalId });
  const { userId } = requester;
  const setDisabled = (isDisabled: boolean) =>
    other.as.mutation(api.admin.users.setDisabled, { userId, isDisabled, reason: "Stolen" });
  const approveNewest = async () => {
    const newest = (await waiting()).at(-1);
    if (newest === undefined) throw new Error("Nothing waits");
    await other.as.mutation(api.admin.approvals.approve, { approvalId: newest._id });
  };
  const setRole = async (role: "user" | "admin") => {
    const change: MoneyChange = { kind: "user.setRole", args: { userId, role } };
    await third.as.mutation(api.admin.approvals.request, { change });
    await approveNewest();
  };
  const does = {
    disable: () => setDisabled(true),
    enable: () => setDisabled(false),
    demote: () => setRole("user"),
    promote: () => setRole("admin"),
    reset: async () => {
      await third.as.action(api.admin.users.resetPassword, { userId, reason: "Lost" });
      await approveNewest();
    },
  };
  for (const act of acts) await does[act]();
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
});

test("only requests from before that are outdated, even if the clock is set back, and the same can be asked again", async () => {
  const ask = async ({ as }: Pick<Person, "as">) =>
    (await as.mutation(api.admin.approvals.request, { change: TO_OFF })).approvalId;
  const approve = (approvalId: string) =>
    other.as.mutation(api.admin.approvals.approve, { approvalId });
  const setClockBack = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - MS.MINUTE_MS });
  const before = await ask(requester);
  setClockBack();
  const { userId } = requester;
  for (const isDisabled of [true, false]) {
    const change = { userId, isDisabled, reason: "Stolen" };
    await other.as.mutation(api.admin.users.setDisabled, change);
  }
  await expectRefusal(t, () => approve(before), "APPROVAL_OUTDATED");
  setClockBack();
  await approve(await ask(await signedIn(t, userId)));
});

test("repeating a policy request returns the same one, and it is outdated once the policy changed", async () => {
  const third = await admin(t, "third@bank.example");
  const ask = async (by: Person) =>
    (await by.as.mutation(api.admin.approvals.request, { change: TO_OFF })).approvalId;
  const first = await ask(requester);
  expect(await ask(requester)).toBe(first);
  const second = await ask(third);
  await other.as.mutation(api.admin.approvals.approve, { approvalId: first });
  const approve = () => other.as.mutation(api.admin.approvals.approve, { approvalId: second });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
});

test("one administrator changes the other policies alone", async () => {
  const policy = { key: "passwordMinLength", value: "8" };
  await requester.as.mutation(api.admin.policies.set, policy);
  expect(await requester.as.query(api.admin.policies.list, {})).toContainEqual(
    expect.objectContaining(policy),
  );
});

test("a newer reset request rejects the waiting one, with an audit entry and a notification", async () => {
  const third = await admin(t, "third@bank.example");
  const reset = (by: Person) =>
    by.as.action(api.admin.users.resetPassword, { userId: ada.userId, reason: "Forgot" });
  await reset(requester);
  await reset(third);
  expect((await waiting()).map(({ requestedBy }) => requestedBy)).toEqual([third.email]);
  const told = await requester.as.query(api.notifications.mine, {});
  expect(told.map(({ title, body }) => `${title}. ${body}`)).toContain(
    "Your change was refused. Password, ada@bank.example: Replaced by a newer request",
  );
  const log = await t.run((ctx) => ctx.db.query("auditLog").order("desc").take(2));
  expect(log.map(({ action, reason }) => [action, reason])).toEqual([
    ["approval.request", undefined],
    ["approval.reject", "Replaced by a newer request"],
  ]);
});

test.each([
  [{ requestKey: "" }, "INVALID_TEXT"],
  [{ fileHash: "f".repeat(201) }, "INVALID_TEXT"],
  [{ rows: [] }, "FILL_ALL_FIELDS"],
])("a request to add rows that could not be added is refused at once: %o", async (wrong, code) => {
  const rows = [{ ...ROW, date: Date.now() }];
  const args = { userId: ada.userId, rows, updateBalance: true, requestKey: freshKey() };
  const change: MoneyChange = { kind: "transactions.add", args: { ...args, ...wrong } };
  const ask = () => requester.as.mutation(api.admin.approvals.request, { change });
  await expectRefusal(t, ask, code);
});

test("at most twenty requests about one person may wait; other requests are not affected", async () => {
  const change = (amountCents: bigint): MoneyChange => ({
    kind: "transactions.add",
    args: {
      userId: ada.userId,
      rows: [{ ...ROW, date: Date.now(), amountCents }],
      updateBalance: true,
      requestKey: freshKey(),
    },
  });
  const ask = (cents: bigint) =>
    requester.as.mutation(api.admin.approvals.request, { change: change(cents) });
  for (let count = 1n; count <= 20n; count += 1n) await ask(200_000n + count);
  await expectRefusal(t, () => ask(300_000n), "APPROVALS_FULL");
  await requester.as.mutation(api.admin.approvals.request, { change: TO_OFF });
  const [oldest] = await waiting();
  const reason = "Not needed";
  await other.as.mutation(api.admin.approvals.reject, { approvalId: String(oldest?._id), reason });
  const reset = { userId: ada.userId, reason: "Forgot" };
  await requester.as.action(api.admin.users.resetPassword, reset);
  await expectRefusal(t, () => ask(300_000n), "APPROVALS_FULL");
  // A second one takes the place of the first.
  await requester.as.action(api.admin.users.resetPassword, reset);
});

test("requests of a disabled administrator can be rejected", async () => {
  const change: MoneyChange = {
    kind: "policy.set",
    args: { key: "secondAdminApprovalAbove", value: "null" },
  };
  const { approvalId } = await requester.as.mutation(api.admin.approvals.request, { change });
  await patchRequester({ disabledAt: 1 });
  await other.as.mutation(api.admin.approvals.reject, { approvalId, reason: "Has left" });
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await other.as.query(api.admin.approvals.list, { paginationOpts });
  expect(page).toEqual([]);
});

test("no second deletion of all rows begins, or is approved, while one is running", async () => {
  vi.useFakeTimers();
  const { email } = ada;
  const change: MoneyChange = { kind: "transactions.removeAll", args: { email } };
  const { approvalId } = await requester.as.mutation(api.admin.approvals.request, { change });
  const start = () => other.as.mutation(api.admin.transactions.removeAllForUser, { email });
  const first = await start();
  expect(await start()).toEqual(first);
  const approve = () => other.as.mutation(api.admin.approvals.approve, { approvalId });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  await approve();
});

test("a batch is removed when a second administrator approves; requests can be listed per person", async () => {
  const ben = await person(t, "ben@bank.example");
  const addTo = (who: Person) =>
    requester.as.mutation(api.admin.transactions.addMany, {
      userId: who.userId,
      rows: [{ ...ROW, date: Date.now() }],
      updateBalance: true,
      requestKey: freshKey(),
    });
  const requested: string[] = [];
  for (const who of [ada, ben]) {
    const change: MoneyChange = {
      kind: "transactions.removeBatch",
      args: { batchId: (await addTo(who)).batchId },
    };
    const { approvalId } = await requester.as.mutation(api.admin.approvals.request, { change });
    requested.push(approvalId);
  }
  const listed = async () => {
    const args = { personId: ada.userId, paginationOpts: { numItems: 10, cursor: null } };
    const { page } = await other.as.query(api.admin.approvals.list, args);
    return page.map(({ _id }) => _id as string);
  };
  expect(await listed()).toEqual(requested.slice(0, 1));
  await other.as.mutation(api.admin.approvals.approve, { approvalId: requested[0] ?? "" });
  expect(await listed()).toEqual([]);
  expect(await balancesOf(t, ada)).toEqual([0n, 0n]);
  expect(await balancesOf(t, ben)).toEqual([0n, 60_000n]);
});

test("however large the waiting requests are, the health page can be read", async () => {
  const engine = embeddedTest(schema, MODULES);
  const [root, member] = [await admin(engine), await person(engine, ada.email)];
  const row = { ...ROW, description: "汉".repeat(200), date: Date.now() };
  const args = { userId: member.userId, updateBalance: true, requestKey: freshKey() };
  const change: MoneyChange = {
    kind: "transactions.add",
    args: { ...args, rows: Array.from({ length: 500 }, () => row) },
  };
  await root.as.mutation(api.admin.approvals.request, { change });
  for (let twenty = 0; twenty < 3; twenty++) {
    await engine.run(async (ctx) => {
      const first = await ctx.db.query("approvals").first();
      if (first === null) throw new Error("No request");
      const { _id, _creationTime, ...fields } = first;
      for (let count = 0; count < 20; count++) await ctx.db.insert("approvals", fields);
    });
  }
  const { queues } = await root.as.query(api.admin.health.get, {});
  const queue = queues.find(({ name }) => name === "Changes to approve");
  expect(queue).toMatchObject({ waiting: 10, hasMore: true });
});

test("a repeated request is the same one, in whatever order the backend stores fields", async () => {
  const engine = embeddedTest(schema, MODULES);
  const [root, member] = [await admin(engine), await person(engine, ada.email)];
  const [account] = await member.as.query(api.accounts.listMine, {});
  const { accountNumber, routingNumber, availableCents } = account!;
  const edited = { accountNumber, routingNumber, availableCents, balanceCents: 7n };
  const change: MoneyChange = {
    kind: "account.update",
    args: { accountId: account!._id, ...edited },
  };
  const request = () => root.as.mutation(api.admin.approvals.request, { change });
  expect(await request()).toEqual(await request());
});
