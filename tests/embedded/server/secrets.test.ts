/**
 * Keys of a deployment: generated once, even when several processes start, and never for data that has its
 * own.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadSecrets, readSecrets } from "../../../embedded/server/secrets";
import { temporaryDir } from "../../support/temporaryDir";

const NAMES = ["OTP_ENC_KEY", "ADMIN_KEY"];

test("two first starts at once have the same keys, which are those that are kept", async () => {
  const dir = temporaryDir();
  const [one, other] = await Promise.all([loadSecrets(dir, NAMES), loadSecrets(dir, NAMES)]);
  expect(one).toEqual(other);
  expect(readSecrets(dir, [])).toEqual(one);
  expect(fs.readdirSync(dir)).toEqual(["keys.json"]);
  expect(fs.statSync(path.join(dir, "keys.json")).mode & 0o777).toBe(0o600);
  for (const name of NAMES) expect(one[name]).toMatch(/^[\w-]{43}$/);
  expect(one.OTP_ENC_KEY).not.toBe(one.ADMIN_KEY);
  // Environment variables pass through shells.
  expect(JSON.stringify(one)).not.toContain(String.raw`\n`);
});

test("keys that another process stored at the same moment are used", async () => {
  const dir = temporaryDir();
  const { linkSync } = fs;
  const link = vi.spyOn(fs, "linkSync").mockImplementationOnce((from, to) => {
    fs.writeFileSync(to, JSON.stringify({ OTP_ENC_KEY: "theirs" }));
    linkSync(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    link.mockRestore();
    syncBuiltinESMExports();
  });
  const keys = await loadSecrets(dir, NAMES);
  expect(keys.OTP_ENC_KEY).toBe("theirs");
  expect(readSecrets(dir, [])).toEqual(keys);
});

test.each(["JWKS", "JWT_PRIVATE_KEY"])(
  "two starts that miss the same key have the same one, and half a signing pair, %s, is replaced",
  async (half) => {
    const dir = temporaryDir();
    const file = path.join(dir, "keys.json");
    fs.writeFileSync(file, JSON.stringify({ OTP_ENC_KEY: "kept", [half]: "half" }));
    const [one, other] = await Promise.all([loadSecrets(dir, NAMES), loadSecrets(dir, NAMES)]);
    expect(one).toEqual(other);
    expect(one.OTP_ENC_KEY).toBe("kept");
    expect(one[half]).not.toBe("half");
    expect(readSecrets(dir, [])).toEqual(one);
  },
);

test("no key is made in place of one that the data of a folder needs, nor without data refused", async () => {
  const dir = temporaryDir();
  const lasting = ["OTP_ENC_KEY"];
  expect(await loadSecrets(temporaryDir(), NAMES, { lasting })).toHaveProperty(lasting);
  fs.mkdirSync(path.join(dir, "db", "store"), { recursive: true });
  const loaded = loadSecrets(dir, NAMES, { lasting });
  await expect(loaded).rejects.toThrow("keys.json is missing, and with it OTP_ENC_KEY");
  expect(fs.readdirSync(dir)).toEqual(["db"]);
});

test("given keys take precedence over stored ones, and are not stored", async () => {
  const dir = temporaryDir();
  const stored = await loadSecrets(dir, NAMES);
  const given = { OTP_ENC_KEY: "given" };
  expect(await loadSecrets(dir, NAMES, { given })).toEqual({ ...stored, ...given });
  expect(readSecrets(dir, [])).toEqual(stored);
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

test.each(["null", "5", '"text"', '{"OTP_ENC_KEY":5}'])(
  "a file of keys that holds %s is damaged, and stays as it is",
  async (text) => {
    const dir = temporaryDir();
    fs.writeFileSync(path.join(dir, "keys.json"), text);
    await expect(loadSecrets(dir, NAMES)).rejects.toThrow("keys.json is damaged");
    expect(fs.readFileSync(path.join(dir, "keys.json"), "utf8")).toBe(text);
  },
);

test("printed keys are quoted for the shell", () => {
  const dir = temporaryDir();
  const key = "'; touch made; echo '";
  const keys = { JWT_PRIVATE_KEY: key, JWKS: key, OTP_HMAC_KEY: key, OTP_ENC_KEY: key };
  fs.writeFileSync(path.join(dir, "keys.json"), JSON.stringify(keys));
  const printed = execFileSync(process.execPath, ["scripts/keys.mjs", "--from", dir]).toString();
  const script = `npm() { printf '%s\\n' "$8"; }\n${printed}`;
  const given = execFileSync("sh", ["-c", script], { cwd: dir }).toString();
  expect(given).toBe(`${key}\n`.repeat(4));
  expect(fs.readdirSync(dir)).toEqual(["keys.json"]);
});
