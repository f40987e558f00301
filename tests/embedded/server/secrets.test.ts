/**
 * Keys of a deployment: generated once, even when several processes start, and never for data that has its
 * own.
 */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { loadSecrets, readSecrets } from "../../../embedded/server/secrets";
import { temporaryDir } from "./testServer";

const NAMES = ["OTP_ENC_KEY", "ADMIN_KEY"];

test("two first starts at once have the same keys, which are those that are kept", async () => {
  const dir = temporaryDir();
  const [one, other] = await Promise.all([loadSecrets(dir, NAMES), loadSecrets(dir, NAMES)]);
  expect(one).toEqual(other);
  expect(readSecrets(dir, [])).toEqual(one);
  expect(fs.readdirSync(dir)).toEqual(["keys.json"]);
});

test("two starts that miss the same key have the same one, and half a signing pair is replaced", async () => {
  const dir = temporaryDir();
  const file = path.join(dir, "keys.json");
  fs.writeFileSync(file, JSON.stringify({ OTP_ENC_KEY: "kept", JWKS: "half" }));
  const [one, other] = await Promise.all([loadSecrets(dir, NAMES), loadSecrets(dir, NAMES)]);
  expect(one).toEqual(other);
  expect(one.OTP_ENC_KEY).toBe("kept");
  expect(one.JWKS).not.toBe("half");
  expect(readSecrets(dir, [])).toEqual(one);
});

test("the keys of a folder are read as a whole or not at all", async () => {
  const file = path.resolve("scripts", "lib", "product.mjs");
  const { readLastingKeys } = (await import(pathToFileURL(file).href)) as {
    readLastingKeys: (backend: object, dataDir: string) => Record<string, string>;
  };
  const dir = temporaryDir();
  const all = { JWT_PRIVATE_KEY: "a", JWKS: "b", OTP_HMAC_KEY: "c", OTP_ENC_KEY: "d" };
  const keep = (keys: object) =>
    fs.writeFileSync(path.join(dir, "keys.json"), JSON.stringify(keys));
  keep({ ...all, ADMIN_KEY: "e" });
  expect(readLastingKeys({ readSecrets }, dir)).toEqual(all);
  keep({ JWT_PRIVATE_KEY: "a", OTP_HMAC_KEY: "c" });
  expect(() => readLastingKeys({ readSecrets }, dir)).toThrow("lacks JWKS, OTP_ENC_KEY");
});
