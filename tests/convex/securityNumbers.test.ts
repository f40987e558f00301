/** Limits that no other test reaches: lifetimes of tokens and sessions, long locks, daily limits. */
import { beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { addCodes, admin, newBackend, person, refusalOf, type Backend } from "./support";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EMAIL = "ada@bank.example";
const PASSWORD = "correct horse battery";

let t: Backend;

beforeEach(async () => {
  vi.useRealTimers();
  t = newBackend();
  await stubAuthKeys();
});

/** Claims of a token, unverified. */
function claimsOf(token: string): Record<string, number> {
  const [, body = ""] = token.split(".");
  return JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/"))) as Record<string, number>;
}

test("a token is valid for ten minutes", async () => {
  const { exp = 0, iat = 0 } = claimsOf((await enter(t, "signUp", EMAIL, PASSWORD)).token);
  expect(exp - iat).toBe(10 * 60);
});

test("the session that a sign-up opens lasts no longer than a member's", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await enter(t, "signUp", EMAIL, PASSWORD);
  const session = await t.run((ctx) => ctx.db.query("authSessions").first());
  expect(session?.expirationTime).toBe(Date.now() + 12 * HOUR_MS);
});

test.each([
  ["a member's session twelve hours", { role: "user", status: "approved" }, 12],
  ["an administrator's eight", { role: "admin", status: "active" }, 8],
] as const)("after the second step %s", async (_, standing, hours) => {
  await addCodes(t, "123456");
  vi.useFakeTimers({ toFake: ["Date"] });
  await enter(t, "signUp", EMAIL, PASSWORD);
  await t.run(async (ctx) => {
    const user = await ctx.db.query("users").first();
    if (user !== null) await ctx.db.patch("users", user._id, standing);
  });
  const tokens = await enter(t, "signIn", EMAIL, PASSWORD);
  await clientOf(t, tokens).mutation(api.otp.verifyLogin, { code: "123456" });
  const session = await t.run((ctx) => ctx.db.query("authSessions").order("desc").first());
  expect(session?.expirationTime).toBe(Date.now() + hours * HOUR_MS);
});

test("a session's activity is written down once in half a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const root = await admin(t);
  const beganMs = Date.now();
  for (const [elapsedMs, writtenMs] of [
    [29_999, 0],
    [30_000, 30_000],
  ] as const) {
    vi.setSystemTime(beganMs + elapsedMs);
    await root.as.mutation(api.sessions.touch, {});
    const [session] = await root.as.query(api.profile.sessions, {});
    expect(session?.lastActiveAt).toBe(beganMs + writtenMs);
  }
});

test("a session that is over changes no password and opens no list of codes, even before its job", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const root = await admin(t);
  vi.setSystemTime(Date.now() + 8 * HOUR_MS);
  const change = { currentPassword: "", newPassword: "" };
  const changing = root.as.action(api.profile.changePassword, change);
  expect(await refusalOf(changing)).toBe("NOT_SIGNED_IN");
  const opening = root.as.action(api.admin.otpCodes.list, {});
  expect(await refusalOf(opening)).toBe("NOT_SIGNED_IN");
});

test("a new password of six characters is enough", async () => {
  await enter(t, "signUp", EMAIL, "k7#Pwz");
});

test("the least length of a password is counted in characters, before the application is judged", async () => {
  const root = await admin(t);
  const policy = { key: "passwordMinLength", value: "8" } as const;
  await root.as.mutation(api.admin.policies.set, policy);
  const refusals = ["FILL_REQUIRED_FIELDS"];
  const start = { email: EMAIL, addressKeys: [], passwordLength: 7, refusals };
  const refusal = { code: "PASSWORD_TOO_SHORT", minimum: 8 };
  expect(await t.mutation(internal.authSteps.startSignUp, start)).toEqual(refusal);
  const astral = "\u{1f511}\u{1f40e}\u{1f50b}\u{1f9f7}\u{1f511}\u{1f40e}\u{1f50b}";
  expect(await refusalOf(enter(t, "signUp", EMAIL, astral))).toBe("PASSWORD_TOO_SHORT");
  await enter(t, "signUp", EMAIL, `${astral}\u{1f9f7}`);
});

