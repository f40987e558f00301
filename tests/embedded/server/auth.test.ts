/** The unmodified auth library on this backend: sign-up to sign-out, over HTTP and the socket. */
import { makeFunctionReference } from "convex/server";
import { decodeJwt, exportJWK, exportPKCS8, generateKeyPair, SignJWT } from "jose";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chat } from "../fixtures/chatApi";
import { PATIENCE } from "../../support/patience";
import { WireClient, type Frame } from "../sync/wire";
import { CHAT_DIR, newClient, newHttpClient, startTestServer } from "./testServer";

const CREDENTIALS = { email: "ada@example.org", password: "a long password" };

function startAuthServer() {
  // The issuer is read when the functions load, so each server needs its own bundle.
  return startTestServer({ functions: { functionsDir: CHAT_DIR } });
}

async function signUp(server: { origin: string }) {
  const answer = await newHttpClient(server).action(chat.signIn, {
    provider: "password",
    params: { flow: "signUp", ...CREDENTIALS },
  });
  if (answer.tokens === null) throw new Error("sign-up gave no tokens");
  return answer.tokens;
}

async function refresh(server: { origin: string }, refreshToken: string) {
  return (await newHttpClient(server).action(chat.signIn, { refreshToken })).tokens;
}

/** Moves the clock just past the expiry of a token. */
function outlive(token: string): void {
  vi.useFakeTimers({ toFake: ["Date"], now: (decodeJwt(token).exp ?? 0) * 1000 + 50 });
  onTestFinished(() => void vi.useRealTimers());
}

