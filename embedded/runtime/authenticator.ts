/** Turns credentials (tokens and the admin key) into identities. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { JSONValue } from "convex/values";
import { NO_IDENTITY, type Identity } from "./identity.ts";
import { isJsonObject } from "./safeJson.ts";
import { TokenError, type TokenVerifier } from "./tokens.ts";

/** One per backend. It holds only digests of the admin keys. */
export class Authenticator {
  private readonly tokens: TokenVerifier;
  private readonly adminKeyDigests: readonly Buffer[];

  /** Without admin keys this deployment has no administrator. */
  constructor(tokens: TokenVerifier, adminKeys: readonly string[]) {
    this.tokens = tokens;
    this.adminKeyDigests = adminKeys.map(digest);
  }

  /** @throws TokenError when the token is not valid */
  userFromToken(token: string): Promise<Identity> {
    return this.tokens.verify(token);
  }

  /** Compares in constant time. `actingAs` are the attributes of a user. @throws TokenError */
  adminFromKey(key: string, actingAs: Readonly<Record<string, JSONValue>> | null): Identity {
    const given = digest(key);
    if (!this.adminKeyDigests.some((known) => timingSafeEqual(given, known))) {
      throw new TokenError("BadAdminKey", "The provided admin key was invalid for this instance");
    }
    if (actingAs === null) return { kind: "admin", attributes: null };
    const { tokenIdentifier } = actingAs;
    const textOf = (name: string): string => {
      const value = actingAs[name];
      return typeof value === "string" ? value : "";
    };
    const identifier =
      typeof tokenIdentifier === "string"
        ? tokenIdentifier
        : `${textOf("issuer")}|${textOf("subject")}`;
    return { kind: "admin", attributes: { ...actingAs, tokenIdentifier: identifier } };
  }

  /**
   * The identity of an `Authorization` header: `Bearer <token>`, `Convex <key>` or `Convex <key>:<base64 JSON
   * of a user>`; `none` without a header.
   *
   * @throws TokenError for anything else and for invalid credentials
   */
  async fromHeader(header: string | undefined): Promise<Identity> {
    if (header === undefined || header === "") return NO_IDENTITY;
    const [scheme = "", ...rest] = header.split(" ");
    const value = rest.join(" ").trim();
    if (scheme.toLowerCase() === "bearer") return this.userFromToken(value);
    if (scheme.toLowerCase() !== "convex") {
      throw new TokenError("InvalidAuthHeader", "The Authorization header is not supported");
    }
    const colon = value.lastIndexOf(":");
    if (colon < 0) return this.adminFromKey(value, null);
    let actingAs: unknown = null;
    try {
      actingAs = JSON.parse(Buffer.from(value.slice(colon + 1), "base64").toString());
    } catch {
      // Refused like JSON of another kind.
    }
    if (!isJsonObject(actingAs)) {
      throw new TokenError("InvalidAuthHeader", "Malformed identity to act as");
    }
    return this.adminFromKey(value.slice(0, colon), actingAs);
  }
}

/** Digests have equal lengths, so the comparison does not reveal the key's length. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
