/** Two administrators are two people: nobody gets a second administrator account through a password they know. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { expectRefusal } from "./moneySupport";
import { addCodes, admin, newBackend, newUser, person, type Backend, type Person } from "./support";

const JUNE = newUser();

let t: Backend;
let requester: Person;
let other: Person;
let userId: Id<"users">;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 25, 17) });
  t = newBackend();
  await stubAuthKeys();
  await addCodes(t, "111111");
  [requester, other] = [await admin(t), await admin(t, "other@bank.example")];
  await other.as.mutation(api.admin.policies.set, {
    key: "secondAdminApprovalAbove",
    value: "100000",
  });
  ({ userId } = await requester.as.action(api.admin.users.create, JUNE));
});

afterEach(() => {
  vi.useRealTimers();
});

async function ask(change: MoneyChange) {
  return (await requester.as.mutation(api.admin.approvals.request, { change })).approvalId;
}
const askForRole = () => ask({ kind: "user.setRole", args: { userId, role: "admin" } });
const approve = (approvalId: string) =>
  other.as.mutation(api.admin.approvals.approve, { approvalId });
async function waiting() {
  const paginationOpts = { numItems: 10, cursor: null };
  return (await other.as.query(api.admin.approvals.list, { paginationOpts })).page;
}
const roleOfJune = async () => (await t.run((ctx) => ctx.db.get("users", userId)))?.role;

/** Done by June, or by whoever knows the password. */
async function changePassword(currentPassword: string, newPassword: string) {
  const june = clientOf(t, await enter(t, "signIn", JUNE.email, currentPassword));
  await june.mutation(api.otp.verifyLogin, { code: "111111" });
  await june.action(api.profile.changePassword, { currentPassword, newPassword });
}

test("nobody who must change a password becomes an administrator, even where no record says who gave it", async () => {
  const given = { mustChangePassword: true, passwordGiven: undefined };
  await t.run((ctx) => ctx.db.patch("users", userId, given));
  await expectRefusal(t, askForRole, "PASSWORD_NOT_CHANGED");
});

test("a person created by staff becomes an administrator only after choosing a password", async () => {
  await expectRefusal(t, askForRole, "PASSWORD_NOT_CHANGED");
  await changePassword(JUNE.password, "a password of June's own");
  const approvalId = await askForRole();
  expect((await waiting())[0]?.lines).toEqual([
    "Becomes an administrator",
    `Created by ${requester.email}`,
    `Given a password by ${requester.email}, Nov 25, 2026 12:00; changed since then`,
  ]);
  await approve(approvalId);
  expect(await roleOfJune()).toBe("admin");
});

test("a one-time password issued after the request, even in the same minute, makes it outdated", async () => {
  await changePassword(JUNE.password, "a password of June's own");
  const approvalId = await askForRole();
  const { password } = await requester.as.action(api.admin.users.resetPassword, {
    userId,
    reason: "Forgotten",
  });
  const reset = (await waiting()).find(({ kind }) => kind === "user.resetPassword");
  await approve(reset?._id ?? "");
  await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  await changePassword(password, "another password of June's own");
  await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  expect(await roleOfJune()).toBe("user");
  // Named is who got to know the password: whoever asked for the reset, not who approved it.
  await askForRole();
  const given = `Given a password by ${requester.email}, Nov 25, 2026 12:00; changed since then`;
  expect((await waiting()).at(-1)?.lines).toContain(given);
});

test("disabling the person after the request makes it outdated, even once they are back", async () => {
  await changePassword(JUNE.password, "a password of June's own");
  const approvalId = await askForRole();
  const disabling = { userId, isDisabled: true, reason: "Stolen" };
  await other.as.mutation(api.admin.users.setDisabled, disabling);
  await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  await askForRole();
  expect((await waiting())[1]?.lines).toContain("Cannot sign in: disabled");
  await other.as.mutation(api.admin.users.setDisabled, { ...disabling, isDisabled: false });
  await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  await approve(await askForRole());
  expect(await roleOfJune()).toBe("admin");
});

test("disabling whoever asked for it makes it outdated, even once they are back", async () => {
  await changePassword(JUNE.password, "a password of June's own");
  const approvalId = await askForRole();
  for (const isDisabled of [true, false]) {
    const change = { userId: requester.userId, isDisabled, reason: "Stolen" };
    await other.as.mutation(api.admin.users.setDisabled, change);
  }
  await expectRefusal(t, () => approve(approvalId), "APPROVAL_OUTDATED");
  expect(await roleOfJune()).toBe("user");
});

test("losing the role makes an earlier request to take it outdated, even once it is back", async () => {
  const third = await admin(t, "third@bank.example");
  const args = { userId: third.userId, role: "user" as const };
  const approvalId = await ask({ kind: "user.setRole", args });
  // Disabling meanwhile leaves it as it is: that is what staff do first.
  for (const isDisabled of [true, false]) {
    const change = { userId: third.userId, isDisabled, reason: "Suspected" };
    await other.as.mutation(api.admin.users.setDisabled, change);
  }
  const again = await other.as.mutation(api.admin.approvals.request, {
    change: { kind: "user.setRole", args },
  });
  await approve(approvalId);
  await approve(await ask({ kind: "user.setRole", args: { ...args, role: "admin" } }));
  const late = () => requester.as.mutation(api.admin.approvals.approve, again);
  await expectRefusal(t, late, "APPROVAL_OUTDATED");
});

test("a sole administrator, who has nobody to ask, may promote anybody", async () => {
  await t.run((ctx) => ctx.db.patch("users", other.userId, { role: "user" }));
  await requester.as.mutation(api.admin.users.setRole, { userId, role: "admin" });
  expect(await roleOfJune()).toBe("admin");
});

test("the request shows the approver who approved the person's application", async () => {
  const lena = await person(t, "lena@bank.example", { role: "pending", status: "pending" });
  for (const check of VERIFICATION_CHECKS) {
    const tick = { userId: lena.userId, check, isChecked: true };
    await requester.as.mutation(api.admin.registrations.setCheck, tick);
  }
  await requester.as.mutation(api.admin.registrations.approve, { userId: lena.userId });
  await ask({ kind: "user.setRole", args: { userId: lena.userId, role: "admin" } });
  expect((await waiting())[0]?.lines).toEqual([
    "Becomes an administrator",
    `Applied on Nov 25, 2026, approved by ${requester.email}`,
  ]);
});

test("nobody may reject a request about themselves; the requester may withdraw it", async () => {
  const third = await admin(t, "third@bank.example");
  const args = { userId: third.userId, role: "user" as const };
  const approvalId = await ask({ kind: "user.setRole", args });
  const reject = (by: Person) =>
    by.as.mutation(api.admin.approvals.reject, { approvalId, reason: "No" });
  await expectRefusal(t, () => reject(third), "OWN_ACCOUNT_FORBIDDEN");
  const paginationOpts = { numItems: 1, cursor: null };
  const { page } = await third.as.query(api.admin.approvals.list, { paginationOpts });
  expect(page).toMatchObject([{ isAboutReader: true, isOwn: false }]);
  await reject(requester);
  const bystander = await person(t, "ben@bank.example");
  const approvalOfBen = await ask({
    kind: "user.setRole",
    args: { userId: bystander.userId, role: "admin" },
  });
  await third.as.mutation(api.admin.approvals.reject, { approvalId: approvalOfBen, reason: "No" });
  expect(await waiting()).toEqual([]);
});
