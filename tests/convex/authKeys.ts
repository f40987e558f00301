/** Keys for signing tokens in tests, and calls of `auth:signIn`. */
import { vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Backend } from "./support";

let privateKeyPem: string | null = null;

async function newPrivateKeyPem(): Promise<string> {
  const pair = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `-----BEGIN PRIVATE KEY-----\n${base64.match(/.{1,64}/gu)?.join("\n")}\n-----END PRIVATE KEY-----`;
}

/** Sets the keys that the auth library needs to sign tokens. */
export async function stubAuthKeys(): Promise<void> {
  privateKeyPem ??= await newPrivateKeyPem();
  vi.stubEnv("JWT_PRIVATE_KEY", privateKeyPem);
  vi.stubEnv("CONVEX_SITE_URL", "https://bank.example");
}

type Tokens = { token: string; refreshToken: string };

/** The subject of a token: user and session. */
export function subjectOf(token: string): string {
  const [, payload = ""] = token.split(".");
  const json = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  return (JSON.parse(json) as { sub: string }).sub;
}

type Flow = "signIn" | "signUp";
type Extra = Record<string, string | number | boolean | null>;

/** Signs in or up with a password; throws the server's refusal. */
export async function enter(
  t: Pick<Backend, "action">,
  flow: Flow,
  email: string,
  password: string,
  extra: Extra = {},
): Promise<Tokens> {
  const params = { flow, email, password, ...extra };
  const { tokens } = await t.action(api.auth.signIn, { provider: "password", params });
  if (tokens === null) throw new Error("No tokens");
  return tokens;
}

/** The client of the person and session that a token names. */
export const clientOf = (t: Backend, tokens: Tokens) =>
  t.withIdentity({ subject: subjectOf(tokens.token) });
