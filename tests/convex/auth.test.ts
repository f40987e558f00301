import { beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { clientOf, enter, stubAuthKeys, subjectOf } from "./authKeys";
import { newBackend, person, refusalOf, snapshot, type Backend } from "./support";

const EMAIL = "ada@bank.example";
const PASSWORD = "correct horse battery";

const APPLICATION = {
  firstName: "Ada",
  lastName: "Abel",
  dateOfBirth: "1990-02-28",
  nationality: "United States",
  maritalStatus: "Single",
  street: "1 Main Street",
  city: "Albany",
  state: "NY",
  country: "US",
  postalCode: "12207",
  phoneNumber: "(555) 010-0120",
  emergencyName: "Ben Abel",
  emergencyRelationship: "Brother",
  emergencyPhone: "(555) 010-0121",
  idCardType: "Passport",
  idCardNumber: "X1234567",
};

let t: Backend;

beforeEach(async () => {
  vi.useRealTimers();
  t = newBackend();
  await stubAuthKeys();
});

const signUp = (email: string, password: string, application = APPLICATION) =>
  t.action(api.auth.signIn, {
    provider: "password",
    params: { flow: "signUp", email, password, application },
  });

const usersNow = () => t.run((ctx) => ctx.db.query("users").take(50));
const sessionsNow = () => t.run((ctx) => ctx.db.query("authSessions").take(50));

describe("sign-up", () => {
  test("writes person, application and account together and signs in with the password only", async () => {
    const { tokens } = await signUp(" Ada@Bank.EXAMPLE ", PASSWORD);
    const [user] = await usersNow();
    expect(user).toMatchObject({
      email: EMAIL,
      name: "Ada Abel",
      role: "pending",
      status: "pending",
      personalInfo: { firstName: "Ada", address: { postalCode: "12207" } },
      contactDetails: { emergencyContact: { name: "Ben Abel" } },
      documents: { idCardNumber: "X1234567", verificationStatus: "pending" },
    });
    if (tokens === null) throw new Error("No tokens");
    const viewer = await clientOf(t, tokens).query(api.viewer.get, {});
    expect(viewer).toMatchObject({
      place: "pending",
      home: "/pending-approval",
      isSecondFactorPassed: false,
    });
    const mails = await t.run((ctx) => ctx.db.query("outbox").take(5));
    // The address may be somebody else's, and a name can say anything.
    expect(mails.map(({ body }) => body)).toEqual([expect.stringMatching(/^Hello,\n\nThank you/)]);
  });

  test("works with e-mail and password alone, and ignores a role in the arguments", async () => {
    const claims = { role: "admin", status: "approved", emailVerified: true, application: null };
    await enter(t, "signUp", EMAIL, PASSWORD, claims);
    const [user] = await usersNow();
    expect(user).toMatchObject({ role: "pending", status: "pending" });
    expect(user).not.toHaveProperty("emailVerified");
  });

  test("refuses in the order: e-mail, taken, password, application", async () => {
    await signUp(EMAIL, PASSWORD);
    const broken = { ...APPLICATION, city: " " };
    const cases: [string, string, typeof APPLICATION, string][] = [
      ["no-address", "short", broken, "INVALID_EMAIL_FORMAT"],
      ["ADA@bank.example", "short", broken, "EMAIL_TAKEN"],
      ["new@bank.example", "short", broken, "WEAK_PASSWORD"],
      ["new@bank.example", "x".repeat(300), broken, "PASSWORD_TOO_LONG"],
      ["new@bank.example", "password123", broken, "PASSWORD_TOO_COMMON"],
      ["new@bank.example", PASSWORD, broken, "FILL_REQUIRED_FIELDS"],
      [
        "new@bank.example",
        PASSWORD,
        { ...APPLICATION, dateOfBirth: "2999-01-01" },
        "INVALID_DATE_OF_BIRTH",
      ],
    ];
    const before = await snapshot(t, ["rateBuckets"]);
    for (const [email, password, application, code] of cases) {
      expect(await refusalOf(signUp(email, password, application)), code).toBe(code);
    }
    expect(await snapshot(t, ["rateBuckets"])).toBe(before);
  });

  test("never checks a password for a known e-mail, in any spelling", async () => {
    await signUp(EMAIL, PASSWORD);
    const spellings = [EMAIL, "ADA@BANK.EXAMPLE", "ａｄａ@bank.example", "a\u200bda@bank.example"];
    for (const email of spellings) {
      expect(await refusalOf(signUp(email, PASSWORD))).toBe("EMAIL_TAKEN");
      expect(await refusalOf(signUp(email, "wrong password"))).toBe("EMAIL_TAKEN");
    }
    expect(await sessionsNow()).toHaveLength(1);
  });
});

describe("sign-in", () => {
  test("gives the same response for a wrong password and for an unknown e-mail", async () => {
    await signUp(EMAIL, PASSWORD);
    for (const [email, password] of [
      [EMAIL, "wrong password"],
      ["nobody@bank.example", PASSWORD],
      ["", PASSWORD],
      [EMAIL, ""],
      [EMAIL, "x".repeat(100_000)],
    ] as const) {
      expect(await refusalOf(enter(t, "signIn", email, password))).toBe("INVALID_CREDENTIALS");
    }
  });

  test("refuses unknown flows and providers", async () => {
    await signUp(EMAIL, PASSWORD);
    const params = { flow: "reset", email: EMAIL, password: PASSWORD };
    const call = t.action(api.auth.signIn, { provider: "password", params });
    expect(await refusalOf(call)).toBe("INVALID_CREDENTIALS");
    const other = { provider: "google", params } as unknown as { provider: "password" };
    await expect(t.action(api.auth.signIn, other)).rejects.toThrow(/validator/iu);
  });

  test("locks sign-in after the tenth wrong password in a row, known e-mail or not", async () => {
    await signUp(EMAIL, PASSWORD);
    for (const email of [EMAIL, "nobody@bank.example"]) {
      for (let count = 0; count < 10; count++) {
        const wrong = { email, derivedHash: "wrong" };
        await t.mutation(internal.authSteps.settleTry, wrong);
      }
      expect(await refusalOf(enter(t, "signIn", email, PASSWORD)), email).toBe("RATE_LIMITED");
    }
  });

  test("evaluates no password during the lock, even for attempts started before it", async () => {
    await signUp(EMAIL, PASSWORD);
    const [account] = await t.run((ctx) => ctx.db.query("authAccounts").take(1));
    for (let count = 0; count < 10; count++) {
      await t.mutation(internal.authSteps.settleTry, { email: EMAIL, derivedHash: "wrong" });
    }
    const right = { email: EMAIL, derivedHash: account?.secret ?? "" };
    expect(await t.mutation(internal.authSteps.settleTry, right)).toEqual({ kind: "limited" });
  });

  test("disables the account after a hundred wrong passwords in a row", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await signUp(EMAIL, PASSWORD);
    for (let count = 0; count < 100; count++) {
      vi.setSystemTime(Date.now() + 3_600_000);
      await t.mutation(internal.authSteps.settleTry, { email: EMAIL, derivedHash: "wrong" });
    }
    vi.setSystemTime(Date.now() + 3_600_000);
    const [user] = await usersNow();
    expect(user?.disabledAt).toBeDefined();
    expect(await sessionsNow()).toHaveLength(0);
    expect(await refusalOf(enter(t, "signIn", EMAIL, PASSWORD))).toBe("INVALID_CREDENTIALS");
    // One more attempt changes neither the time of the lock, nor is the person notified again.
    expect(await usersNow()).toEqual([user]);
    const mails = await t.run((ctx) => ctx.db.query("outbox").take(5));
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [EMAIL, "We received your application"],
      [EMAIL, "Your sign-in has been disabled"],
    ]);
  });

  test("keeps at most five sessions and ends the oldest", async () => {
    const first = await enter(t, "signUp", EMAIL, PASSWORD);
    for (let count = 0; count < 5; count++) await enter(t, "signIn", EMAIL, PASSWORD);
    expect(await sessionsNow()).toHaveLength(5);
    expect(await clientOf(t, first).query(api.viewer.get, {})).toBeNull();
  });

  test("ends the session in which somebody signs in again", async () => {
    const first = await enter(t, "signUp", EMAIL, PASSWORD);
    const second = await enter(clientOf(t, first), "signIn", EMAIL, PASSWORD);
    expect(subjectOf(second.token)).not.toBe(subjectOf(first.token));
    expect(await clientOf(t, first).query(api.viewer.get, {})).toBeNull();
    expect(await sessionsNow()).toHaveLength(1);
  });
});

