/** Decisions on registrations of people whom staff created: they are members, or administrators, without an application. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { expectRefusal } from "./moneySupport";
import { admin, newBackend, newUser, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

test("approving does not turn an administrator into a member", async () => {
  const { userId } = await admin(t, "second@bank.example");
  for (const check of VERIFICATION_CHECKS) {
    await root.as.mutation(api.admin.registrations.setCheck, { userId, check, isChecked: true });
  }
  const approve = () => root.as.mutation(api.admin.registrations.approve, { userId });
  await expectRefusal(t, approve, "ALREADY_DECIDED");
});

test("rejecting takes the role, happens once, and copies nothing about the password", async () => {
  const { userId } = await root.as.action(api.admin.users.create, newUser({ role: "admin" }));
  const reject = () => root.as.mutation(api.admin.registrations.reject, { userId, reason: "Left" });
  await reject();
  expect(await t.run((ctx) => ctx.db.get("users", userId))).toMatchObject({
    role: "pending",
    status: "rejected",
    passwordGiven: { by: root.email },
  });
  const [copy] = await t.run((ctx) => ctx.db.query("rejectedApplications").take(2));
  expect(copy).toMatchObject({ userId, role: "pending", email: newUser().email });
  expect(copy).not.toHaveProperty("passwordGiven");
  await expectRefusal(t, reject, "ALREADY_DECIDED");
});
