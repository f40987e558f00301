/** `npm start` on data whose keys are missing, damaged or others. */
import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { enter, openBank, type Bank } from "../attacks/bank";
import { DEMO } from "../e2e/support/people";
import { temporaryDir } from "../support/temporaryDir";
import { start, stoppedBank, type Env } from "./startedBank";

/** Each test starts processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const copyOfBank = stoppedBank();
const bankOn = (dataDir: string): Promise<Bank> => openBank({}, {}, dataDir);
const keysOf = (dataDir: string): string => path.join(dataDir, "keys.json");

/** The balances an approved member sees, signed in with a one-time code. */
async function balancesOn(dataDir: string, code?: string): Promise<unknown> {
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  const maya = await enter(bank, DEMO.maya, code);
  return maya.http.query(api.accounts.listMine, {});
}

test("data without its keys is not served, and no keys are created", async () => {
  const dataDir = copyOfBank();
  fs.rmSync(keysOf(dataDir));
  const refusal = await start(dataDir);
  expect(refusal).toContain(`Refusing to start: ${keysOf(dataDir)} is missing`);
  for (const way of ["backup", "--keys FILE", "environment", "npm start -- --new-keys"]) {
    expect(refusal).toContain(way);
  }
  expect(refusal).not.toContain("Serving at");
  expect(fs.existsSync(keysOf(dataDir))).toBe(false);
});

test("a keys file without a key that the data needs is reported and left unchanged", async () => {
  const dataDir = copyOfBank();
  const { OTP_ENC_KEY: _lost, ...rest } = JSON.parse(
    fs.readFileSync(keysOf(dataDir), "utf8"),
  ) as Env;
  fs.writeFileSync(keysOf(dataDir), JSON.stringify(rest), { mode: 0o600 });
  expect(await start(dataDir)).toContain(`${keysOf(dataDir)} lacks OTP_ENC_KEY.`);
  expect(JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8"))).toEqual(rest);
});

test("a damaged keys file is reported and left unchanged", async () => {
  const dataDir = copyOfBank();
  fs.writeFileSync(keysOf(dataDir), "{ dama", { mode: 0o600 });
  for (const args of [[], ["--new-keys"]]) {
    const refusal = await start(dataDir, args);
    expect(refusal).toContain(`${keysOf(dataDir)} is damaged.\nPut the old keys back`);
  }
  expect(fs.readFileSync(keysOf(dataDir), "utf8")).toBe("{ dama");
});

test("an unreadable keys file is not reported as damaged", async () => {
  const dataDir = copyOfBank();
  fs.rmSync(keysOf(dataDir));
  fs.mkdirSync(keysOf(dataDir));
  expect(await start(dataDir)).toBe(`${keysOf(dataDir)} cannot be read (EISDIR).\n`);
});

test("keys of another deployment are refused, and --new-keys replaces the codes", async () => {
  const dataDir = copyOfBank();
  const kept = JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8")) as Env;
  const foreign = { ...kept, OTP_ENC_KEY: kept.OTP_HMAC_KEY };
  fs.writeFileSync(keysOf(dataDir), JSON.stringify(foreign), { mode: 0o600 });
  const refusal = await start(dataDir);
  expect(refusal).toContain("Refusing to start: the one-time codes were sealed with other keys.");
  expect(refusal).not.toContain("Serving at");
  const [, code] = /with the code (\d{6})/.exec(await start(dataDir, ["--new-keys"])) ?? [];
  expect(await balancesOn(dataDir, code)).toEqual(await balancesOn(copyOfBank()));
});

test("half of the signing key pair is refused: the other half would not match", async () => {
  const { JWT_PRIVATE_KEY = "" } = JSON.parse(fs.readFileSync(keysOf(copyOfBank()), "utf8")) as Env;
  const dataDir = temporaryDir();
  expect(await start(dataDir, [], { JWT_PRIVATE_KEY })).toContain("belong together");
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test("a signing key pair that signs nothing is refused, and no keys are created", async () => {
  const dataDir = temporaryDir();
  const { privateKey } = generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 });
  const JWT_PRIVATE_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  expect(await start(dataDir, [], { JWT_PRIVATE_KEY, JWKS: '{"keys":[]}' })).toBe(
    "Refusing to start: JWT_PRIVATE_KEY must be an RSA key of at least 2048 bits.\n",
  );
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test("no key of a served bank can be replaced by an environment variable of its database", async () => {
  const dataDir = copyOfBank();
  const {
    ADMIN_KEY,
    UPLOAD_TOKEN_KEY: _upload,
    ...keys
  } = JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8")) as Env;
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  const statusOf = async (name: string): Promise<number> => {
    const response = await fetch(`${bank.origin}/api/update_environment_variables`, {
      method: "POST",
      body: JSON.stringify({ changes: [{ name, value: keys.OTP_HMAC_KEY }] }),
      headers: { "Content-Type": "application/json", Authorization: `Convex ${ADMIN_KEY}` },
    });
    return response.status;
  };
  for (const name of [...Object.keys(keys), "DEMO"]) expect(await statusOf(name), name).toBe(400);
  expect(await statusOf("MAIL_API_KEY")).toBe(200);
});

test("keys from the environment work, and are not written to the folder", async () => {
  const dataDir = copyOfBank();
  const given = JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8")) as Env;
  const expected = await balancesOn(copyOfBank());
  const { UPLOAD_TOKEN_KEY: _upload, ADMIN_KEY: _admin, ...lasting } = given;
  fs.rmSync(keysOf(dataDir));
  for (const [name, key] of Object.entries(lasting)) vi.stubEnv(name, key);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await balancesOn(dataDir)).toEqual(expected);
  expect(Object.keys(JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8")) as Env)).toEqual([
    "UPLOAD_TOKEN_KEY",
    "ADMIN_KEY",
  ]);
});

test("--new-keys creates keys and codes that make the data usable again, once", async () => {
  const dataDir = copyOfBank();
  const expected = await balancesOn(copyOfBank());
  fs.rmSync(keysOf(dataDir));
  const output = await start(dataDir, ["--new-keys"]);
  const [, code] = /with the code (\d{6})/.exec(output) ?? [];
  expect(code).toBeDefined();
  expect(output).toContain("Serving at");
  const again = await start(dataDir, ["--new-keys"]);
  expect(again).toContain("Serving at");
  expect(again).not.toContain("with the code");
  expect(again).toContain("one-time codes: see Manage OTPs, or make one: npm run operator -- ");
  expect(await start(copyOfBank())).toContain(
    "one-time codes: 204816 319527 428639 537741 646852 ",
  );
  expect(await balancesOn(dataDir, code)).toEqual(expected);
});
