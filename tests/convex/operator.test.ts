/** Recovery by an operator when no administrator can help: `operator:…`, behind `npm run operator`. */
import { beforeEach, describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { OTP_CODES_MAX, OTP_LOCK_MS, OTP_WRONG_IN_ROW_LOCK } from "../../convex/shared/limits";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { mailsTo } from "./moneySupport";
import {
  addCodes,
  admin,
  newBackend,
  newUser,
  person,
  refusalOf,
  signedIn,
  snapshot,
  type Backend,
  type Person,
} from "./support";

const REASON = "Called from the branch, known in person";
const CODE = "111111";

let t: Backend;
let root: Person;
let second: Person;

/** Two administrators under every recommended policy. */
beforeEach(async () => {
  t = newBackend();
  await stubAuthKeys();
  await addCodes(t, CODE);
  root = await admin(t);
  second = await admin(t, "second@bank.example");
  await root.as.mutation(api.admin.policies.applyRecommended, {});
});

const reset = (email: string, isEnabling?: boolean) =>
  t.action(internal.operator.resetPassword, {
    email,
    reason: REASON,
    ...(isEnabling === undefined ? {} : { isEnabling }),
  });
const addAdmin = (email: string, changes: { name?: string; reason?: string } = {}) =>
  t.action(internal.operator.addAdmin, { email, reason: REASON, ...changes });
const addCode = (reason = REASON) => t.action(internal.operator.addCode, { reason });

/** Passes both steps and chooses a password; returns the client of a working administrator. */
async function signInAndSetPassword(email: string, password: string, code: string) {
  const client = clientOf(t, await enter(t, "signIn", email, password));
  expect(await client.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
  expect(await client.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
  const change = { currentPassword: password, newPassword: "another one of my own" };
  await client.action(api.profile.changePassword, change);
  expect(await client.query(api.viewer.get, {})).toMatchObject({ place: "admin" });
  return client;
}

const newestEntry = () => t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
const disable = (who: Person) =>
  t.run((ctx) => ctx.db.patch("users", who.userId, { disabledAt: Date.now() }));

describe("a one-time password", () => {
  test("lets an administrator in when nobody is left to approve a reset, also after many wrong codes", async () => {
    const nowMs = Date.now();
    const tries = { inRow: OTP_WRONG_IN_ROW_LOCK, lockedUntil: nowMs + OTP_LOCK_MS };
    await t.run((ctx) =>
      ctx.db.insert("otpAttempts", { userId: root.userId, ...tries, updatedAt: nowMs }),
    );
    const { password } = await reset("Root@bank.example");
    expect(await refusalOf(root.as.query(api.admin.users.counts, {}))).toBe("NOT_SIGNED_IN");
    await signInAndSetPassword(root.email, password, CODE);
  });

  test("is audited as the operator's; the person and the other administrators are notified", async () => {
    const { password } = await reset(root.email);
    expect(await newestEntry()).toMatchObject({
      actorEmail: "operator's command",
      action: "user.resetPassword",
      targetLabel: root.email,
      personId: root.userId,
      reason: REASON,
    });
    expect(await mailsTo(t, root)).toEqual(["Your password was reset"]);
    expect(await mailsTo(t, second)).toEqual(["Changed by an operator"]);
    const [told] = await second.as.query(api.notifications.mine, {});
    expect(told?.body).toContain(`${root.email} got a one-time password. Reason given: ${REASON}.`);
    const { as } = await signedIn(t, root.userId);
    const events = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(events.map(({ userId, text }) => [userId, text])).toEqual([
      [root.userId, "An operator gave you a one-time password."],
    ]);
    expect(await refusalOf(as.query(api.admin.users.counts, {}))).toBe("PASSWORD_CHANGE_REQUIRED");
    expect(await snapshot(t)).not.toContain(password);
  });

  test("for a disabled administrator needs an explicit flag, and enables them", async () => {
    await disable(root);
    const before = await snapshot(t);
    expect(await refusalOf(reset(root.email))).toBe("ADMINISTRATOR_DISABLED");
    expect(await snapshot(t)).toBe(before);
    await t.run((ctx) =>
      ctx.db.insert("otpAttempts", { userId: root.userId, inRow: 20, updatedAt: 1 }),
    );
    await signInAndSetPassword(root.email, (await reset(root.email, true)).password, CODE);
    const [entry] = await t.run((ctx) =>
      ctx.db
        .query("auditLog")
        .withIndex("by_action", (q) => q.eq("action", "user.resetPassword"))
        .take(2),
    );
    expect(entry).toMatchObject({
      before: '{"isDisabled":true}',
      after: '{"isDisabled":false}',
    });
  });

  test("is for administrators alone, and needs a reason", async () => {
    const maya = await person(t, "maya@bank.example");
    const before = await snapshot(t);
    expect(await refusalOf(reset(maya.email))).toBe("NOT_ADMIN");
    expect(await refusalOf(reset("nobody@bank.example"))).toBe("USER_NOT_FOUND");
    const unexplained = { email: root.email, reason: " " };
    expect(await refusalOf(t.action(internal.operator.resetPassword, unexplained))).toBe(
      "REASON_REQUIRED",
    );
    expect(await snapshot(t)).toBe(before);
  });
});

describe("adding an administrator", () => {
  test("adds one who can approve requests of the others", async () => {
    await disable(second);
    const june = await root.as.action(api.admin.users.create, newUser());
    const forgotten = { userId: june.userId, reason: "Forgotten" };
    const { isAsked } = await root.as.action(api.admin.users.resetPassword, forgotten);
    expect(isAsked).toBe(true);
    const { password, code } = await addAdmin("Third@bank.example", { name: "Thea Third" });
    expect(await newestEntry()).toMatchObject({
      actorEmail: "operator's command",
      action: "user.create",
      targetLabel: "third@bank.example",
      reason: REASON,
    });
    // An existing code: adding administrators does not add codes.
    expect(code).toBe(CODE);
    const third = await signInAndSetPassword("third@bank.example", password, code);
    const [asked] = await t.run((ctx) => ctx.db.query("approvals").take(1));
    await third.mutation(api.admin.approvals.approve, { approvalId: asked?._id ?? "" });
    expect(await mailsTo(t, root)).toEqual(["Changed by an operator"]);
    expect(await mailsTo(t, second)).toEqual([]);
    expect(await third.query(api.accounts.listMine, {})).toHaveLength(2);
    expect(await snapshot(t)).not.toContain(password);
  });

  test("is refused with a taken or invalid address, an invalid name, or in an empty bank", async () => {
    const before = await snapshot(t);
    expect(await refusalOf(addAdmin("ROOT@bank.example"))).toBe("EMAIL_TAKEN");
    expect(await refusalOf(addAdmin("nonsense"))).toBe("INVALID_EMAIL_FORMAT");
    expect(await refusalOf(addAdmin("a@bank.example", { name: "A\nB" }))).toBe("INVALID_TEXT");
    expect(await refusalOf(addAdmin("a@bank.example", { reason: "" }))).toBe("REASON_REQUIRED");
    expect(await snapshot(t)).toBe(before);
    t = newBackend();
    expect(await refusalOf(addAdmin("a@bank.example"))).toBe("USER_NOT_FOUND");
  });
});

describe("a fresh one-time code", () => {
  test("lets an administrator in who has used all other codes", async () => {
    await signInAndSetPassword(root.email, (await reset(root.email)).password, CODE);
    const { as } = await signedIn(t, root.userId, false);
    expect(await as.mutation(api.otp.verifyLogin, { code: CODE })).toMatchObject({ ok: false });
    const { code } = await addCode();
    expect(await as.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
    expect(await mailsTo(t, second)).toContain("Changed by an operator");
    expect(await snapshot(t)).not.toMatch(new RegExp(`\\b${code}\\b`));
    const [entry] = await t.run((ctx) =>
      ctx.db
        .query("auditLog")
        .withIndex("by_action", (q) => q.eq("action", "otp.add"))
        .take(2),
    );
    expect(entry).toMatchObject({
      actorEmail: "operator's command",
      after: `{"code":"****${code.slice(-2)}"}`,
      reason: REASON,
    });
  });

  test("replaces the oldest one in a full list", async () => {
    await addCodes(
      t,
      ...Array.from({ length: OTP_CODES_MAX - 1 }, (_, at) => String(200_000 + at)),
    );
    const { code } = await addCode();
    const entry = await t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
    expect(entry?.before).toBe(`{"removed":"****${CODE.slice(-2)}"}`);
    const listed = await root.as.action(api.admin.otpCodes.list, {});
    expect(listed).toHaveLength(OTP_CODES_MAX);
    expect(listed.map((each) => each.code)).not.toContain(CODE);
    expect(listed.at(-1)?.code).toBe(code);
  });

  test("needs a reason", async () => {
    expect(await refusalOf(addCode(""))).toBe("REASON_REQUIRED");
  });
});

test("administrators are listed with the reasons why they cannot work", async () => {
  await disable(second);
  await reset(root.email);
  expect(await t.query(internal.operator.admins, {})).toEqual([
    { email: root.email, name: "root", isDisabled: false, mustChangePassword: true },
    { email: second.email, name: "second", isDisabled: true, mustChangePassword: false },
  ]);
});
