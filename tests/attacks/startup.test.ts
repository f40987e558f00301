/** Configurations that would be unsafe for real people: refused before anything is opened. */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBank } from "./bank";
import { ROOT } from "../support/sources";

type Environment = Record<string, string | undefined>;

interface Configuration {
  malformedSettings: (env: Environment) => string[];
  unsafeConfiguration: (
    env: Environment,
    dataDir: string,
    execArgv?: readonly string[],
  ) => string[];
}

let malformedSettings: Configuration["malformedSettings"];
let unsafeConfiguration: Configuration["unsafeConfiguration"];
let folder: string;

beforeAll(async () => {
  const file = path.join(ROOT, "scripts", "lib", "configuration.mjs");
  ({ malformedSettings, unsafeConfiguration } = (await import(
    pathToFileURL(file).href
  )) as Configuration);
  folder = mkdtempSync(path.join(os.tmpdir(), "attacked-configuration-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = "pP3x0Vq9TzL1mWc7RbYs5KdNfHj2Ga8E";
const KEYS = { OTP_HMAC_KEY: KEY, OTP_ENC_KEY: `x${KEY}`, ADMIN_KEY: `y${KEY}` };
const SITE = { SITE_URL: "https://bank.example", TRUSTED_PROXY: "10.0.0.1" };

/** A signing key pair in the format of the environment. */
function signingPair(bits: number) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return {
    JWT_PRIVATE_KEY: pem.trimEnd().replaceAll("\n", " "),
    JWKS: JSON.stringify({ keys: [{ use: "sig", ...publicKey.export({ format: "jwk" }) }] }),
  };
}

/** A pair of another kind, which has no modulus. */
function curvePair() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    JWT_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    JWKS: JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] }),
  };
}

/** A key that has no JWK. */
const dsaKey = () =>
  generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();

/** The pair with a second key in its JWKS, which everybody can read: the private half. */
function withPrivateHalf({ JWT_PRIVATE_KEY, JWKS }: ReturnType<typeof signingPair>) {
  const [key] = (JSON.parse(JWKS) as { keys: object[] }).keys;
  return { JWT_PRIVATE_KEY, JWKS: JSON.stringify({ keys: [key, { ...key, d: "AQAB" }] }) };
}

test("a safe configuration is accepted, on this machine and behind a proxy", () => {
  const pair = signingPair(2048);
  const mail = { MAIL_API_URL: "https://mail.example/send", MAIL_API_KEY: "x" };
  const here = ["localhost", "127.0.0.1", "[::1]"].map((host) => ({
    SITE_URL: `http://${host}:3000`,
  }));
  const irregular = { ADMIN_KEY: "abcdefghijkl".repeat(3) };
  const safe = [
    {},
    { HOST: "localhost" },
    { HOST: "::1" },
    { ...SITE, ...KEYS, ...pair, ...mail },
    irregular,
  ];
  for (const env of [...safe, ...here]) {
    expect(unsafeConfiguration(env, folder, [])).toEqual([]);
  }
  expect(
    unsafeConfiguration({ ...SITE, HOST: "0.0.0.0", TRUSTED_PROXY: "none" }, folder, []),
  ).toEqual([]);
});

