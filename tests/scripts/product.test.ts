/** What the environment of `npm start` makes of the server's settings and of what functions see. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import * as backend from "../../embedded/main";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

interface Product {
  readonly productOptions: (from: object, options: object) => Promise<backend.ServeOptions>;
}

async function optionsWith(env: Readonly<Record<string, string>>): Promise<backend.ServeOptions> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const module = pathToFileURL(path.join(ROOT, "scripts", "lib", "product.mjs")).href;
  const { productOptions } = (await import(module)) as Product;
  const where = { functions: { bundleDir: "" }, dataDir: temporaryDir(), port: 0, host: "::1" };
  return productOptions(backend, {
    ...where,
    staticDir: null,
    isDemo: false,
    log: () => undefined,
  });
}

test("functions see the mail provider and the address, and of the keys those that they use", async () => {
  const mail = { MAIL_API_URL: "https://mail.example/send", MAIL_API_KEY: "a key" };
  const { env, fixedEnv } = await optionsWith({ ...mail, HOME: "/root" });
  const origin = "http://127.0.0.1:3000";
  expect(env(origin)).toEqual({ ...mail, AUTH_LOG_LEVEL: "ERROR", SITE_URL: origin });
  const keys = ["JWT_PRIVATE_KEY", "JWKS", "OTP_HMAC_KEY", "OTP_ENC_KEY"];
  expect(Object.keys(fixedEnv ?? {}).sort()).toEqual(["DEMO", ...keys].sort());
  expect(fixedEnv?.DEMO).toBe("0");
});

test("functions see the address that was given also while nothing is served", async () => {
  const SITE_URL = "https://bank.example";
  expect((await optionsWith({ SITE_URL })).env("http://127.0.0.1")).toMatchObject({ SITE_URL });
});

test.each<[env: Record<string, string>, options: Partial<backend.ServeOptions>]>([
  [{}, { publicOrigin: null, trustedProxy: null, connectionsPerAddressMax: 1000 }],
  [{}, { allowedOrigins: [], frameOrigins: [], isRedacting: true, publicFunctionMark: "_guard" }],
  [{ SITE_URL: "https://bank.example/" }, { publicOrigin: "https://bank.example" }],
  [{ TRUSTED_PROXY: "10.0.0.1" }, { trustedProxy: "10.0.0.1", connectionsPerAddressMax: 1000 }],
  [{ TRUSTED_PROXY: "none" }, { trustedProxy: "none", connectionsPerAddressMax: undefined }],
  [{ TRUSTED_PROXY: "none", CONNECTIONS_PER_ADDRESS: "7" }, { connectionsPerAddressMax: 7 }],
  [{ VITE_MARKET_WIDGET_URL: "https://w.example/a" }, { frameOrigins: ["https://w.example"] }],
])("with %o it serves with %o", async (env, options) => {
  expect({ connectionsPerAddressMax: undefined, ...(await optionsWith(env)) }).toMatchObject(
    options,
  );
});