test("the lock after wrong passwords doubles from a minute up to an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const waits: number[] = [];
  for (let count = 1; count <= 18; count += 1) {
    await t.mutation(internal.authSteps.settleTry, { email: EMAIL, derivedHash: "wrong" });
    const attempts = await t.run((ctx) => ctx.db.query("passwordAttempts").first());
    const waitMs = Math.max(0, (attempts?.lockedUntil ?? 0) - Date.now());
    waits.push(waitMs / MINUTE_MS);
    vi.setSystemTime(Date.now() + waitMs);
  }
  expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("ten wrong passwords stop hashing for a minute and add one security event", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await enter(t, "signUp", EMAIL, PASSWORD);
  const start = () => t.mutation(internal.authSteps.startTry, { email: EMAIL, addressKeys: [] });
  for (let count = 1; count <= 12; count += 1) {
    expect(await start(), `try ${count}`).toMatchObject({ kind: "check" });
    await t.mutation(internal.authSteps.settleTry, { email: EMAIL, derivedHash: "wrong" });
    if (count < 10) continue;
    expect(await start(), `after try ${count}`).toEqual({ kind: "limited" });
    vi.setSystemTime(Date.now() + 4 * MINUTE_MS);
  }
  const events = await t.run((ctx) => ctx.db.query("securityEvents").take(20));
  expect(events).toMatchObject([{ kind: "locked", text: "Too many wrong passwords." }]);
});

test("three sign-ups a day are allowed for one e-mail, successful or not", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = () =>
    t.mutation(internal.authSteps.startSignUp, {
      email: EMAIL,
      addressKeys: [],
      passwordLength: PASSWORD.length,
      refusals: [],
    });
  for (let count = 0; count < 3; count += 1) expect(await start()).toBeNull();
  expect(await start()).toMatchObject({ code: "RATE_LIMITED" });
  vi.setSystemTime(Date.now() + 8 * HOUR_MS - 1);
  expect(await start()).toMatchObject({ code: "RATE_LIMITED" });
  vi.setSystemTime(Date.now() + 1);
  expect(await start()).toBeNull();
});

test("sixty recipient look-ups a day are allowed, ten per minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ada = await person(t, EMAIL);
  const find = () => ada.as.mutation(api.transfers.findRecipient, { email: "nobody@bank.example" });
  // The daily bucket refills one token in 24 minutes: none within these ten.
  let allowed = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    for (let count = 0; count < 10; count += 1) {
      const outcome = await find().then(
        () => "ok",
        () => "refused",
      );
      if (outcome === "ok") allowed += 1;
    }
    vi.setSystemTime(Date.now() + MINUTE_MS);
  }
  expect(allowed).toBe(60);
});

test("a new deployment has twenty codes", async () => {
  await t.mutation(internal.dev.seed.empty, {});
  expect(await t.run((ctx) => ctx.db.query("otpCodes").take(100))).toHaveLength(20);
});

test.each([
  [1_000_000, 100],
  [101, 100],
  [2.9, 2],
  [0, 1],
  [-3, 1],
  [Number.NaN, 1],
])(
  "a page of a list has 100 rows at most and one at least: asked for %d, %d",
  async (numItems, rows) => {
    const root = await admin(t);
    await t.run(async (ctx) => {
      const mail = {
        to: EMAIL,
        subject: "Hello",
        body: "",
        status: "queued",
        attempts: 0,
      } as const;
      for (let createdAt = 0; createdAt < 101; createdAt += 1) {
        await ctx.db.insert("outbox", { ...mail, createdAt, nextAttemptAt: 0 });
      }
    });
    const paginationOpts = { numItems, cursor: null };
    const { page } = await root.as.query(api.admin.outbox.page, { paginationOpts });
    expect(page).toHaveLength(rows);
  },
);
