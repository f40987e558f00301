/** Notifications about requests and decisions, and the hint that a file was added before. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { expectRefusal, freshKey } from "./moneySupport";
import { admin, newBackend, person, signedIn, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let requester: Person;
let other: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example");
  [requester, other] = [await admin(t), await admin(t, "other@bank.example")];
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await other.as.mutation(api.admin.policies.set, policy);
});

const notificationsOf = async ({ as }: Pick<Person, "as">) =>
  (await as.query(api.notifications.mine, {})).map(({ title, body }) => `${title}. ${body}`);
async function ask(change: MoneyChange) {
  return (await requester.as.mutation(api.admin.approvals.request, { change })).approvalId;
}
const approve = (approvalId: string) =>
  other.as.mutation(api.admin.approvals.approve, { approvalId });

const ofFile = (): MoneyChange => ({
  kind: "transactions.add",
  args: {
    userId: ada.userId,
    rows: [
      {
        accountType: "Checking",
        type: "credit",
        amountCents: 150_000n,
        description: "Refund",
        category: "Other",
        date: Date.now() - 1_000,
        status: "Completed",
      },
    ],
    updateBalance: true,
    requestKey: freshKey(),
    fileHash: "of one file",
  },
});

test("a request notifies those who may decide it, the decision notifies the requester", async () => {
  const third = await admin(t, "third@bank.example");
  const { userId } = await admin(t, "away@bank.example");
  const disable = (isDisabled: boolean) =>
    other.as.mutation(api.admin.users.setDisabled, { userId, isDisabled, reason: "Leave" });
  await disable(true);
  const args = { userId: third.userId, role: "user" as const };
  const approvalId = await ask({ kind: "user.setRole", args });
  const waits = `A change is waiting for approval. ${requester.email} has requested it. See Approvals.`;
  expect(await notificationsOf(other)).toEqual([waits]);
  expect([await notificationsOf(third), await notificationsOf(requester)]).toEqual([[], []]);
  await disable(false);
  expect(await notificationsOf(await signedIn(t, userId))).toEqual([]);
  await other.as.mutation(api.admin.approvals.reject, { approvalId, reason: "On leave only" });
  expect(await notificationsOf(requester)).toEqual([
    "Your change was refused. Role, third@bank.example: On leave only",
  ]);
  await approve(await ask({ kind: "user.setRole", args }));
  expect((await notificationsOf(requester))[0]).toBe(
    "Your change was approved. Role, third@bank.example",
  );
});

test("a request that no administrator could approve says so, until there is one", async () => {
  await ask({ kind: "user.setRole", args: { userId: ada.userId, role: "admin" } });
  await ask({ kind: "user.setRole", args: { userId: other.userId, role: "user" } });
  const deciders = async () => {
    const paginationOpts = { numItems: 9, cursor: null };
    const { page } = await requester.as.query(api.admin.approvals.list, { paginationOpts });
    return page.map(({ hasDecider }) => hasDecider);
  };
  expect(await deciders()).toEqual([true, false]);
  const { userId } = await admin(t, "third@bank.example");
  expect(await deciders()).toEqual([true, true]);
  for (const person of [other.userId, userId]) {
    const disabling = { userId: person, isDisabled: true, reason: "Left" };
    await requester.as.mutation(api.admin.users.setDisabled, disabling);
  }
  expect(await deciders()).toEqual([false, false]);
});

test("withdrawing a request does not notify the one who withdraws it", async () => {
  const args = { userId: ada.userId, role: "admin" as const };
  const approvalId = await ask({ kind: "user.setRole", args });
  await requester.as.mutation(api.admin.approvals.reject, { approvalId, reason: "By mistake" });
  expect(await notificationsOf(requester)).toEqual([]);
});

test("a file that waits for approval is recognized, and cannot be added twice unnoticed", async () => {
  const seen = (fileHash = "of one file") =>
    requester.as.query(api.admin.transactions.findDuplicateFile, { userId: ada.userId, fileHash });
  expect(await seen()).toBeNull();
  const [first, second] = [await ask(ofFile()), await ask(ofFile())];
  expect(await seen()).toMatchObject({ isWaiting: true, count: 1 });
  expect((await seen())?.at).toBeGreaterThan(Date.now() - 60_000);
  expect(await seen("of another file")).toBeNull();
  await approve(first);
  expect(await seen()).toMatchObject({ isWaiting: false, count: 1 });
  await expectRefusal(t, () => approve(second), "APPROVAL_OUTDATED");
  await ask(ofFile());
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await other.as.query(api.admin.approvals.list, { paginationOpts });
  expect(page.at(-1)?.lines[0]).toMatch(/^This file was already added on \w{3} \d+, \d{4}$/);
});

test("a policy request describes the change in words", async () => {
  await ask({ kind: "policy.set", args: { key: "secondAdminApprovalAbove", value: "null" } });
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await other.as.query(api.admin.approvals.list, { paginationOpts });
  expect(page).toMatchObject([
    { targetLabel: "Second administrator", lines: ['From "Above $1,000.00" to "Off"'] },
  ]);
});
