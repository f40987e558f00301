/**
 * Attacks on authentication: guards, second factor, tokens, sessions, brute force, enumeration. Each has
 * its number of the threat model and comes over the wire.
 *
 * Long because the attacks of one kind share one running bank, which takes seconds to open.
 */
import { createPublicKey } from "node:crypto";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { WireClient, type Frame } from "../embedded/sync/wire";
import {
  balancesOf,
  DEMO,
  DEMO_CODES,
  enter,
  httpClient,
  openBank,
  outcomeOf,
  tally,
  type Bank,
  type Visitor,
} from "./bank";
import { DEMO_PASSWORD } from "../e2e/support/people";
import { documentsOf, someId, wireTransfer } from "./wireCalls";
import { bankKey, signedAs } from "./forgery";

const TIMEOUT_MS = 120_000;
const WRONG_CODE = "000001";

let bank: Bank;
let root: Visitor;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

const listMine = ({ http }: Visitor) => outcomeOf(http.query(api.accounts.listMine, {}));

function signIn(params: Record<string, string>) {
  return httpClient(bank).action(api.auth.signIn, { provider: "password", params });
}

async function tokensOf(email: string): Promise<{ token: string; refreshToken: string }> {
  const params = { flow: "signIn", email, password: DEMO_PASSWORD };
  const { tokens } = await signIn(params);
  if (tokens === null) throw new Error(`no tokens for ${email}`);
  return tokens;
}

async function idOf(email: string) {
  const person = await root.http.mutation(api.admin.users.findByEmail, { email });
  if (person === null) throw new Error(`nobody is ${email}`);
  return person.userId;
}

describe("guards", () => {
  test("TH3 the password alone gives access to nothing, not even through live queries", async () => {
    const half = await enter(bank, DEMO.omar, null);
    expect(await listMine(half)).toBe("OTP_REQUIRED");
    const wire = await WireClient.connect(bank.origin);
    wire.send({ type: "Authenticate", tokenType: "User", value: half.token, baseVersion: 0 });
    wire.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: [{ type: "Add", queryId: 1, udfPath: "accounts:listMine", args: [{}] }],
    });
    const frame = await wire.until(({ modifications }) =>
      JSON.stringify(modifications ?? "").includes('"queryId":1'),
    );
    expect(JSON.stringify(frame)).toContain("QueryFailed");
    expect(JSON.stringify(frame)).toContain("OTP_REQUIRED");
  });

  test("TH4 a second factor passed in one session does not count in another", async () => {
    const other = await enter(bank, DEMO.maya, null);
    expect(await listMine(maya)).toBe("ok");
    expect(await listMine(other)).toBe("OTP_REQUIRED");
  });

  test("TH7 a token is refused after sign-out", async () => {
    const omar = await enter(bank, DEMO.omar);
    expect(await listMine(omar)).toBe("ok");
    await omar.http.action(api.auth.signOut, {});
    expect(await listMine(omar)).toBe("NOT_SIGNED_IN");
    expect(await httpClient(bank, omar.token).query(api.auth.isAuthenticated, {})).toBe(false);
  });
});

