/**
 * Tokens of custom issuers and of an OIDC provider, and the client's address behind a proxy.
 *
 * Long because all tokens are signed with the keys of the same issuers.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { makeFunctionReference } from "convex/server";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { personKey } from "../../../embedded/runtime/identity";
import { IssuerUnavailableError, TokenVerifier } from "../../../embedded/runtime/tokens";
import { WireClient } from "../sync/wire";
import { newClient, newHttpClient, startTestServer } from "./testServer";

const FOLDER = path.resolve(import.meta.dirname, "..", "fixtures", "identities");
const caller = {
  identity: makeFunctionReference<"query", Record<string, never>, Record<string, unknown> | null>(
    "caller:identity",
  ),
  address: makeFunctionReference<"mutation", Record<string, never>, string | null>(
    "caller:address",
  ),
  browser: makeFunctionReference<"mutation", Record<string, never>, string | null>(
    "caller:browser",
  ),
};

describe("issuers of tokens", () => {
  const keys: Record<"ES256" | "RS256" | "stranger", CryptoKey[]> = {
    ES256: [],
    RS256: [],
    stranger: [],
  };
  const jwks: Record<"ES256" | "RS256", { keys: object[] }> = {
    ES256: { keys: [] },
    RS256: { keys: [] },
  };
  beforeAll(async () => {
    for (const alg of ["ES256", "RS256"] as const) {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      keys[alg] = [privateKey];
      jwks[alg] = { keys: [{ ...(await exportJWK(publicKey)), kid: `key of ${alg}`, alg }] };
    }
    keys.stranger = [(await generateKeyPair("RS256")).privateKey];
  });

  /** A server that trusts the issuers, and a count of its requests for their keys. */
  async function startServer(declared?: string) {
    let asked = 0;
    let isUp = true;
    const issuer = createServer((request, response) => {
      asked += 1;
      if (!isUp) response.statusCode = 503;
      response.setHeader("content-type", "application/json");
      const isDiscovery = request.url?.endsWith("/openid-configuration") === true;
      const discovery = { issuer: declared ?? origin, jwks_uri: `${origin}/keys` };
      response.end(JSON.stringify(isDiscovery ? discovery : jwks.RS256));
    });
    await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void issuer.close());
    const { port } = issuer.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const data = Buffer.from(JSON.stringify(jwks.ES256)).toString("base64");
    const server = await startTestServer({
      functions: { functionsDir: FOLDER },
      givenEnv: {
        JWKS_DATA_URI: `data:application/json;base64,${data}`,
        JWKS_URL: `${origin}/keys`,
        OIDC_DOMAIN: origin,
      },
    });
    const setUp = (value: boolean) => void (isUp = value);
    return { server, issuer: origin, asked: () => asked, setUp };
  }

  const CLAIMS = { iss: "https://served-keys.example", aud: "chat", sub: "ada" };
  interface Signing {
    readonly alg?: "ES256" | "RS256";
    readonly key?: CryptoKey | undefined;
    readonly expiresIn?: string | null;
    readonly kid?: string | undefined;
    readonly issuedAt?: number;
  }
  function token(changes: JWTPayload = {}, signing: Signing = {}): Promise<string> {
    const { alg = "RS256", expiresIn = "5m" } = signing;
    const kid = "kid" in signing ? signing.kid : `key of ${alg}`;
    const header = { alg, typ: "JWT", ...(kid !== undefined && { kid }) };
    const key = "key" in signing ? signing.key : keys[alg][0];
    if (key === undefined) throw new Error("no key");
    const jwt = new SignJWT({ ...CLAIMS, ...changes }).setIssuedAt(signing.issuedAt);
    if (expiresIn !== null) jwt.setExpirationTime(expiresIn);
    return jwt.setProtectedHeader(header).sign(key);
  }

  test("are believed with keys at an address or in a data URI, over HTTP and the socket", async () => {
    const { server, asked } = await startServer();
    const claims = { email: "ada@mail.example", properties: { team: "blue", level: 3 } };
    const http = newHttpClient(server);
    http.setAuth(await token(claims));
    expect(await http.query(caller.identity, {})).toEqual({
      issuer: CLAIMS.iss,
      subject: "ada",
      tokenIdentifier: `${CLAIMS.iss}|ada`,
      email: "ada@mail.example",
      "properties.team": "blue",
      "properties.level": 3,
    });
    const inUri = await token({ iss: "https://embedded-keys.example" }, { alg: "ES256" });
    const client = newClient(server);
    client.setAuth(async () => inUri);
    expect(await client.query(caller.identity, {})).toMatchObject({ subject: "ada" });
    http.setAuth(await token({ sub: "ben" }));
    expect(await http.query(caller.identity, {})).toMatchObject({ subject: "ben" });
    expect(asked()).toBe(1);
  });

  test("need no audience when the provider names none, and a list with ours when it does", async () => {
    const { server } = await startServer();
    const http = newHttpClient(server);
    http.setAuth(await token({ iss: "https://no-audience.example", aud: undefined }));
    expect(await http.query(caller.identity, {})).toMatchObject({ subject: "ada" });
    http.setAuth(await token({ aud: ["other", "chat"] }));
    expect(await http.query(caller.identity, {})).toMatchObject({ subject: "ada" });
  });

  test("an OIDC provider is believed only while it calls itself what it is called here", async () => {
    const honest = await startServer();
    const http = newHttpClient(honest.server);
    http.setAuth(await token({ iss: honest.issuer }));
    expect(await http.query(caller.identity, {})).toMatchObject({ subject: "ada" });
    http.setAuth(await token({ iss: honest.issuer, aud: ["chat", "other"] }));
    await expect(http.query(caller.identity, {})).rejects.toThrow("exactly one audience");
    const other = await startServer("https://evil.example");
    const refused = newHttpClient(other.server);
    refused.setAuth(await token({ iss: other.issuer }));
    await expect(refused.query(caller.identity, {})).rejects.toThrow("discovery disagrees");
  });

  test("that do not answer keep their people waiting, and sign nobody out", async () => {
    const { server, setUp } = await startServer();
    const value = await token();
    const http = newHttpClient(server);
    http.setAuth(value);
    const authenticate = async () => {
      const wire = await WireClient.connect(server.origin);
      wire.send({ type: "Authenticate", tokenType: "User", value, baseVersion: 0 });
      return wire;
    };
    setUp(false);
    const refused = await authenticate();
    expect(await refused.untilClosed()).toBe(1013);
    expect(refused.frames).toEqual([]);
    await expect(http.query(caller.identity, {})).rejects.toThrow("did not answer");
    const headers = { Authorization: `Bearer ${value}` };
    const answer = await fetch(`${server.origin}/api/query?path=caller:identity`, { headers });
    expect(answer.status).toBe(503);
    setUp(true);
    const { endVersion } = await (await authenticate()).untilType("Transition");
    expect(endVersion).toMatchObject({ identity: 1 });
    expect(await http.query(caller.identity, {})).toMatchObject({ subject: "ada" });
  });

  test("that send something other than JSON have not answered; one whose keys are none is not believed", async () => {
    const { iss: issuer, aud: applicationID } = CLAIMS;
    const provider = { type: "customJwt", issuer, applicationID, jwks: "https://keys.example" };
    const value = await token();
    const refusal = (answer: Response) =>
      new TokenVerifier([provider], async () => answer)
        .verify(value)
        .catch((error: unknown) => error);
    const brokenOff = new ReadableStream({
      pull: (controller) => controller.error(new Error("terminated")),
    });
    for (const answer of [new Response("<html>"), Response.json(null), new Response(brokenOff)]) {
      expect(await refusal(answer)).toBeInstanceOf(IssuerUnavailableError);
    }
    expect(await refusal(Response.json({ keys: "none" }))).toMatchObject({
      code: "InvalidAuthHeader",
    });
  });

  test("are asked anew once the environment has changed, also by who was asking meanwhile", async () => {
    let answer = (_keys: object): void => undefined;
    let asked = 0;
    const { iss: issuer, aud: applicationID } = CLAIMS;
    const provider = { type: "customJwt", issuer, applicationID, jwks: "https://keys.example" };
    const verifier = new TokenVerifier([provider], () => {
      asked += 1;
      return new Promise((resolve) => (answer = (keys) => resolve(Response.json(keys))));
    });
    // The same one: it is believed no longer, either.
    const given = await token();
    const before = verifier.verify(given);
    verifier.reset();
    answer(jwks.RS256);
    expect(await before).toMatchObject({ kind: "user" });
    const after = verifier.verify(given);
    expect(asked).toBe(2);
    answer({ keys: [] });
    await expect(after).rejects.toThrow("Could not verify");
  });

  test("are asked anew, but not again and again, for a key that they did not have the last time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    let [asked, served, isUp] = [0, jwks.ES256, true];
    const { iss: issuer, aud: applicationID } = CLAIMS;
    const provider = { type: "customJwt", issuer, applicationID, jwks: "https://keys.example" };
    const verifier = new TokenVerifier([provider], async () => {
      asked += 1;
      return isUp ? Response.json(served) : new Response(null, { status: 503 });
    });
    const refused = async () => {
      await expect(verifier.verify(await token())).rejects.toThrow("no applicable key");
      return asked;
    };
    expect(await refused()).toBe(1);
    expect(await refused()).toBe(1);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await refused()).toBe(2);
    served = jwks.RS256;
    expect(await refused()).toBe(2);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await verifier.verify(await token())).toMatchObject({ kind: "user" });
    expect(asked).toBe(3);
    // The keys it had are good while it is away, and all who name another one wait for one request.
    vi.setSystemTime(Date.now() + 60_000);
    isUp = false;
    const another = await token({}, { kid: "another" });
    const answers = await Promise.allSettled([verifier.verify(another), verifier.verify(another)]);
    expect([asked, ...answers.map(({ status }) => status)]).toEqual([4, "rejected", "rejected"]);
    const ben = await verifier.verify(await token({ sub: "ben" }));
    expect([asked, ben.kind]).toEqual([4, "user"]);
    isUp = true;
    served = { keys: jwks.RS256.keys.map((key) => ({ ...key, kid: "another" })) };
    expect(await verifier.verify(another)).toMatchObject({ kind: "user" });
    expect(asked).toBe(5);
  });

  test("serve their keys as JSON: others are not believed, nor custom ones that name no type", async () => {
    const { iss: issuer, aud: applicationID } = CLAIMS;
    const custom = { type: "customJwt", issuer, applicationID, jwks: "https://keys.example" };
    const verify = async (type: string | null) => {
      const answer = async () => served(jwks.RS256, type);
      return new TokenVerifier([custom], answer).verify(await token());
    };
    for (const type of ["application/json", "application/jwk-set+json; charset=utf-8"]) {
      expect(await verify(type)).toMatchObject({ kind: "user" });
    }
    await expect(verify("text/plain")).rejects.toThrow("serves its JSON as text/plain");
    await expect(verify(null)).rejects.toThrow("serves its JSON as no type");
    const verifyOidc = async (type: string | null) =>
      newOidcVerifier(CLAIMS.iss, type).verify(await token());
    expect(await verifyOidc(null)).toMatchObject({ kind: "user" });
    await expect(verifyOidc("text/plain")).rejects.toThrow("serves its JSON as text/plain");
  });

  function served(body: object, type: string | null): Response {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return new Response(bytes, { headers: type === null ? {} : { "content-type": type } });
  }

  test("of OIDC providers call themselves to the letter what their tokens call them", async () => {
    const verifier = newOidcVerifier(`${CLAIMS.iss}/`);
    const slashed = await token({ iss: `${CLAIMS.iss}/` });
    expect(await verifier.verify(slashed)).toMatchObject({ kind: "user" });
    await expect(verifier.verify(await token())).rejects.toThrow("discovery disagrees");
  });

  test("of custom issuers name their key, even when there is only one", async () => {
    const unnamed = await token({}, { kid: undefined });
    await expect(newVerifier().verify(unnamed)).rejects.toThrow("not name its key");
    expect(await newOidcVerifier().verify(unnamed)).toMatchObject({ kind: "user" });
  });

  /** Verifies tokens of an OIDC provider. */
  function newOidcVerifier(
    declared = CLAIMS.iss,
    type: string | null = "application/json",
    ownIssuer: string | null = null,
  ): TokenVerifier {
    const provider = { domain: CLAIMS.iss, applicationID: CLAIMS.aud };
    const discovery = { issuer: declared, jwks_uri: "https://keys.example" };
    const fetchUrl = async (url: string) =>
      served(url.endsWith("configuration") ? discovery : jwks.RS256, type);
    return new TokenVerifier([provider], fetchUrl, ownIssuer);
  }

  test("of OIDC providers tell functions the person's claims as texts, and nothing of the token's own", async () => {
    const given = { given_name: "Ada", updated_at: 1_700_000_000, team: ["blue"], azp: "an app" };
    const address = { formatted: "1 Long Lane", country: "UK" };
    const verifier = newOidcVerifier();
    const identity = await verifier.verify(await token({ ...given, address, auth_time: 5 }));
    if (identity.kind !== "user") throw new Error("no user");
    expect(JSON.parse(JSON.stringify(identity.attributes))).toEqual({
      issuer: CLAIMS.iss,
      subject: "ada",
      tokenIdentifier: `${CLAIMS.iss}|ada`,
      givenName: "Ada",
      updatedAt: "2023-11-14T22:13:20+00:00",
      address: "1 Long Lane",
      team: ["blue"],
    });
    const odd = await verifier.verify(await token({ updated_at: 1e15, address: "1 Long Lane" }));
    expect(JSON.stringify(odd)).not.toMatch(/updatedAt|address/);
  });

  test("call each person what they like; only the deployment's own name the session as well", async () => {
    const people = async (ownIssuer: string | null) => {
      const verifier = newOidcVerifier(CLAIMS.iss, "application/json", ownIssuer);
      const tokens = await Promise.all(["ada|1", "ada|2"].map((sub) => token({ sub })));
      return new Set(
        (await Promise.all(tokens.map((each) => verifier.verify(each)))).map(personKey),
      );
    };
    expect((await people(null)).size).toBe(2);
    expect((await people(CLAIMS.iss)).size).toBe(1);
  });

  test("may give any name to a claim of their own", async () => {
    const named = await token({ constructor: "Ada Ltd", valueOf: 7 });
    const identity = await newOidcVerifier().verify(named);
    expect(identity).toMatchObject({ attributes: { constructor: "Ada Ltd", valueOf: 7 } });
  });

  /** Verifies tokens of an issuer whose key set has keys of both kinds, and whose tokens must be signed with RS256. */
  function newVerifier(): TokenVerifier {
    const all = Object.values(jwks).flatMap(({ keys }) => keys);
    const data = encodeURIComponent(JSON.stringify({ keys: all }));
    const { iss: issuer, aud: applicationID } = CLAIMS;
    const provider = { type: "customJwt", issuer, applicationID, algorithm: "RS256" } as const;
    return new TokenVerifier([{ ...provider, jwks: `data:application/json,${data}` }], fetch);
  }

  test("have the algorithm that the provider names, whatever keys there are", async () => {
    const verifier = newVerifier();
    await verifier.verify(await token());
    const other = verifier.verify(await token({}, { alg: "ES256" }));
    await expect(other).rejects.toThrow("Could not verify");
  });

  test.each(["data:text/plain;charset=utf-8;base64,", "data:;base64,", "data:application/json,"])(
    "are believed with keys in a URI that begins with %s",
    async (start) => {
      const text = JSON.stringify(jwks.RS256);
      const isBase64 = start.endsWith(";base64,");
      const data = isBase64 ? Buffer.from(text).toString("base64") : encodeURIComponent(text);
      const { iss: issuer, aud: applicationID } = CLAIMS;
      const provider = { type: "customJwt", issuer, applicationID, jwks: start + data } as const;
      const identity = await new TokenVerifier([provider], fetch).verify(await token());
      expect(identity).toMatchObject({ kind: "user" });
    },
  );

  test("are not believed after their end, also when they were before", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const verifier = newVerifier();
    const given = await token();
    await verifier.verify(given);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    await expect(verifier.verify(given)).rejects.toThrow("Could not verify");
  });

  test("of custom issuers are believed five seconds longer, those of OIDC providers to their end", async () => {
    const ended = await token({}, { expiresIn: "-3s" });
    expect(await newVerifier().verify(ended)).toMatchObject({ kind: "user" });
    await expect(newOidcVerifier().verify(ended)).rejects.toThrow("Could not verify");
  });

  test("of custom issuers may be three seconds ahead of our clock, and not ten", async () => {
    const aheadBy = (seconds: number): Promise<string> =>
      token({}, { issuedAt: Math.floor(Date.now() / 1000) + seconds });
    const verifier = newVerifier();
    expect(await verifier.verify(await aheadBy(3))).toMatchObject({ kind: "user" });
    await expect(verifier.verify(await aheadBy(10))).rejects.toThrow("issued in the future");
    expect(await newOidcVerifier().verify(await aheadBy(10))).toMatchObject({ kind: "user" });
  });

  /** Invalid tokens, and why. */
  const FORGERIES: readonly [string, () => Promise<string>, RegExp][] = [
    ["unknown issuer", () => token({ iss: "https://evil.example" }), /No auth provider found/],
    ["another audience", () => token({ aud: "somebody" }), /No auth provider found/],
    ["no audience", () => token({ aud: undefined }), /No auth provider found/],
    ["somebody else's key", () => token({}, { key: keys.stranger[0] }), /Could not verify/],
    ["another issuer's algorithm", () => token({}, { alg: "ES256" }), /Could not verify/],
    ["no subject", () => token({ sub: undefined }), /Could not verify/],
    ["expired", () => token({}, { expiresIn: "-6s" }), /Could not verify/],
    ["no end", () => token({}, { expiresIn: null }), /Could not verify/],
    ["no signature", unsigned, /Could not verify/],
  ];
  async function unsigned(): Promise<string> {
    const [, body = ""] = (await token()).split(".");
    return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`;
  }

  test("refuse every forgery, over HTTP and on the socket", async () => {
    const { server } = await startServer();
    for (const [name, make, message] of FORGERIES) {
      const forged = await make();
      const http = newHttpClient(server);
      http.setAuth(forged);
      await expect(http.query(caller.identity, {}), name).rejects.toThrow(message);
      const wire = await WireClient.connect(server.origin);
      wire.send({ type: "Authenticate", tokenType: "User", value: forged, baseVersion: 0 });
      await wire.untilClosed();
      const last = wire.frames.at(-1);
      expect([name, last]).toMatchObject([name, { type: "AuthError", authUpdateAttempted: true }]);
    }
  });
});

describe("the caller's address", () => {
  const start = (trustedProxy: string | null) =>
    startTestServer({ functions: { functionsDir: FOLDER }, trustedProxy });

  /** The address, or the browser, a mutation sees, over HTTP and over the socket, with these headers. */
  async function addressesWith(
    server: { origin: string },
    headers: Record<string, string>,
    asked: "address" | "browser" = "address",
  ): Promise<(string | null)[]> {
    const answer = await fetch(`${server.origin}/api/mutation`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ path: `caller:${asked}`, args: {}, format: "json" }),
    });
    const overHttp = ((await answer.json()) as { value: string | null }).value;
    class ProxiedSocket extends WebSocket {
      constructor(url: string) {
        super(url, { headers });
      }
    }
    const constructor = ProxiedSocket as unknown as typeof globalThis.WebSocket;
    const client = newClient(server, { webSocketConstructor: constructor });
    return [overHttp, await client.mutation(caller[asked], {})];
  }

  const FORWARDED = { "x-forwarded-for": "198.51.100.9, 203.0.113.7" };
  const both = (address: string) => [address, address];

  test("is the one that the trusted proxy saw, its own when it says nothing", async () => {
    const server = await start("127.0.0.1");
    expect(await addressesWith(server, FORWARDED)).toEqual(both("203.0.113.7"));
    const ipv6 = { "x-forwarded-for": "2001:db8::7" };
    expect(await addressesWith(server, ipv6)).toEqual(both("2001:db8::7"));
    expect(await addressesWith(server, {})).toEqual(both("127.0.0.1"));
    // A client may send so many headers that the proxy's is the last of them.
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`a${at.toString(36)}`, ""]),
    );
    const behindMany = await addressesWith(server, { ...many, ...FORWARDED });
    expect(behindMany).toEqual(both("203.0.113.7"));
    const other = { "x-real-ip": "203.0.113.7", forwarded: "for=203.0.113.7" };
    expect(await addressesWith(server, other)).toEqual(both("127.0.0.1"));
  });

  test("is told with the browser, also to HTTP actions", async () => {
    const server = await start("127.0.0.1");
    const headers = { ...FORWARDED, "user-agent": "a browser" };
    expect(await addressesWith(server, headers, "browser")).toEqual(both("a browser"));
    const answer = await fetch(`${server.origin}/caller`, { headers });
    expect(await answer.json()).toMatchObject({ ip: "203.0.113.7", userAgent: "a browser" });
  });

  test.each([
    ["when nobody is trusted", null],
    ["when that is not the proxy", "192.0.2.1"],
  ])("is the connection's %s, whatever headers say", async (_, trustedProxy) => {
    const server = await start(trustedProxy);
    expect(await addressesWith(server, FORWARDED)).toEqual(both("127.0.0.1"));
  });
});
