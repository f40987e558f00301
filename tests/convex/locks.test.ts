/** Waits after too many wrong passwords or one-time codes: what staff see of them, and how they end. */
import { beforeEach, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { messageFor } from "../../convex/shared/errors";
import {
  OTP_LOCK_MS,
  OTP_WRONG_IN_ROW_DISABLE,
  OTP_WRONG_IN_ROW_LOCK,
  PASSWORD_WRONG_IN_ROW_LOCK,
} from "../../convex/shared/limits";
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

const CODE = "111111";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await stubAuthKeys();
  await addCodes(t, CODE);
});

const lift = (userId: Person["userId"], reason = "Called, knew the last deposit") =>
  root.as.mutation(api.admin.locks.lift, { userId, reason });
const locks = (userId: Person["userId"]) => root.as.query(api.admin.locks.get, { userId });

async function tryPasswords(email: string, count: number): Promise<void> {
  for (let tried = 0; tried < count; tried++) {
    await t.mutation(internal.authSteps.settleTry, { email, derivedHash: "wrong" });
  }
}

/** A session ends after five wrong ones. */
async function tryCodes(userId: Person["userId"], count: number): Promise<void> {
  for (let tried = 0; tried < count; tried++) {
    const { as } = await signedIn(t, userId, false);
    await as.mutation(api.otp.verifyLogin, { code: "999999" });
  }
}

test("a reset password is of use also after too many wrong codes", async () => {
  const june = newUser();
  const { userId } = await root.as.action(api.admin.users.create, june);
  await tryCodes(userId, OTP_WRONG_IN_ROW_LOCK);
  const locked = clientOf(t, await enter(t, "signIn", june.email, june.password));
  expect(await locked.mutation(api.otp.verifyLogin, { code: CODE })).toMatchObject({
    ok: false,
    message: messageFor("RATE_LIMITED"),
  });
  const args = { userId, reason: "Forgotten" };
  const { password } = await root.as.action(api.admin.users.resetPassword, args);
  const again = clientOf(t, await enter(t, "signIn", june.email, password));
  expect(await again.mutation(api.otp.verifyLogin, { code: CODE })).toMatchObject({ ok: true });
  expect(await locks(userId)).toEqual({});
});

test("a wait for codes is shown and ended; the wrong codes go on counting", async () => {
  const ada = await person(t, "ada@bank.example");
  const { userId } = ada;
  await tryCodes(userId, OTP_WRONG_IN_ROW_LOCK);
  const { codesUntil = 0, ...others } = await locks(userId);
  expect(others).toEqual({});
  expect(codesUntil - Date.now()).toBeGreaterThan(OTP_LOCK_MS - 60_000);
  await lift(userId);
  expect(await locks(userId)).toEqual({});
  expect(await mailsTo(t, ada)).toContain("Your sign-in was unlocked");
  const { as } = await signedIn(t, userId);
  expect(await as.query(api.profile.securityEvents, {})).toMatchObject([
    { kind: "staffChange", text: "Staff ended the wait after too many wrong one-time codes." },
    { kind: "locked" },
  ]);
  await tryCodes(userId, OTP_WRONG_IN_ROW_DISABLE - OTP_WRONG_IN_ROW_LOCK);
  expect(await root.as.query(api.admin.users.get, { userId })).toHaveProperty("disabledAt");
});

test("a wait for passwords is shown and ended; the next wrong one begins another", async () => {
  const june = newUser();
  const { userId } = await root.as.action(api.admin.users.create, june);
  await tryPasswords(june.email, PASSWORD_WRONG_IN_ROW_LOCK);
  expect(await refusalOf(enter(t, "signIn", june.email, june.password))).toBe("RATE_LIMITED");
  expect(await locks(userId)).toHaveProperty("passwordsUntil");
  await lift(userId);
  await tryPasswords(june.email, 1);
  expect(await refusalOf(enter(t, "signIn", june.email, june.password))).toBe("RATE_LIMITED");
  await lift(userId);
  await enter(t, "signIn", june.email, june.password);
  expect(await locks(userId)).toEqual({});
});

test("nothing happens while nobody waits: wrong tries are not forgotten before they count", async () => {
  const { userId, email } = await admin(t, "second@bank.example");
  await tryPasswords(email, PASSWORD_WRONG_IN_ROW_LOCK - 1);
  await tryCodes(userId, OTP_WRONG_IN_ROW_LOCK - 1);
  const before = await snapshot(t);
  await lift(userId);
  expect(await snapshot(t)).toBe(before);
});

test("a disabled sign-in is not said to be unlocked", async () => {
  const { userId, email } = await person(t, "ada@bank.example");
  await tryPasswords(email, PASSWORD_WRONG_IN_ROW_LOCK);
  await root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason: "x" });
  const before = await snapshot(t);
  await lift(userId);
  expect(await snapshot(t)).toBe(before);
});

test("a reason is needed, and nobody ends their own wait", async () => {
  await tryPasswords(root.email, PASSWORD_WRONG_IN_ROW_LOCK);
  expect(await refusalOf(lift(root.userId, " "))).toBe("REASON_REQUIRED");
  expect(await refusalOf(lift(root.userId))).toBe("OWN_ACCOUNT_FORBIDDEN");
  expect(await locks(root.userId)).toHaveProperty("passwordsUntil");
});
