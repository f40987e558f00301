/** Wrong passwords are counted only for possible e-mails, and for an account only since it exists; who forgets them. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { isEqualConstantTime } from "../../convex/model/crypto";
import {
  MS,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LOCK_MAX_MS,
  PASSWORD_WRONG_IN_ROW_DISABLE,
  PASSWORD_WRONG_IN_ROW_LOCK,
} from "../../convex/shared/limits";
import { enter, stubAuthKeys } from "./authKeys";
import { addCodes, admin, newBackend, newUser, refusalOf, type Backend } from "./support";

const { email, password } = newUser();

let t: Backend;

beforeEach(async () => {
  t = newBackend();
  await stubAuthKeys();
});

const counted = () => t.run((ctx) => ctx.db.query("passwordAttempts").take(5));

test("no attempt is counted for a text that cannot be an e-mail", async () => {
  // The first is eighteen times as long in the normalized form in which e-mails are stored; no store takes the last.
  for (const text of ["\ufdfa".repeat(1_000), `${"a".repeat(251)}@b.c`, "a\ud800@b.c"]) {
    expect(await refusalOf(enter(t, "signIn", text, password))).toBe("INVALID_CREDENTIALS");
  }
  expect(await counted()).toEqual([]);
  expect(await refusalOf(enter(t, "signIn", email, password))).toBe("INVALID_CREDENTIALS");
  expect(await counted()).toMatchObject([{ email, inRow: 1 }]);
});

test("the longest password there may be signs in; one character more is neither hashed nor counted", async () => {
  const longest = "\u{1f511}".repeat(PASSWORD_LENGTH_MAX);
  await enter(t, "signUp", email, longest);
  await enter(t, "signIn", email, longest);
  const hashed = vi.spyOn(crypto.subtle, "deriveBits");
  onTestFinished(() => hashed.mockRestore());
  expect(await refusalOf(enter(t, "signIn", email, `${longest}x`))).toBe("INVALID_CREDENTIALS");
  expect(hashed).not.toHaveBeenCalled();
  expect(await counted()).toEqual([]);
});

test.each(["signed up", "was created by staff"])(
  "a person who %s is not locked by attempts from before the account existed",
  async (how) => {
    for (let count = 0; count < PASSWORD_WRONG_IN_ROW_LOCK; count++) {
      await t.mutation(internal.authSteps.settleTry, { email, derivedHash: "wrong" });
    }
    expect(await refusalOf(enter(t, "signIn", email, password))).toBe("RATE_LIMITED");
    if (how === "signed up") await enter(t, "signUp", email, password);
    else await (await admin(t)).as.action(api.admin.users.create, newUser());
    await enter(t, "signIn", email, password);
  },
);

test("the last administrator is disabled by the next wrong password after there is another one", async () => {
  const root = await admin(t);
  await addCodes(t, "111111");
  const inRow = PASSWORD_WRONG_IN_ROW_DISABLE - 1;
  await t.run((ctx) =>
    ctx.db.insert("passwordAttempts", { email: root.email, inRow, updatedAt: 1 }),
  );
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const isDisabledAfterTry = async () => {
    vi.setSystemTime(Date.now() + PASSWORD_LOCK_MAX_MS);
    await t.mutation(internal.authSteps.settleTry, { email: root.email, derivedHash: "wrong" });
    return (await t.run((ctx) => ctx.db.get("users", root.userId)))?.disabledAt !== undefined;
  };
  expect(await isDisabledAfterTry()).toBe(false);
  await admin(t, "second@bank.example");
  expect(await isDisabledAfterTry()).toBe(true);
});

test("the right password forgets the wrong ones before it", async () => {
  await enter(t, "signUp", email, password);
  for (let time = 0; time < 2; time++) {
    for (let count = 1; count < PASSWORD_WRONG_IN_ROW_LOCK; count++) {
      await t.mutation(internal.authSteps.settleTry, { email, derivedHash: "wrong" });
    }
    await enter(t, "signIn", email, password);
  }
});

test("wrong passwords are kept for thirty days after the last one, not the first", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let time = 0; time < 2; time++) {
    await t.mutation(internal.authSteps.settleTry, { email, derivedHash: "wrong" });
    vi.setSystemTime(Date.now() + 20 * MS.DAY_MS);
  }
  await t.mutation(internal.sessions.sessionExpiry, {});
  expect(await counted()).toMatchObject([{ email, inRow: 2 }]);
});

test("while sign-in is disabled, the right password is counted as a wrong one", async () => {
  const { userId } = await admin(t);
  await t.run((ctx) => ctx.db.patch("users", userId, { disabledAt: 1 }));
  const account = await t.run((ctx) => ctx.db.query("authAccounts").first());
  const right = { email: account!.providerAccountId, derivedHash: account!.secret! };
  expect(await t.mutation(internal.authSteps.settleTry, right)).toEqual({ kind: "wrong" });
  expect(await counted()).toMatchObject([{ email: right.email, inRow: 1 }]);
});

test("enabling somebody who is not disabled forgets no wrong passwords and codes", async () => {
  const root = await admin(t);
  const { userId } = await admin(t, "second@bank.example");
  await t.mutation(internal.authSteps.settleTry, {
    email: "second@bank.example",
    derivedHash: "wrong",
  });
  await t.run((ctx) => ctx.db.insert("otpAttempts", { userId, inRow: 9, updatedAt: 1 }));
  const enable = { userId, isDisabled: false, reason: "Locked" };
  await root.as.mutation(api.admin.users.setDisabled, enable);
  expect(await counted()).toMatchObject([{ inRow: 1 }]);
  expect(await t.run((ctx) => ctx.db.query("otpAttempts").take(2))).toMatchObject([{ inRow: 9 }]);
});

test.each([
  ["", "", true],
  ["", "a", false],
  ["ab", "abab", false],
  ["abab", "ab", false],
  ["ab", "ab", true],
])("the hashes %j and %j are the same: %s", (left, right, isSame) => {
  expect(isEqualConstantTime(left, right)).toBe(isSame);
});
