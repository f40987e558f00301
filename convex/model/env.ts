/**
 * The deployment's environment: read and checked here and nowhere else.
 *
 * Not here: the variables that only the auth library reads (JWT_PRIVATE_KEY, JWKS, CONVEX_SITE_URL).
 */

/** The part of Node that Convex gives functions; convex/tsconfig.json has no Node types. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const KEY_LENGTH_MIN = 16;

function secret(name: "OTP_HMAC_KEY" | "OTP_ENC_KEY"): string {
  const value = process.env[name] ?? "";
  if (value.length < KEY_LENGTH_MIN) {
    throw new Error(`${name} must be set to at least ${KEY_LENGTH_MIN} characters`);
  }
  return value;
}

/** Key of the HMACs that find one-time codes and addresses without storing them. */
export const otpHmacKey = (): string => secret("OTP_HMAC_KEY");

/** Key that encrypts one-time codes for the admin list. */
export const otpEncryptionKey = (): string => secret("OTP_ENC_KEY");

/** Origin of the product's pages; null when SITE_URL is not set. */
export function siteOrigin(): string | null {
  const url = process.env.SITE_URL ?? "";
  return url === "" ? null : new URL(url).origin;
}

/** True when the deployment says on every page that it is a demonstration. */
export const isDemo = (): boolean => process.env.DEMO === "1";

/** E-mail of the one protected account (spec section 5 "Reset"); "" when there is none. */
export const protectedAccountEmail = (): string => process.env.PROTECTED_ACCOUNT_EMAIL ?? "";

/** HTTP address and key of the mail provider; null when none is configured. */
export function mailProvider(): { url: string; apiKey: string } | null {
  const url = process.env.MAIL_API_URL ?? "";
  return url === "" ? null : { url, apiKey: process.env.MAIL_API_KEY ?? "" };
}
