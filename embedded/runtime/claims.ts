/** What functions see of a verified token's claims, by the kind of its issuer. Not here: verifying (tokens). */
import type { JWTPayload } from "jose";
import type { JSONValue } from "convex/values";
import { isJsonObject } from "./safeJson.ts";

/** Standard claims and the names under which functions see them. */
const OIDC_CLAIMS: Readonly<Record<string, string>> = {
  name: "name",
  given_name: "givenName",
  family_name: "familyName",
  nickname: "nickname",
  preferred_username: "preferredUsername",
  profile: "profileUrl",
  picture: "pictureUrl",
  website: "websiteUrl",
  email: "email",
  email_verified: "emailVerified",
  gender: "gender",
  birthdate: "birthday",
  zoneinfo: "timezone",
  locale: "language",
  phone_number: "phoneNumber",
  phone_number_verified: "phoneNumberVerified",
  address: "address",
  updated_at: "updatedAt",
};
const HIDDEN_CLAIMS = new Set([
  "iss",
  "sub",
  "aud",
  "iat",
  "exp",
  "jti",
  "nbf",
  "fva",
  "__proto__",
]);

/** Further claims about a token of an OIDC provider, not about its person. */
const HIDDEN_OIDC_CLAIMS = new Set([
  "auth_time",
  "nonce",
  "acr",
  "amr",
  "azp",
  "at_hash",
  "c_hash",
]);

/** Functions see an address as one text, and a time (seconds since epoch) as text, too. */
function asText(claim: string, value: JSONValue): JSONValue | undefined {
  if (claim === "address") return isJsonObject(value) ? value.formatted : undefined;
  if (claim !== "updated_at" || typeof value !== "number") return value;
  const time = new Date(value * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** Of an OIDC provider: standard claims under their official names, all others under their own. */
export function oidcClaims(payload: JWTPayload): Record<string, JSONValue | undefined> {
  const attributes: Record<string, JSONValue | undefined> = {};
  for (const [claim, value] of Object.entries(payload)) {
    if (HIDDEN_CLAIMS.has(claim) || HIDDEN_OIDC_CLAIMS.has(claim)) continue;
    const name = Object.hasOwn(OIDC_CLAIMS, claim) ? OIDC_CLAIMS[claim] : claim;
    attributes[name ?? claim] = asText(claim, value as JSONValue);
  }
  return attributes;
}

/** Of a custom issuer: all claims under their own names, and those of nested objects as `a.b`. */
export function customClaims(payload: JWTPayload): Record<string, JSONValue> {
  const attributes: Record<string, JSONValue> = {};
  const visit = (prefix: string, value: JSONValue): void => {
    if (!isJsonObject(value)) {
      attributes[prefix] = value;
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (inner !== undefined && key !== "__proto__") visit(`${prefix}.${key}`, inner);
    }
  };
  for (const [claim, value] of Object.entries(payload)) {
    if (!HIDDEN_CLAIMS.has(claim) && value !== undefined) visit(claim, value as JSONValue);
  }
  return attributes;
}