describe("refresh", () => {
  const refresh = (refreshToken: string) => t.action(api.auth.signIn, { refreshToken });

  test("exchanges a valid token for new ones of the same session", async () => {
    const first = await enter(t, "signUp", EMAIL, PASSWORD);
    const { tokens } = await refresh(first.refreshToken);
    expect(subjectOf(tokens!.token)).toBe(subjectOf(first.token));
    expect(tokens!.token).not.toBe(first.token);
  });

  test("refuses invented tokens without touching the session they name", async () => {
    const first = await enter(t, "signUp", EMAIL, PASSWORD);
    const other = await enter(t, "signUp", `other-${EMAIL}`, PASSWORD);
    const [tokenId = "", sessionId = ""] = first.refreshToken.split("|");
    const before = await snapshot(t);
    for (const invented of [
      `|${sessionId}`,
      `${sessionId}|${sessionId}`,
      `${other.refreshToken.split("|")[0]}|${sessionId}`,
      `${tokenId}|${sessionId}|more`,
      `${tokenId}|bogus`,
      tokenId,
      "",
    ]) {
      expect(await refresh(invented), invented).toEqual({ tokens: null });
    }
    expect(await snapshot(t)).toBe(before);
  });

  test("gives a disabled person no tokens, even with the right password", async () => {
    const { refreshToken } = await enter(t, "signUp", EMAIL, PASSWORD);
    await t.run(async (ctx) => {
      const [user] = await ctx.db.query("users").take(1);
      await ctx.db.patch("users", user!._id, { disabledAt: Date.now() });
    });
    expect(await refresh(refreshToken)).toEqual({ tokens: null });
    expect(await refusalOf(enter(t, "signIn", EMAIL, PASSWORD))).toBe("INVALID_CREDENTIALS");
  });

  test("ends the session when a used token is reused late, and notifies the owner", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const first = await enter(t, "signUp", EMAIL, PASSWORD);
    const { tokens: second } = await refresh(first.refreshToken);
    const { tokens: third } = await refresh(second?.refreshToken ?? "");
    expect(third).not.toBeNull();
    vi.setSystemTime(Date.now() + 11_000);
    expect(await refresh(first.refreshToken)).toEqual({ tokens: null });
    expect(await sessionsNow()).toHaveLength(0);
    expect(await refresh(third?.refreshToken ?? "")).toEqual({ tokens: null });
    const events = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(events.map((event) => event.kind)).toEqual(["sessionRevoked"]);
  });
});

