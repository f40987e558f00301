/** Requests for a second administrator: whom they are about, and what becomes of them when the asker is none any more. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { balancesOf, expectRefusal, freshKey } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let asker: Person;
let other: Person;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  [asker, other] = [await admin(t), await admin(t, "other@bank.example")];
  ada = await person(t, "ada@bank.example");
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await other.as.mutation(api.admin.policies.set, policy);
});

const patchAsker = (fields: Partial<Doc<"users">>) =>
  t.run((ctx) => ctx.db.patch("users", asker.userId, fields));
const roleOfAda = async () => (await t.run((ctx) => ctx.db.get("users", ada.userId)))?.role;

test("who was disabled or demoted has nothing carried out any more", async () => {
  const change: MoneyChange = {
    kind: "user.setRole",
    args: { userId: ada.userId, role: "admin" },
  };
  const { approvalId } = await asker.as.mutation(api.admin.approvals.request, { change });
  const approve = () => other.as.mutation(api.admin.approvals.approve, { approvalId });
  await patchAsker({ disabledAt: 1 });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
  await patchAsker({ disabledAt: undefined, role: "user" });
  await expectRefusal(t, approve, "APPROVAL_OUTDATED");
  expect(await roleOfAda()).toBe("user");
  await patchAsker({ role: "admin" });
  await approve();
  expect(await roleOfAda()).toBe("admin");
});

test("their requests can be refused", async () => {
  const change: MoneyChange = {
    kind: "policy.set",
    args: { key: "secondAdminApprovalAbove", value: "null" },
  };
  const { approvalId } = await asker.as.mutation(api.admin.approvals.request, { change });
  await patchAsker({ disabledAt: 1 });
  await other.as.mutation(api.admin.approvals.reject, { approvalId, reason: "Has left" });
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await other.as.query(api.admin.approvals.list, { paginationOpts });
  expect(page).toEqual([]);
});

test("a batch is taken back when a second one approves, and the requests about one person are listed apart", async () => {
  const ben = await person(t, "ben@bank.example");
  const row = {
    accountType: "Savings",
    type: "credit",
    amountCents: 60_000n,
    description: "Bonus",
    category: "Income",
    date: Date.now(),
    status: "Completed",
  } as const;
  const addTo = (who: Person) =>
    asker.as.mutation(api.admin.transactions.addMany, {
      userId: who.userId,
      rows: [row],
      updateBalance: true,
      requestKey: freshKey(),
    });
  const requested: string[] = [];
  for (const who of [ada, ben]) {
    const change: MoneyChange = {
      kind: "transactions.removeBatch",
      args: { batchId: (await addTo(who)).batchId },
    };
    const { approvalId } = await asker.as.mutation(api.admin.approvals.request, { change });
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
