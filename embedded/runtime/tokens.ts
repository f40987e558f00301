/**
 * Verifies JSON Web Tokens for the providers in `auth.config`: OIDC issuers (discovery, then JWKS) and custom
 * JWT issuers. The keys of the deployment's own issuer are read in process, never over the network.
 *
 * Not here: admin keys (authenticator), what functions see of a token (claims).
 */
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from "jose";
import { messageOf } from "../storage/errorText.ts";
import { customClaims, oidcClaims } from "./claims.ts";
import type { Identity, IdentityAttributes } from "./identity.ts";
import type { AuthProviderJson } from "./modules.ts";
import { isJsonObject } from "./safeJson.ts";

/** A token was rejected. `code` is the official name of the reason. */
export class TokenError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The token could not be checked because its issuer does not respond. Try again. */
export class IssuerUnavailableError extends TokenError {
  constructor(url: string) {
    super("AuthProviderDiscoveryFailed", `Auth provider did not answer at ${url}`);
  }
}

type IssuerKeys = Map<string, { key: JWTVerifyGetKey; untilMs: number }>;

const JWKS_LIFE_MS = 10 * 60 * 1000;
/** Keys older than this are asked for anew when a token names another one: the issuer may have changed its keys. */
const JWKS_SURE_MS = 30 * 1000;
const VERIFIED_TOKENS_MAX = 2000;
const TOKEN_MAX_CHARS = 16_384;
const CUSTOM_JWT_LEEWAY_S = 5;
/** What an issuer's answers may be served as; others are refused, as on the real backend. */
const JSON_TYPE = /^application\/(?:jwk-set\+)?json\s*(?:;|$)/i;
const UNTYPED = "no type";

function normaliseIssuer(issuer: string): string {
  const withScheme = /^https?:\/\//.test(issuer) ? issuer : `https://${issuer}`;
  return withScheme.replace(/\/$/, "");
}

function audiences(payload: JWTPayload): readonly string[] {
  if (payload.aud === undefined) return [];
  return Array.isArray(payload.aud) ? payload.aud : [payload.aud];
}

/**
 * A token must have `exp` and `sub` (RFC 7519, section 4.1). Keys are cached for ten minutes, or until a token
 * names another key; verified tokens until they expire or `reset`.
 */
export class TokenVerifier {
  private readonly providers: readonly AuthProviderJson[];
  private readonly fetchUrl: (url: string) => Promise<Response>;
  private readonly ownIssuer: string | null;
  private keys: IssuerKeys = new Map();
  private verified = new Map<string, Extract<Identity, { kind: "user" }>>();

  /**
   * @param fetchUrl answers requests to the own issuer in process
   * @param ownIssuer origin under which this deployment issues tokens itself, if it does
   */
  constructor(
    providers: readonly AuthProviderJson[],
    fetchUrl: (url: string) => Promise<Response>,
    ownIssuer: string | null = null,
  ) {
    this.providers = providers;
    this.fetchUrl = fetchUrl;
    this.ownIssuer = ownIssuer;
  }

  /** Drops cached keys and verified tokens, because the environment they came from has changed. */
  reset(): void {
    // New maps: verifications in progress then fill the old ones.
    this.keys = new Map();
    this.verified = new Map();
  }

  /** The identity a token proves. @throws TokenError, or its subclass IssuerUnavailableError */
  async verify(token: string): Promise<Identity> {
    const { verified } = this;
    const known = verified.get(token);
    if (known !== undefined && Date.now() < known.expiresAtS * 1000) return known;
    const identity = await this.verifyAnew(token);
    if (verified.size >= VERIFIED_TOKENS_MAX) {
      for (const oldest of verified.keys()) {
        verified.delete(oldest);
        break;
      }
    }
    verified.set(token, identity);
    return identity;
  }

  private async verifyAnew(token: string): Promise<Extract<Identity, { kind: "user" }>> {
    if (token.length > TOKEN_MAX_CHARS) throw new TokenError("InvalidAuthHeader", "Token too long");
    const claimed = this.decode(token);
    const provider = this.providerFor(claimed);
    const isCustom = provider.type === "customJwt";
    let payload: JWTPayload;
    try {
      if (isCustom && decodeProtectedHeader(token).kid === undefined) {
        throw new Error("it does not name its key (`kid`)");
      }
      const key = isCustom ? await this.customKeys(provider) : await this.oidcKeys(claimed.iss);
      const verified = await jwtVerify(token, key, {
        algorithms: isCustom ? [provider.algorithm ?? "RS256"] : ["RS256", "EdDSA"],
        requiredClaims: ["exp", "sub"],
        clockTolerance: isCustom ? CUSTOM_JWT_LEEWAY_S : 0,
      });
      payload = verified.payload;
      // As on the real backend: jose looks at this claim only where tokens have a greatest age.
      if (isCustom && (payload.iat ?? 0) > Date.now() / 1000 + CUSTOM_JWT_LEEWAY_S) {
        throw new Error("it was issued in the future");
      }
    } catch (error) {
      if (error instanceof TokenError) throw error;
      throw new TokenError("InvalidAuthHeader", `Could not verify token: ${messageOf(error)}`);
    }
    const issuer = claimed.iss;
    const subject = payload.sub ?? "";
    const expiresAtS = payload.exp ?? 0;
    const tokenIdentifier = `${issuer}|${subject}`;
    const attributes: IdentityAttributes = {
      ...(isCustom ? customClaims(payload) : oidcClaims(payload)),
      tokenIdentifier,
      issuer,
      subject,
    };
    // The auth library's tokens name person and session. Other issuers may use the same sign for something else. No new
    // text, because each connection keeps it.
    const person = issuer === this.ownIssuer ? (subject.split("|")[0] ?? "") : tokenIdentifier;
    return { kind: "user", attributes, person, token, expiresAtS };
  }