describe("an expired session", () => {
  /** Rows about sessions in our own tables. */
  const left = () =>
    t.run(async (ctx) => [
      ...(await ctx.db.query("sessionFactors").take(5)),
      ...(await ctx.db.query("sessionActivity").take(5)),
      ...(await ctx.db.query("otpSessionAttempts").take(5)),
    ]);

  test("is deleted from every table when a refresh comes before the job that ends it", async () => {
    const { token, refreshToken } = await enter(t, "signUp", EMAIL, PASSWORD);
    const authSession = subjectOf(token).split("|")[1] as Id<"authSessions">;
    await t.run(async (ctx) => {
      const [user] = await ctx.db.query("users").take(1);
      if (user === undefined) throw new Error("nobody");
      const factor = { authSession, userId: user._id, handle: "h", passedAt: 1 };
      await ctx.db.insert("sessionFactors", factor);
      await ctx.db.insert("sessionActivity", { authSession, isAdmin: false, lastActiveAt: 1 });
      await ctx.db.patch("authSessions", authSession, { expirationTime: Date.now() - 1 });
    });
    const answer = await t.action(api.auth.signIn, { refreshToken });
    expect(answer).toEqual({ tokens: null });
    expect(await left()).toEqual([]);
    expect(await t.run((ctx) => ctx.db.query("securityEvents").take(5))).toEqual([]);
  });

  test("is deleted by its job, even if the library deleted its own rows before", async () => {
    const { sessionId } = await person(t, "ben@bank.example");
    expect(await left()).not.toEqual([]);
    await t.run((ctx) => ctx.db.delete("authSessions", sessionId));
    await t.mutation(internal.sessions.endWhenDue, { authSession: sessionId });
    expect(await left()).toEqual([]);
  });
});

describe("sign-out", () => {
  test("ends the session, deletes its data and makes the token useless", async () => {
    const tokens = await enter(t, "signUp", EMAIL, PASSWORD);
    const client = clientOf(t, tokens);
    expect(await client.query(api.auth.isAuthenticated, {})).toBe(true);
    await client.action(api.auth.signOut, {});
    expect(await client.query(api.auth.isAuthenticated, {})).toBe(false);
    expect(await sessionsNow()).toHaveLength(0);
    expect(await t.run((ctx) => ctx.db.query("authRefreshTokens").take(5))).toHaveLength(0);
  });

  test("does nothing for visitors", async () => {
    await t.action(api.auth.signOut, {});
    expect(await t.query(api.auth.isAuthenticated, {})).toBe(false);
  });
});
