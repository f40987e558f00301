/**
 * Checks the environment before anything is opened. A setting that no start can use, or that is unsafe on a
 * server for real people (`DEMO=0`), is refused with one clear line, never repaired.
 *
 * Not here: keys generated at the first start (embedded/server/secrets), limits.
 */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { emptyText, faultOf } from "./args.mjs";

const KEY_LENGTH_MIN = 32;
/** A key with fewer different characters looks like a pattern. */
const KEY_CHARACTERS_MIN = 12;
const RSA_BITS_MIN = 2048;
/** Random keys of the product, in addition to the pair that signs tokens. */
export const KEY_NAMES = ["OTP_HMAC_KEY", "OTP_ENC_KEY", "UPLOAD_TOKEN_KEY", "ADMIN_KEY"];
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** Kinds of the variables that are built into the client. */
export const CLIENT_SETTINGS = {
  VITE_CONVEX_URL: "origin",
  VITE_CONVEX_SITE_URL: "origin",
  VITE_MARKET_WIDGET_URL: "origin",
  VITE_SITE_URL: "origin",
};
/** Kinds of the variables that a start reads. */
const SETTINGS = {
  DEMO: "switch",
  PORT: "port",
  HOST: "host",
  SITE_URL: "origin",
  TRUSTED_PROXY: "proxy",
  CONNECTIONS_PER_ADDRESS: "count",
  ...CLIENT_SETTINGS,
  LOG_FORMAT: "format",
};
/** Empty means none: a container file always sets them. */
const MAY_BE_EMPTY = ["VITE_SITE_URL", "VITE_MARKET_WIDGET_URL"];

/** Settings that no start (or build) accepts, one sentence each; empty when all are well formed. */
export function malformedSettings(env, settings = SETTINGS) {
  return Object.entries(settings).flatMap(([name, kind]) => {
    const text = env[name];
    if (text === undefined || (text === "" && MAY_BE_EMPTY.includes(name))) return [];
    return (text === "" ? emptyText(name) : faultOf(kind, text, name)) ?? [];
  });
}

const urlOf = (text) => (URL.canParse(text) ? new URL(text) : null);
const isEncrypted = (url) => url.protocol === "https:" || LOOPBACK.has(url.hostname);

function* addressProblems(env) {
  const site = env.SITE_URL === undefined ? null : urlOf(env.SITE_URL);
  if (site !== null) {
    if (!isEncrypted(site)) yield "SITE_URL must be https: passwords would travel in clear";
    else if (site.pathname !== "/" || site.search !== "") yield "SITE_URL must be an origin alone";
  }
  const host = env.HOST ?? "127.0.0.1";
  if (!LOOPBACK.has(host) && env.SITE_URL === undefined) {
    yield `HOST ${host} is open to other machines: SITE_URL must name the https origin before it`;
  }
  if (site?.protocol === "https:" && env.TRUSTED_PROXY === undefined) {
    yield "SITE_URL is https, so a proxy stands before this server: TRUSTED_PROXY must name its address (or none: then everybody shares one limit)";
  }
}

function* keyProblems(env) {
  // Includes empty ones, which a demonstration treats as not set: here a secret did not arrive.
  const keys = KEY_NAMES.filter((name) => env[name] !== undefined);
  for (const name of keys) {
    const key = env[name];
    if (key.length < KEY_LENGTH_MIN) yield `${name} needs at least ${KEY_LENGTH_MIN} characters`;
    else if (new Set(key).size < KEY_CHARACTERS_MIN) yield `${name} is too regular for a key`;
  }
  if (new Set(keys.map((name) => env[name])).size < keys.length) {
    yield `${keys.join(", ")} must differ from each other`;
  }
  const { JWT_PRIVATE_KEY: pem, JWKS: jwks } = env;
  if ((pem === undefined) !== (jwks === undefined)) {
    yield "JWT_PRIVATE_KEY and JWKS must be given together or not at all";
  } else if (pem !== undefined) yield* signingProblems(pem, jwks);
}

/** What makes a signing pair useless or public, one sentence each. */
export function* signingProblems(pem, jwks) {
  let publicKey;
  try {
    const der = Buffer.from(pem.replace(/-----(BEGIN|END) PRIVATE KEY-----|\s/g, ""), "base64");
    publicKey = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  } catch {
    yield "JWT_PRIVATE_KEY is no PKCS#8 private key";
    return;
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
  if (type !== "rsa" || details.modulusLength < RSA_BITS_MIN) {
    yield `JWT_PRIVATE_KEY must be an RSA key of at least ${RSA_BITS_MIN} bits`;
    return;
  }
  const { n: modulus } = publicKey.export({ format: "jwk" });
  if (!publishes(jwks, modulus)) {
    yield "JWKS does not publish the public half of JWT_PRIVATE_KEY, and that alone";
  }
}

function publishes(jwks, modulus) {
  try {
    const { keys } = JSON.parse(jwks);
    const isPublic = keys.every((key) => key.d === undefined);
    return isPublic && keys.some((key) => key.n === modulus);
  } catch {
    // Invalid JSON, or no list of keys, contains no key.
    return false;
  }
}

function* modeProblems(env, execArgv) {
  if (env.NODE_ENV === "development") yield "NODE_ENV is development";
  if (env.DEV_SEED !== undefined) yield "DEV_SEED is for demonstrations";
  if (env.AUTH_LOG_SECRETS !== undefined) yield "AUTH_LOG_SECRETS writes secrets to the log";
  if (/^debug$/i.test(env.AUTH_LOG_LEVEL ?? ""))
    yield "AUTH_LOG_LEVEL=DEBUG logs e-mails and tokens";
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
    yield "NODE_TLS_REJECT_UNAUTHORIZED=0 trusts anybody";
  const flags = [...execArgv, ...(env.NODE_OPTIONS ?? "").split(/\s+/)];
  if (flags.some((flag) => flag.startsWith("--inspect"))) {
    yield "a debugger port (--inspect) gives whoever reaches it everything";
  }
  const mail = env.MAIL_API_URL ? urlOf(env.MAIL_API_URL) : undefined;
  if (mail === null) yield "MAIL_API_URL is no web address";
  else if (mail && !isEncrypted(mail)) yield "MAIL_API_URL must be https";
  if (mail && !env.MAIL_API_KEY) yield "MAIL_API_URL needs MAIL_API_KEY";
  const email = env.PROTECTED_ACCOUNT_EMAIL;
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    yield "PROTECTED_ACCOUNT_EMAIL is no e-mail address";
  }
}

function* storeProblems(dataDir) {
  const file = path.join(dataDir, "keys.json");
  if (existsSync(file) && (statSync(file).mode & 0o077) !== 0) {
    yield `${path.basename(file)} in the data folder may be read by others: chmod 600 it`;
  }
}

/**
 * The reasons why this configuration is unsafe for real people, one sentence each; empty when it is safe.
 * Malformed settings are left to {@link malformedSettings}.
 */
export function unsafeConfiguration(env, dataDir, execArgv = process.execArgv) {
  return [
    ...addressProblems(env),
    ...keyProblems(env),
    ...modeProblems(env, execArgv),
    ...storeProblems(dataDir),
  ];
}