  private decode(token: string): JWTPayload & { iss: string } {
    let payload: JWTPayload;
    try {
      payload = decodeJwt(token);
    } catch {
      throw new TokenError("InvalidAuthHeader", "Could not parse as id token");
    }
    if (typeof payload.iss !== "string") {
      throw new TokenError("InvalidAuthHeader", "Missing issuer in token payload");
    }
    return { ...payload, iss: payload.iss };
  }

  private providerFor(payload: JWTPayload & { iss: string }): AuthProviderJson {
    const issuer = normaliseIssuer(payload.iss);
    const given = audiences(payload);
    const match = this.providers.find((provider) => {
      const declared = provider.type === "customJwt" ? provider.issuer : provider.domain;
      if (declared === undefined || normaliseIssuer(declared) !== issuer) return false;
      if (provider.applicationID === undefined) return provider.type === "customJwt";
      return given.includes(provider.applicationID);
    });
    if (match === undefined) {
      throw new TokenError("NoAuthProvider", "No auth provider found matching the given token");
    }
    if (match.type !== "customJwt" && given.length !== 1) {
      throw new TokenError("InvalidAuthHeader", "The token must have exactly one audience");
    }
    return match;
  }

  private oidcKeys(issuer: string): Promise<JWTVerifyGetKey> {
    return this.cached(issuer, async () => {
      const base = normaliseIssuer(issuer);
      const discovery = await this.fetchJson(`${base}/.well-known/openid-configuration`);
      const { issuer: declared, jwks_uri: jwksUri } = discovery;
      // To the letter: a slash too many is refused on the real backend.
      if (declared !== issuer) {
        throw new TokenError("AuthProviderDiscoveryFailed", "The issuer's discovery disagrees");
      }
      if (typeof jwksUri !== "string") {
        throw new TokenError("AuthProviderDiscoveryFailed", "The issuer names no keys");
      }
      return this.fetchJson(jwksUri);
    });
  }

  private customKeys(provider: AuthProviderJson): Promise<JWTVerifyGetKey> {
    const jwks = provider.jwks ?? "";
    return this.cached(jwks, async () => {
      if (!jwks.startsWith("data:")) return this.fetchJson(jwks, UNTYPED);
      // Of any type: Convex's own documentation has `text/plain`. Nothing is sent for a data URI.
      const content = await fetch(jwks);
      return (await content.json()) as Record<string, unknown>;
    });
  }

  private async cached(
    name: string,
    load: () => Promise<Record<string, unknown>>,
  ): Promise<JWTVerifyGetKey> {
    const { keys } = this;
    const known = keys.get(name);
    if (known !== undefined && Date.now() < known.untilMs) return known.key;
    return this.loadedInto(keys, name, load);
  }

  private async loadedInto(
    keys: IssuerKeys,
    name: string,
    load: () => Promise<Record<string, unknown>>,
  ): Promise<JWTVerifyGetKey> {
    // jose checks the shape itself and throws when it is not a key set.
    const keySet = createLocalJWKSet((await load()) as unknown as JSONWebKeySet);
    const loadedMs = Date.now();
    let newer: Promise<JWTVerifyGetKey> | null = null;
    const key: JWTVerifyGetKey = async (...asked) => {
      try {
        return await keySet(...asked);
      } catch (error) {
        // Not for every such token: strangers could have the issuer asked as often as they like.
        const isSure = Math.abs(Date.now() - loadedMs) < JWKS_SURE_MS;
        if (isSure || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
        // One request for all who wait; these keys stay in use until it is answered.
        newer ??= this.loadedInto(keys, name, load).catch((failure: unknown) => {
          newer = null;
          throw failure;
        });
        return (await newer)(...asked);
      }
    };
    keys.set(name, { key, untilMs: loadedMs + JWKS_LIFE_MS });
    return key;
  }

  /** @param untyped what an answer without a type is: JSON from OIDC providers, and only from them */
  private async fetchJson(
    url: string,
    untyped = "application/json",
  ): Promise<Record<string, unknown>> {
    const response = await this.fetchUrl(url).catch(() => null);
    if (response === null || !response.ok) {
      await response?.body?.cancel();
      throw new IssuerUnavailableError(url);
    }
    // Broken off, or a page that a proxy sends in the issuer's place.
    const answer: unknown = await response.json().catch(() => null);
    if (!isJsonObject(answer)) throw new IssuerUnavailableError(url);
    const type = response.headers.get("content-type") ?? untyped;
    if (JSON_TYPE.test(type)) return answer;
    throw new TokenError("InvalidAuthHeader", `${url} serves its JSON as ${type}`);
  }
}