const UNSAFE: readonly [why: string, env: Record<string, string>][] = [
  ["UPLOAD_TOKEN_KEY needs at least", { UPLOAD_TOKEN_KEY: "short" }],
  ["must be https", { SITE_URL: "http://bank.example", TRUSTED_PROXY: "10.0.0.1" }],
  ["must be https", { SITE_URL: "javascript:alert(1)" }],
  ["origin alone", { ...SITE, SITE_URL: "https://bank.example/portal" }],
  ["origin alone", { ...SITE, SITE_URL: "https://bank.example/?portal" }],
  ["open to other machines", { HOST: "0.0.0.0" }],
  ["TRUSTED_PROXY must name", { SITE_URL: "https://bank.example" }],
  ["OTP_HMAC_KEY needs", { OTP_HMAC_KEY: KEY.slice(1) }],
  ["OTP_ENC_KEY needs", { OTP_ENC_KEY: "" }],
  ["ADMIN_KEY is too regular", { ADMIN_KEY: "abcdefghijk".repeat(6) }],
  ["must differ", { OTP_HMAC_KEY: KEY, OTP_ENC_KEY: KEY }],
  ["together or not at all", { JWKS: "{}" }],
  ["no PKCS#8", { JWT_PRIVATE_KEY: "x", JWKS: "{}" }],
  ["at least 2048 bits", signingPair(1024)],
  ["must be an RSA key", curvePair()],
  ["must be an RSA key", { JWT_PRIVATE_KEY: dsaKey(), JWKS: '{"keys":[]}' }],
  ["public half", { ...signingPair(2048), JWKS: signingPair(2048).JWKS }],
  ["public half", { ...signingPair(2048), JWKS: "no JSON" }],
  ["public half", { ...signingPair(2048), JWKS: "[]" }],
  ["public half", { ...signingPair(2048), JWKS: '{"keys":5}' }],
  ["public half", { ...signingPair(2048), JWKS: '{"keys":[null]}' }],
  ["and that alone", withPrivateHalf(signingPair(2048))],
  ["NODE_ENV", { NODE_ENV: "development" }],
  ["DEV_SEED", { DEV_SEED: "1" }],
  ["AUTH_LOG_LEVEL", { AUTH_LOG_LEVEL: "debug" }],
  ["AUTH_LOG_LEVEL", { AUTH_LOG_LEVEL: "DEBUG" }],
  ["AUTH_LOG_SECRETS", { AUTH_LOG_SECRETS: "true" }],
  ["NODE_TLS_REJECT_UNAUTHORIZED", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  ["--inspect", { NODE_OPTIONS: "--max-old-space-size=512 --inspect=0.0.0.0:9229" }],
  ["MAIL_API_URL must be https", { MAIL_API_URL: "http://mail.example", MAIL_API_KEY: "x" }],
  ["MAIL_API_URL is no web address", { MAIL_API_URL: "mail.example", MAIL_API_KEY: "x" }],
  ["MAIL_API_KEY", { MAIL_API_URL: "https://mail.example" }],
  ["PROTECTED_ACCOUNT_EMAIL", { PROTECTED_ACCOUNT_EMAIL: "vip" }],
];

test.each(UNSAFE)("refuses: %s", (why, env) => {
  expect(unsafeConfiguration(env, folder, []).join("\n")).toContain(why);
});

test.each([
  ["SITE_URL must be an address", { SITE_URL: "bank.example" }],
  ["SITE_URL must be an address", { SITE_URL: "javascript:alert(1)" }],
  ["TRUSTED_PROXY must be an IP address", { TRUSTED_PROXY: "10.0.0.0/8" }],
  ["TRUSTED_PROXY is empty", { TRUSTED_PROXY: "" }],
  ["HOST must be an address", { HOST: "bank.example/x" }],
  ["PORT must be a port", { PORT: "65536" }],
  ["DEMO must be 0 or 1", { DEMO: "no" }],
  ["VITE_SITE_URL must be an address", { VITE_SITE_URL: "bank.example" }],
])("refuses with any kind of data: %s (%o)", (why, env) => {
  expect(malformedSettings(env).join("\n")).toContain(why);
});

test("refuses a debugger on the command line, and a keys file that others may read", () => {
  expect(unsafeConfiguration({}, folder, ["--inspect-brk"]).join()).toContain("--inspect");
  const dir = path.join(folder, "open");
  mkdirSync(dir);
  writeFileSync(path.join(dir, "keys.json"), "{}");
  for (const mode of [0o644, 0o640, 0o620]) {
    chmodSync(path.join(dir, "keys.json"), mode);
    expect(unsafeConfiguration({}, dir, []).join()).toContain("chmod 600");
  }
  chmodSync(path.join(dir, "keys.json"), 0o600);
  expect(unsafeConfiguration({}, dir, [])).toEqual([]);
});

test("npm start reports an unsafe configuration in one line and exits without opening anything", () => {
  const dataDir = path.join(folder, "never");
  const env = { ...process.env, DEMO: "0", HOST: "0.0.0.0", DATA_DIR: dataDir, DEV_SEED: "1" };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(/^Refusing to start \(DEMO=0\): HOST .*DEV_SEED/);
});

test("the demonstration's data is not served with DEMO=0", async () => {
  const bank = await openBank();
  expect(await bank.server.backend.runtime.runInternal("dev/seed:hasDemoPeople", {})).toMatchObject(
    {
      json: "true",
    },
  );
  await bank.close();
});

test("the server does not start with a public function without a guard", async () => {
  const start = openBank({}, { publicFunctionMark: "_somethingElse" });
  await expect(start).rejects.toThrow(/no guard protects: .*accounts:listMine/);
});
