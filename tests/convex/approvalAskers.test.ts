/** Requests for a second administrator, whose asker is an administrator no more. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { expectRefusal } from "./moneySupport";
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
