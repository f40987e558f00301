/**
 * The caller's identity: anonymous, a user with a verified token, or the deployment's administrator.
 *
 * Not here: verifying tokens (tokens).
 */
import type { JSONValue } from "convex/values";

/** The result of `ctx.auth.getUserIdentity()`, as encoded JSON. */
export type IdentityAttributes = { readonly tokenIdentifier: string } & Readonly<
  Record<string, JSONValue | undefined>
>;

export type Identity =
  | { readonly kind: "none" }
  | {
      readonly kind: "user";
      readonly attributes: IdentityAttributes;
      /** Who it is, in whatever session: limits are per person. */
      readonly person: string;
      readonly token: string;
      /** Seconds since epoch, from the token's `exp`. */
      readonly expiresAtS: number;
    }
  | {
      readonly kind: "admin";
      /** Set when the administrator acts as a user. */
      readonly attributes: IdentityAttributes | null;
    }
  /** HTTP actions run even with a bad token; reading the identity then throws. */
  | { readonly kind: "invalid"; readonly message: string };

export const NO_IDENTITY: Identity = { kind: "none" };

/** A string that is equal for identities that functions cannot distinguish. */
export function identityKey(identity: Identity): string {
  switch (identity.kind) {
    case "none":
      // Never empty: the key of an anonymous caller's personal result must differ from the key shared by
      // everyone.
      return "n";
    case "user":
      return `u${JSON.stringify(identity.attributes)}`;
    case "admin":
      return `a${JSON.stringify(identity.attributes)}`;
    case "invalid":
      return "i";
  }
}

/** A string that stays equal for the same session across token refreshes: part of the key of resent mutations. */
export function sessionKey(identity: Identity): string {
  switch (identity.kind) {
    case "user":
      return `u${identity.attributes.tokenIdentifier}`;
    case "admin":
      return `a${personOf(identity)}`;
    case "none":
    case "invalid":
      return "";
  }
}

/** A string that is equal for all sessions of one person, who share their limits; empty for strangers. */
export const personKey = (identity: Identity): string =>
  identity.kind === "user" ? `u${identity.person}` : sessionKey(identity);

/** The person; empty for strangers. Not made anew for each call, as `personKey` is. */
export function personOf(identity: Identity): string {
  if (identity.kind === "user") return identity.person;
  return identity.kind === "admin" ? (identity.attributes?.tokenIdentifier ?? "") : "";
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