describe("tokens", () => {
  /** Signed with the bank's own key, so that only the claim is wrong. */
  const signedByTheBank = (claims: JWTPayload) => signedAs(bank, maya, claims);

  /** Tokens that look like Maya's, none issued by the bank. */
  async function forgeries(): Promise<Record<string, string>> {
    const claims = decodeJwt(maya.token);
    const [, body = ""] = maya.token.split(".");
    const nowS = Math.floor(Date.now() / 1000);
    const own = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const pem = createPublicKey(bankKey(bank)).export({ type: "spki", format: "pem" });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const sign = (payload: typeof claims, header: object = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg: "RS256", ...header }).sign(own.privateKey);
    const control = httpClient(bank, await signedByTheBank(claims));
    expect(await control.query(api.auth.isAuthenticated, {})).toBe(true);
    return {
      "no algorithm": `${encode({ alg: "none", typ: "JWT" })}.${body}.`,
      "the public key as a shared secret": await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(pem.toString())),
      "another key": await sign(claims),
      "its own key in the header": await sign(claims, { jwk }),
      "its own key set in the header": await sign(claims, { jku: "https://evil.example/jwks" }),
      "another issuer": await signedByTheBank({ ...claims, iss: "https://evil.example" }),
      "another audience": await signedByTheBank({ ...claims, aud: "somebody" }),
      expired: await signedByTheBank({ ...claims, exp: nowS - 60 }),
      "valid from tomorrow": await signedByTheBank({ ...claims, nbf: nowS + 86_400 }),
      "a changed payload": [
        maya.token.split(".")[0],
        encode({ ...claims, sub: "someone|else" }),
        maya.token.split(".")[2],
      ].join("."),
    };
  }

  test("TH8 forged tokens are refused over HTTP and on the socket", async () => {
    for (const [name, token] of Object.entries(await forgeries())) {
      const answer = await fetch(`${bank.origin}/api/query`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ path: "accounts:listMine", args: {}, format: "json" }),
      });
      expect([name, answer.status]).toEqual([name, 401]);
      const wire = await WireClient.connect(bank.origin);
      wire.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
      expect([name, (await wire.untilType("AuthError")).type]).toEqual([name, "AuthError"]);
    }
  });

  test("TH8 a token signed by the bank itself is refused when its subject names no session", async () => {
    const [userId = "", sessionId = ""] = (decodeJwt(maya.token).sub ?? "").split("|");
    const subjects = [userId, `${userId}|`, `|${sessionId}`, `${sessionId}|${userId}`];
    for (const sub of [...subjects, `${userId}|${sessionId}|x`, "__proto__|constructor"]) {
      const token = await signedByTheBank({ ...decodeJwt(maya.token), sub });
      const outcome = await outcomeOf(httpClient(bank, token).query(api.accounts.listMine, {}));
      expect([sub, outcome]).toEqual([sub, "NOT_SIGNED_IN"]);
    }
  });

  test("TH9 without the admin key nobody can act as the deployment's administrator or impersonate a user", async () => {
    const impersonating = { subject: decodeJwt(maya.token).sub ?? "", issuer: bank.origin };
    for (const value of ["", "x", maya.token, "embedded|0123456789abcdef"]) {
      for (const acting of [{}, { impersonating }]) {
        const wire = await WireClient.connect(bank.origin);
        const message = { type: "Authenticate", tokenType: "Admin", baseVersion: 0 };
        wire.send({ ...message, value, ...acting });
        expect((await wire.untilType("AuthError")).type).toBe("AuthError");
      }
      const header = { authorization: `Convex ${value}`, "content-type": "application/json" };
      const answer = await fetch(`${bank.origin}/api/mutation`, {
        method: "POST",
        headers: header,
        body: JSON.stringify({ path: "dev/seed:empty", args: {}, format: "json" }),
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  test("TH42 every sign-in creates a new session", async () => {
    const [first, second] = [await tokensOf(DEMO.vip), await tokensOf(DEMO.vip)];
    const subjects = [first, second].map(({ token }) => decodeJwt(token).sub);
    expect(new Set(subjects).size).toBe(2);
    // Signing in again on the same page ends its previous session.
    const page = httpClient(bank, first.token);
    await page.mutation(api.otp.verifyLogin, { code: DEMO_CODES[0] });
    const factorsOf = (sub = "") =>
      documentsOf(bank, "sessionFactors").filter(
        ({ authSession }) => authSession === sub.split("|")[1],
      );
    expect(factorsOf(subjects[0])).toHaveLength(1);
    const params = { flow: "signIn", email: DEMO.vip, password: DEMO_PASSWORD };
    const chosen = { sessionId: (subjects[1] ?? "").split("|")[1] ?? "", verifier: "mine" };
    const again = await page.action(api.auth.signIn, {
      provider: "password",
      params: { ...params, ...chosen },
    });
    const subject = decodeJwt(again.tokens?.token ?? "").sub;
    expect(subjects).not.toContain(subject);
    expect(await page.query(api.auth.isAuthenticated, {})).toBe(false);
    expect(factorsOf(subjects[0])).toHaveLength(0);
  });

  test("TH44, TH45 a forged refresh token with a victim's session id signs nobody out", async () => {
    const [userId = "", sessionId = ""] = (decodeJwt(maya.token).sub ?? "").split("|");
    const real = ["sessionFactors", "authAccounts", "authRefreshTokens"].map((table) =>
      someId(bank, table),
    );
    for (const half of ["x", "", sessionId, userId, "0".repeat(32), "__proto__", ...real]) {
      for (const refreshToken of [`${half}|${sessionId}`, `${half}|${sessionId}|x`]) {
        expect(await httpClient(bank).action(api.auth.signIn, { refreshToken })).toEqual({
          tokens: null,
        });
      }
    }
    expect(await listMine(maya)).toBe("ok");
  });
});

describe("guessing", () => {
  test("TH10 the fifth wrong code ends the session", async () => {
    const { http } = await enter(bank, DEMO.vip, null);
    const left: (number | undefined)[] = [];
    for (let count = 0; count < 5; count++) {
      const answer = await http.mutation(api.otp.verifyLogin, { code: WRONG_CODE });
      left.push(answer.ok ? -1 : answer.attemptsLeft);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    const right = http.mutation(api.otp.verifyLogin, { code: DEMO_CODES[0] });
    expect(await outcomeOf(right)).toBe("NOT_SIGNED_IN");
  });

  test("TH11, TH12, TH13 of fifty concurrent codes five are evaluated, and the tenth across sessions locks", async () => {
    for (const isLast of [false, true]) {
      const { http } = await enter(bank, DEMO.lock, null);
      const guess = (code: string) =>
        http.mutation(api.otp.verifyLogin, { code }, { skipQueue: true });
      const guesses = Array.from({ length: 50 }, () => guess(WRONG_CODE));
      const counts = await tally(guesses);
      expect([isLast, counts]).toEqual([isLast, { ok: 5, NOT_SIGNED_IN: 45 }]);
      // The counter outlives the session, although each attempt was refused.
      const userId = await idOf(DEMO.lock);
      const counter = documentsOf(bank, "otpAttempts").find((row) => row.userId === userId);
      expect(counter).toMatchObject({ inRow: isLast ? 10 : 5 });
    }
    const { http } = await enter(bank, DEMO.lock, null);
    const answer = await http.mutation(api.otp.verifyLogin, { code: DEMO_CODES[0] });
    expect(answer).toMatchObject({
      ok: false,
      message: expect.stringContaining("Too many") as string,
    });
  });

  test("TH14 a code works once in a session", async () => {
    const { http } = await enter(bank, DEMO.omar);
    const { pendingId } = await http.mutation(api.transfers.startExternal, {
      fromAccount: "Checking",
      toBank: "Alder & Finch Bank",
      routingNumber: "990010139",
      accountNumber: "123456789",
      accountName: "Omar",
      amountCents: 100n,
      reference: "rent",
      requestKey: "TH14",
    });
    const confirm = await http.mutation(api.transfers.confirmExternal, {
      pendingId,
      code: DEMO_CODES[0],
    });
    expect(confirm).toMatchObject({ ok: false, code: "INVALID_OTP" });
  });

  test("TH15 a removed code is refused", async () => {
    const code = "771177";
    await root.http.mutation(api.admin.otpCodes.add, { code });
    const codes = await root.http.action(api.admin.otpCodes.list, {});
    const codeId = codes.find((each) => each.code === code)?._id;
    if (codeId === undefined) throw new Error("the code is not in the list");
    await root.http.mutation(api.admin.otpCodes.remove, { codeId });
    const { http } = await enter(bank, DEMO.omar, null);
    expect(await http.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: false });
  });

  test("TH16 sign-up with a known e-mail never checks the password", async () => {
    const email = DEMO.maya;
    const passwords = [...Array.from({ length: 200 }, (_, n) => `wrong guess ${n}`), DEMO_PASSWORD];
    const tries = passwords.map((password) => signIn({ flow: "signUp", email, password }));
    expect(await tally(tries)).toEqual({ EMAIL_TAKEN: passwords.length });
  });

  test("TH18 a wrong password and an unknown e-mail get the same response", async () => {
    const bodyOf = async (email: string) => {
      const params = { flow: "signIn", email, password: "wrong guess" };
      const answer = await fetch(`${bank.origin}/api/action`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          path: "auth:signIn",
          args: { provider: "password", params },
          format: "json",
        }),
      });
      const body = (await answer.text()).replace(/Request ID: \w+/g, "");
      return [answer.status, body, [...answer.headers.keys()]];
    };
    expect(await bodyOf(DEMO.rui)).toEqual(await bodyOf("nobody@demo.example"));
    expect(JSON.stringify(await bodyOf(DEMO.rui))).toContain("INVALID_CREDENTIALS");
  });

  test("TH19 a recipient look-up reveals only a name, and is rate-limited", async () => {
    const { http } = await enter(bank, DEMO.nora);
    expect(await http.mutation(api.transfers.findRecipient, { email: DEMO.omar })).toEqual({
      name: expect.any(String) as string,
    });
    const look = (email: string) => http.mutation(api.transfers.findRecipient, { email });
    const [pending, unknown] = [await look(DEMO.lena), await look("nobody@demo.example")];
    expect(pending).toEqual(unknown);
    const more = Array.from({ length: 9 }, (_, n) => look(`guess${n}@demo.example`));
    expect(await tally(more)).toEqual({ ok: 7, RATE_LIMITED: 2 });
  });

  test("TH24 a sign-up cannot choose its role or status", async () => {
    const params = {
      flow: "signUp",
      email: "mallory@demo.example",
      password: "a sound password 77",
      role: "admin",
      status: "approved",
      isProtected: "true",
      emailVerified: "true",
    };
    const { tokens } = await signIn(params);
    const viewer = await httpClient(bank, tokens?.token).query(api.viewer.get, {});
    expect(viewer).toMatchObject({ role: "pending", status: "pending", place: "pending" });
  });

  test("TH6 a member who is rejected loses live data on an open page at once, and further calls are refused", async () => {
    const nora = await enter(bank, DEMO.nora);
    const wire = await subscribed(nora);
    const userId = await idOf(DEMO.nora);
    await root.http.mutation(api.admin.registrations.reject, { userId, reason: "attack" });
    expect((await wire.until(isAbout("QueryFailed"))).type).toBe("Transition");
    wire.mutate(7, "transfers:submit", wireTransfer());
    const answer = await wire.untilType("MutationResponse");
    expect(JSON.stringify(answer)).toContain("NOT_APPROVED");
  });

  test("TH6 disabling a person ends every session", async () => {
    const omar = await enter(bank, DEMO.omar);
    const wire = await subscribed(omar);
    const userId = await idOf(DEMO.omar);
    await root.http.mutation(api.admin.users.setDisabled, {
      userId,
      isDisabled: true,
      reason: "attack",
    });
    expect((await wire.until(isAbout("QueryFailed"))).type).toBe("Transition");
    expect(await outcomeOf(balancesOf(omar))).toBe("NOT_SIGNED_IN");
  });
});

const isAbout = (kind: string) => (frame: Frame) =>
  JSON.stringify(frame.modifications ?? "").includes(kind);

/** An open page: a socket that has received the person's accounts and keeps its subscription. */
async function subscribed({ token }: Visitor): Promise<WireClient> {
  const wire = await WireClient.connect(bank.origin);
  wire.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
  const add = { type: "Add", queryId: 1, udfPath: "accounts:listMine", args: [{}] };
  wire.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
  await wire.until(isAbout("QueryUpdated"));
  return wire;
}
