/** Where changes need a second administrator: a person's name and e-mail, and requests about somebody who has new ones. */
import { beforeEach, expect, test } from "vitest";
import type { FunctionArgs } from "convex/server";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { expectRefusal } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

type Args = FunctionArgs<typeof api.admin.identity.set>;

const JUNE = { name: "June", email: "june@bank.example" };
const NEW_EMAIL = "june.abel@mail.example";

let t: Backend;
let root: Person;
let second: Person;
let userId: Id<"users">;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  ({ userId } = await person(t, JUNE.email, { name: JUNE.name }));
  second = await admin(t, "second@bank.example");
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await root.as.mutation(api.admin.policies.set, policy);
});

const edit = (changes: Partial<Args> = {}): Args => ({
  userId,
  ...JUNE,
  expected: JUNE,
  reason: "Seen her papers",
  ...changes,
});
const set = (changes: Partial<Args>) => root.as.mutation(api.admin.identity.set, edit(changes));
const ask = async (change: MoneyChange) =>
  (await root.as.mutation(api.admin.approvals.request, { change })).approvalId;
const approve = (approvalId: string) =>
  second.as.mutation(api.admin.approvals.approve, { approvalId });
const waiting = async () => {
  const paginationOpts = { numItems: 10, cursor: null };
  return (await second.as.query(api.admin.approvals.list, { paginationOpts })).page;
};
const emailOf = async (id: Id<"users">) => (await t.run((ctx) => ctx.db.get("users", id)))?.email;

test("a member's name or e-mail waits for them, and is written as it was read", async () => {
  await expectRefusal(t, () => set({ email: NEW_EMAIL }), "SECOND_ADMIN_FOR_IDENTITY");
  const args = edit({ name: "June Abel", email: "June.Abel@mail.example", reason: " Married " });
  const approvalId = await ask({ kind: "identity.set", args });
  expect(await ask({ kind: "identity.set", args })).toBe(approvalId);
  const spelled = { ...args, name: " June Abel", email: NEW_EMAIL, reason: "Married" };
  expect(await ask({ kind: "identity.set", args: spelled })).toBe(approvalId);
  expect((await waiting())[0]).toMatchObject({
    kind: "identity.set",
    targetLabel: JUNE.email,
    lines: [
      `Name from ${JUNE.name} to June Abel`,
      `Email from ${JUNE.email} to ${NEW_EMAIL}`,
      "Reason: Married",
    ],
  });
  await approve(approvalId);
  expect(await emailOf(userId)).toBe(NEW_EMAIL);
  const entry = await t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
  expect(entry).toMatchObject({ action: "identity.set", requestedBy: root.email });
});

test("an applicant's does not wait: nobody can pay them yet", async () => {
  const lena = await person(t, "lena@bank.example", { role: "pending", status: "pending" });
  const expected = { name: "lena", email: lena.email };
  await set({ userId: lena.userId, name: "Lena", email: "lena@mail.example", expected });
  expect(await emailOf(lena.userId)).toBe("lena@mail.example");
});

test("a member's waits even when one administrator has ended the membership first", async () => {
  await root.as.mutation(api.admin.registrations.reject, { userId, reason: "Moved away" });
  await expectRefusal(t, () => set({ email: NEW_EMAIL }), "SECOND_ADMIN_FOR_IDENTITY");
  await approve(await ask({ kind: "identity.set", args: edit({ email: NEW_EMAIL }) }));
  expect(await emailOf(userId)).toBe(NEW_EMAIL);
});

test("a sole administrator changes them alone", async () => {
  await t.run((ctx) => ctx.db.patch("users", second.userId, { role: "user" }));
  await set({ email: NEW_EMAIL });
  expect(await emailOf(userId)).toBe(NEW_EMAIL);
});

test("nobody asks for, or approves, a change of their own", async () => {
  const own = edit({
    userId: root.userId,
    email: NEW_EMAIL,
    expected: { name: "root", email: root.email },
  });
  await expectRefusal(t, () => ask({ kind: "identity.set", args: own }), "OWN_ACCOUNT_FORBIDDEN");
  const args = edit({
    userId: second.userId,
    name: "Second",
    email: second.email,
    expected: { name: "second", email: second.email },
  });
  const approvalId = await ask({ kind: "identity.set", args });
  await expectRefusal(t, () => approve(approvalId), "OWN_ACCOUNT_FORBIDDEN");
});

test("a request is outdated once they have changed since, or the e-mail is taken", async () => {
  const third = await admin(t, "third@bank.example");
  const first = await ask({ kind: "identity.set", args: edit({ name: "June Abel" }) });
  const args = edit({ email: NEW_EMAIL });
  const later = await third.as.mutation(api.admin.approvals.request, {
    change: { kind: "identity.set", args },
  });
  await approve(later.approvalId);
  await expectRefusal(t, () => approve(first), "APPROVAL_OUTDATED");
  const expected = { name: JUNE.name, email: NEW_EMAIL };
  const taken = await ask({
    kind: "identity.set",
    args: edit({ email: "june@post.example", expected }),
  });
  await person(t, "june@post.example");
  await expectRefusal(t, () => approve(taken), "EMAIL_TAKEN");
  expect(await emailOf(userId)).toBe(NEW_EMAIL);
});

test("requests about an e-mail are outdated once it is another person's, or the person has another", async () => {
  const third = await admin(t, "third@bank.example");
  const change: MoneyChange = { kind: "transactions.removeAll", args: { email: JUNE.email } };
  const removal = await ask(change);
  const role = await ask({
    kind: "user.setRole",
    args: { userId: second.userId, role: "user" },
  });
  const move = async (who: Id<"users">, name: string, from: string, to: string) => {
    const args = edit({ userId: who, name, email: to, expected: { name, email: from } });
    const request = { change: { kind: "identity.set" as const, args } };
    const { approvalId } = await root.as.mutation(api.admin.approvals.request, request);
    await third.as.mutation(api.admin.approvals.approve, { approvalId });
  };
  await move(userId, JUNE.name, JUNE.email, NEW_EMAIL);
  await move(second.userId, "second", second.email, "second@mail.example");
  await expectRefusal(t, () => approve(removal), "USER_NOT_FOUND");
  await person(t, JUNE.email);
  await expectRefusal(t, () => approve(removal), "APPROVAL_OUTDATED");
  const byThird = () => third.as.mutation(api.admin.approvals.approve, { approvalId: role });
  await expectRefusal(t, byThird, "APPROVAL_OUTDATED");
});
