/** A forgotten password: an administrator issues a one-time password, alone or with a second administrator. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc, Id } from "../../convex/_generated/dataModel";
import { PASSWORD_WRONG_IN_ROW_LOCK } from "../../convex/shared/limits";
import type { MoneyChange } from "../../convex/shared/moneyChanges";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import {
  addCodes,
  admin,
  newBackend,
  newUser,
  refusalOf,
  type Backend,
  type Person,
} from "./support";

const JUNE = newUser();

let t: Backend;
let root: Person;
let userId: Id<"users">;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await stubAuthKeys();
  await addCodes(t, "111111");
  ({ userId } = await root.as.action(api.admin.users.create, JUNE));
});

const signIn = (password: string) => enter(t, "signIn", JUNE.email, password);
const reset = (who = userId, reason = "Forgotten, seen at the branch") =>
  root.as.action(api.admin.users.resetPassword, { userId: who, reason });

describe("a one-time password", () => {
  test("replaces the forgotten one, must be changed and ends every session", async () => {
    const june = clientOf(t, await signIn(JUNE.password));
    await june.mutation(api.otp.verifyLogin, { code: "111111" });
    const { password, isAsked } = await reset();
    expect(isAsked).toBe(false);
    expect(password).toMatch(/^[0-9a-f]{16}$/);
    expect(await refusalOf(june.query(api.notifications.mine, {}))).toBe("NOT_SIGNED_IN");
    expect(await refusalOf(signIn(JUNE.password))).toBe("INVALID_CREDENTIALS");
    const again = clientOf(t, await signIn(password));
    await again.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await again.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
    const same = { currentPassword: password, newPassword: password };
    expect(await refusalOf(again.action(api.profile.changePassword, same))).toBe(
      "PASSWORD_UNCHANGED",
    );
    expect(await again.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
    const change = { currentPassword: password, newPassword: "quite another one" };
    await again.action(api.profile.changePassword, change);
    expect(await again.query(api.viewer.get, {})).toMatchObject({ place: "member" });
    const mails = await t.run((ctx) => ctx.db.query("outbox").take(9));
    expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([
      JUNE.email,
      "Your password was reset",
    ]);
    expect(JSON.stringify(mails)).not.toContain(password);
  });

  test("needs a reason, as disabling a sign-in does", async () => {
    const disable = (reason: string) =>
      root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason });
    expect(await refusalOf(reset(userId, " \n"))).toBe("REASON_REQUIRED");
    expect(await refusalOf(disable(" \n"))).toBe("REASON_REQUIRED");
    await disable(" Lost phone ");
    const entry = await t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
    expect(entry).toMatchObject({ action: "user.disable", reason: "Lost phone" });
  });

  test("tells somebody whose sign-in is disabled that it still is", async () => {
    const disabling = { userId, isDisabled: true, reason: "Lost phone" };
    await root.as.mutation(api.admin.users.setDisabled, disabling);
    await reset();
    const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
    expect(mail?.body).toContain("one-time password. Your sign-in is disabled. To use it again,");
    expect(mail?.body).not.toContain("when you sign in");
  });

  test("can be used at once, despite a lock after wrong passwords", async () => {
    for (let tries = 0; tries < PASSWORD_WRONG_IN_ROW_LOCK; tries++) {
      await refusalOf(signIn("a wrong password"));
    }
    expect(await refusalOf(signIn(JUNE.password))).toBe("RATE_LIMITED");
    await signIn((await reset()).password);
  });

  test("cannot be issued to oneself, and needs a reason", async () => {
    expect(await refusalOf(reset(root.userId))).toBe("OWN_ACCOUNT_FORBIDDEN");
    expect(await refusalOf(reset(userId, " "))).toBe("REASON_REQUIRED");
    await signIn(JUNE.password);
  });
});

describe("where changes need a second administrator, a one-time password", () => {
  let second: Person;

  beforeEach(async () => {
    second = await admin(t, "second@bank.example");
    const policy = { key: "secondAdminApprovalAbove", value: "100000" };
    await root.as.mutation(api.admin.policies.set, policy);
  });

  async function waiting() {
    const paginationOpts = { numItems: 10, cursor: null };
    const { page } = await second.as.query(api.admin.approvals.list, { paginationOpts });
    const [asked] = page;
    if (asked === undefined) throw new Error("nothing was asked for");
    return asked;
  }
  const approve = ({ _id: approvalId }: { _id: string }, by: Person) =>
    by.as.mutation(api.admin.approvals.approve, { approvalId });

  test("becomes valid once a second administrator approved it", async () => {
    const { password, isAsked } = await reset();
    expect(isAsked).toBe(true);
    expect(await refusalOf(signIn(password))).toBe("INVALID_CREDENTIALS");
    const asked = await waiting();
    expect(asked).toMatchObject({
      kind: "user.resetPassword",
      targetLabel: JUNE.email,
      lines: ["Gets a one-time password", "Reason: Forgotten, seen at the branch"],
    });
    expect(await refusalOf(approve(asked, root))).toBe("OWN_APPROVAL_FORBIDDEN");
    await signIn(JUNE.password);
    await approve(asked, second);
    await signIn(password);
    expect(await refusalOf(signIn(JUNE.password))).toBe("INVALID_CREDENTIALS");
  });

  test("is invalid when rejected; a sole administrator issues it alone", async () => {
    const refused = await reset();
    const asked = await waiting();
    const refusal = { approvalId: asked._id, reason: "Nobody called" };
    await second.as.mutation(api.admin.approvals.reject, refusal);
    expect(await refusalOf(signIn(refused.password))).toBe("INVALID_CREDENTIALS");
    await t.run((ctx) => ctx.db.patch("users", second.userId, { role: "user" }));
    const { password, isAsked } = await reset();
    expect(isAsked).toBe(false);
    await signIn(password);
  });

  test("is outdated when the requester or the person has changed since", async () => {
    const third = await admin(t, "third@bank.example");
    const patch = (who: Id<"users">, fields: Partial<Doc<"users">>) =>
      t.run((ctx) => ctx.db.patch("users", who, fields));
    const { password } = await reset();
    const asked = await waiting();
    const outdated = async () =>
      expect(await refusalOf(approve(asked, third))).toBe("APPROVAL_OUTDATED");
    await patch(root.userId, { role: "user" });
    await outdated();
    await patch(root.userId, { role: "admin", disabledAt: 1 });
    await outdated();
    await patch(root.userId, { disabledAt: undefined });
    await patch(userId, { role: "admin" });
    await outdated();
    await patch(userId, { role: "user" });
    await t.run(async (ctx) => {
      const account = (await ctx.db.query("authAccounts").collect()).find(
        (one) => one.userId === userId,
      );
      if (account !== undefined)
        await ctx.db.patch("authAccounts", account._id, { secret: "other" });
    });
    await outdated();
    expect(await refusalOf(signIn(password))).toBe("INVALID_CREDENTIALS");
  });

  test("replaces a waiting one, and leaves no hash behind", async () => {
    await reset();
    const { password } = await reset();
    await approve(await waiting(), second);
    await signIn(password);
    const kept = await t.run((ctx) => ctx.db.query("approvals").take(9));
    expect(
      kept.map(({ status, change }) => [status, "args" in change && change.args]),
    ).toMatchObject([
      ["rejected", { passwordHash: "" }],
      ["approved", { passwordHash: "" }],
    ]);
  });

  test("of an administrator is described as such", async () => {
    await t.run((ctx) => ctx.db.patch("users", userId, { role: "admin" }));
    await reset();
    expect((await waiting()).lines[0]).toBe("Is an administrator");
  });

  test("cannot be requested with a hash from the client", async () => {
    const args = { userId, reason: "Forgotten", passwordHash: "pbkdf2-sha256$1$00$00" };
    const change = { kind: "user.resetPassword", args } as unknown as MoneyChange;
    await expect(root.as.mutation(api.admin.approvals.request, { change })).rejects.toThrow(
      /Validator|validat/i,
    );
  });
});
