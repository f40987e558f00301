/**
 * Who is calling: nobody, a user with a verified token, or the deployment's administrator.
 *
 * Not here: verifying tokens (tokens).
 */
import type { JSONValue } from "convex/values";

/** What `ctx.auth.getUserIdentity()` answers, as encoded JSON. */
export type IdentityAttributes = { readonly tokenIdentifier: string } & Readonly<
  Record<string, JSONValue | undefined>
>;

export type Identity =
  | { readonly kind: "none" }
  | {
      readonly kind: "user";
      readonly attributes: IdentityAttributes;
      readonly token: string;
      /** Seconds since epoch, from the token's `exp`. */
      readonly expiresAtS: number;
    }
  | {
      readonly kind: "admin";
      /** Set when the administrator acts as a user. */
      readonly attributes: IdentityAttributes | null;
    }
  /** HTTP actions run even with a bad token; asking for the identity then throws. */
  | { readonly kind: "invalid"; readonly message: string };

export const NO_IDENTITY: Identity = { kind: "none" };

/** A string equal for identities that functions cannot tell apart. */
export function identityKey(identity: Identity): string {
  switch (identity.kind) {
    case "none":
      // Never empty: what nobody was shown is nobody's own, and must not be found by everyone.
      return "n";
    case "user":
      return `u${JSON.stringify(identity.attributes)}`;
    case "admin":
      return `a${JSON.stringify(identity.attributes)}`;
    case "invalid":
      return "i";
  }
}

/** A string equal for the same person over token refreshes: the key of re-sent mutations. */
export function personKey(identity: Identity): string {
  switch (identity.kind) {
    case "user":
      return `u${identity.attributes.tokenIdentifier}`;
    case "admin":
      return `a${identity.attributes?.tokenIdentifier ?? ""}`;
    case "none":
    case "invalid":
      return "";
  }
}

/** True once the token's lifetime has passed. */
export function isExpired(identity: Identity, nowMs: number): boolean {
  return identity.kind === "user" && nowMs >= identity.expiresAtS * 1000;
}

/** The encoded answer of `getUserIdentity`. @throws Error for a bad token. */
export function identityJson(identity: Identity): string {
  switch (identity.kind) {
    case "none":
      return "null";
    case "invalid":
      throw new Error(identity.message);
    case "user":
    case "admin":
      return JSON.stringify(identity.attributes ?? null);
  }
}