describe("sign-up, sign-in, sign-out", () => {
  test("give a token that functions accept until the session ends", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const http = newHttpClient(server);
    http.setAuth(token);
    expect(await http.query(chat.isAuthenticated, {})).toBe(true);
    expect(await http.query(chat.whoAmI, {})).toMatch(/^[0-9a-z]{32}\|[0-9a-z]{32}$/);
    const again = await newHttpClient(server).action(chat.signIn, {
      provider: "password",
      params: { flow: "signIn", ...CREDENTIALS },
    });
    expect(again.tokens?.token).toBeTypeOf("string");
    await http.action(chat.signOut, {});
  });

  test("a wrong password gives nothing", async () => {
    const server = await startAuthServer();
    await signUp(server);
    const attempt = newHttpClient(server).action(chat.signIn, {
      provider: "password",
      params: { flow: "signIn", email: CREDENTIALS.email, password: "another password" },
    });
    await expect(attempt).rejects.toThrow("InvalidSecret");
  });

  test("publish the issuer's keys", async () => {
    const { origin } = await startAuthServer();
    const discovery = await fetch(`${origin}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: origin });
    const jwks = (await (await fetch(`${origin}/.well-known/jwks.json`)).json()) as object;
    expect(JSON.stringify(jwks)).not.toContain('"d"');
  });
});

describe("refresh tokens", () => {
  test("give a new pair once, and again to a client that lost the answer", async () => {
    const server = await startAuthServer();
    const first = await signUp(server);
    const second = await refresh(server, first.refreshToken);
    expect(second?.refreshToken).not.toBe(first.refreshToken);
    // Within ten seconds the library assumes that the answer was lost.
    expect(await refresh(server, first.refreshToken)).not.toBeNull();
  });

  test("of a session that ended give nothing", async () => {
    const server = await startAuthServer();
    const { token, refreshToken } = await signUp(server);
    const http = newHttpClient(server);
    http.setAuth(token);
    await http.action(chat.signOut, {});
    expect(await refresh(server, refreshToken)).toBeNull();
  });
});

describe("tokens of others", () => {
  test("are refused: no algorithm, wrong key, symmetric key, wrong audience, expired", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const claims = decodeJwt(token);
    const [, body = ""] = token.split(".");
    const other = await generateKeyPair("RS256", { extractable: true });
    const sign = (payload: typeof claims) =>
      new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(other.privateKey);
    const publicPem = JSON.stringify(await exportJWK(other.publicKey));
    expect(await exportPKCS8(other.privateKey)).toContain("PRIVATE");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = [
      `${encode({ alg: "none", typ: "JWT" })}.${body}.`,
      await sign(claims),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(publicPem)),
      await sign({ ...claims, aud: "somebody" }),
      await sign({ ...claims, iss: "https://evil.example" }),
      await sign({ ...claims, exp: 1 }),
      `${token.slice(0, -8)}AAAAAAAA`,
    ];
    for (const each of forged) {
      const http = newHttpClient(server);
      http.setAuth(each);
      await expect(http.query(chat.whoAmI, {})).rejects.toThrow();
    }
  });
});

describe("an open socket", () => {
  test("is told when its token has expired, and goes on with a fresh one", async () => {
    const server = await startAuthServer();
    const first = await signUp(server);
    const client = newClient(server);
    let tokens = first;
    let fetches = 0;
    client.setAuth(async ({ forceRefreshToken }) => {
      fetches += 1;
      if (forceRefreshToken) tokens = (await refresh(server, tokens.refreshToken)) ?? tokens;
      return tokens.token;
    });
    expect(await client.query(chat.isAuthenticated, {})).toBe(true);
    outlive(tokens.token);
    expect(await client.mutation(chat.increment, { name: "after expiry" })).toBe(1n);
    expect(await client.query(chat.isAuthenticated, {})).toBe(true);
    expect(fetches).toBeGreaterThan(1);
  });

  test("that opened before its person signed in is served, though its client then says no Connect", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const client = newClient(server, { expectAuth: true });
    const sent = client.mutation(chat.increment, { name: "early" });
    const isOpen = () => client.connectionState().isWebSocketConnected;
    await expect.poll(isOpen, PATIENCE).toBe(true);
    client.setAuth(() => Promise.resolve(token));
    expect(await sent).toBe(1n);
    expect(await client.query(chat.isAuthenticated, {})).toBe(true);
  });

  test("is refused with AuthError when it uses an expired identity", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const wire = await WireClient.connect(server.origin);
    wire.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
    await wire.untilType("Transition");
    outlive(token);
    wire.mutate(0, "messages:increment", { name: "expired" });
    await wire.untilClosed();
    const last: Frame | undefined = wire.frames.at(-1);
    expect(last).toMatchObject({ type: "AuthError", authUpdateAttempted: false, baseVersion: 1 });
    expect(await newHttpClient(server).query(chat.counter, { name: "expired" })).toBe(0n);
  });

  test("calls no internal function, whoever is signed in", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const wire = await WireClient.connect(server.origin);
    wire.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
    wire.mutate(0, "messages:insertThenFail", {});
    const { success, result } = await wire.untilType("MutationResponse");
    expect([success, result]).toEqual([false, expect.stringContaining("Could not find public")]);
    const http = newHttpClient(server);
    http.setAuth(token);
    const call = http.mutation(makeFunctionReference<"mutation">("messages:insertThenFail"), {});
    await expect(call).rejects.toThrow("Could not find public");
  });

  test("is shown nothing new after its token has expired", async () => {
    const server = await startAuthServer();
    const { token } = await signUp(server);
    const wire = await WireClient.connect(server.origin);
    wire.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
    const counter = { type: "Add", queryId: 0, udfPath: "messages:counter", args: [{ name: "n" }] };
    const versions = { baseVersion: 0, newVersion: 1 };
    wire.send({ type: "ModifyQuerySet", ...versions, modifications: [counter] });
    await wire.until(({ modifications }) => JSON.stringify(modifications ?? []) !== "[]");
    const known = wire.frames.length;
    outlive(token);
    await newHttpClient(server).mutation(chat.increment, { name: "n" });
    await wire.until(({ type }) => type === "AuthError");
    expect(wire.frames.slice(known)).toMatchObject([{ authUpdateAttempted: false }]);
  });
});
