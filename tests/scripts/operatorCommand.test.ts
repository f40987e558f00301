/**
 * `npm run operator` as people run it, with a running server and on the folder of a stopped one: the secrets
 * that it prints let an administrator in, and are stored nowhere in plain text.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { enter, httpClient, openBank, outcomeOf, type Bank } from "../attacks/bank";
import { DEMO } from "../e2e/support/people";
import { passwordToken } from "../support/wireClient";
import { ROOT } from "../support/sources";
import { run, stoppedBank } from "./startedBank";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const operate = (...args: string[]): ReturnType<typeof run> => run("scripts/operator.mjs", ...args);
const convex = (...args: string[]): ReturnType<typeof run> => run("scripts/convex.mjs", ...args);

const copyOfBank = stoppedBank();

async function serveBank(dataDir: string): Promise<Bank> {
  const bank = await openBank({}, {}, dataDir);
  onTestFinished(() => bank.close());
  return bank;
}

/** True when a file of the folder contains the text as a separate word: digits may be part of a number. */
function isStored(dataDir: string, text: string): boolean {
  const word = new RegExp(`\\b${text}\\b`);
  return fs
    .readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => word.test(fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1")));
}

const GIVEN = /^One-time password of .*: ([0-9a-f]{24})$/m;
const ADDED = /^New one-time code: (\d{6})$/m;
const secretIn = ({ output }: { readonly output: string }, pattern: RegExp): string => {
  const [, secret] = pattern.exec(output) ?? [];
  if (secret === undefined) throw new Error(output);
  return secret;
};

/** Has the command issue a password and a code for the demonstration's administrator. */
async function issueCredentials(dataDir: string, ...args: string[]) {
  const given = await operate(
    ...["reset-password", "--data", dataDir, "--email", DEMO.admin, "--reason", "Forgotten"],
    ...args,
  );
  const added = await operate("add-code", "--data", dataDir, "--reason", "Used up");
  for (const { output } of [given, added]) {
    expect(output).toContain("Shown only now. Tell it to that person alone.");
  }
  return { password: secretIn(given, GIVEN), code: secretIn(added, ADDED) };
}

/** Signs in with both, up to the step where a new password must be chosen. */
async function expectSignIn(bank: Bank, { password, code }: { password: string; code: string }) {
  expect(await outcomeOf(passwordToken(bank.origin, DEMO.admin))).toBe("INVALID_CREDENTIALS");
  const http = httpClient(bank, await passwordToken(bank.origin, DEMO.admin, password));
  expect(await http.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
  expect(await http.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
}

test("on the folder of a stopped server: the secrets let in, and are in plain text in none of its files", async () => {
  const dataDir = copyOfBank();
  const credentials = await issueCredentials(dataDir);
  await expectSignIn(await serveBank(dataDir), credentials);
  expect(isStored(dataDir, DEMO.admin)).toBe(true);
  expect(isStored(dataDir, credentials.password)).toBe(false);
  expect(isStored(dataDir, credentials.code)).toBe(false);
});

test("with a running server: the same, and the log does not contain them", async () => {
  const bank = await serveBank(copyOfBank());
  const credentials = await issueCredentials(bank.dataDir);
  await expectSignIn(bank, credentials);
  await bank.server.close();
  for (const secret of Object.values(credentials)) {
    expect(isStored(bank.dataDir, secret)).toBe(false);
    expect(bank.logLines.join("\n")).not.toContain(secret);
  }
});

test("nobody can call its functions over HTTP, not even an administrator", async () => {
  const bank = await serveBank(copyOfBank());
  const { token } = await enter(bank, DEMO.admin);
  const add = { path: "operator:addCode", args: [{ reason: "x" }], format: "convex_encoded_json" };
  const callers: Record<string, string>[] = [{}, { Authorization: `Bearer ${token}` }];
  for (const headers of callers) {
    const answer = await fetch(`${bank.origin}/api/action`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(add),
    });
    expect(await answer.text()).toContain("Could not find public function");
  }
});

test("another administrator is added", async () => {
  const dataDir = copyOfBank();
  const args = ["--data", dataDir, "--reason", "The other one has left"];
  const taken = await operate("add-admin", ...args, "--email", DEMO.maya);
  expect(taken.code).toBe(1);
  expect(taken.output).toMatch(/^An account with this email already exists\.\nName another/);
  const { output } = await operate("add-admin", ...args, "--email", "two@example.org");
  const [, password, code] = /^password: (\w+)\ncode: (\d{6})$/m.exec(output) ?? [];
  const listed = (await operate("admins", "--data", dataDir)).output;
  expect(listed).toMatch(/^admin@demo\.example +active .*\ntwo@example\.org +has a one-time/);
  const bank = await serveBank(dataDir);
  const http = httpClient(bank, await passwordToken(bank.origin, "two@example.org", password));
  expect(await http.mutation(api.otp.verifyLogin, { code: code ?? "" })).toMatchObject({
    home: "/admin",
  });
});

test("refusals say what to do next, with the server stopped or running", async () => {
  const dataDir = copyOfBank();
  const refusals = async () => {
    const reset = (email: string) =>
      operate("reset-password", "--data", dataDir, "--email", email, "--reason", "x");
    expect(await reset("nobody@example.org")).toEqual({
      code: 1,
      output:
        "User not found.\nnpm run operator -- admins shows who is an administrator; the first one of all is made by npm start -- --first-admin EMAIL.\n",
    });
    expect((await reset(DEMO.maya)).output).toMatch(
      /^This is for administrators only\.\nAdministrators give/,
    );
    const silent = await operate("add-code", "--data", dataDir, "--reason", " ");
    expect(silent).toEqual({ code: 1, output: "Please give a reason.\n" });
  };
  await refusals();
  await serveBank(dataDir);
  await refusals();
});

test("invalid arguments are refused with the usage, and no folder is created", async () => {
  const dataDir = path.join(os.tmpdir(), "operator-nowhere");
  const wrong = async (...args: string[]) => (await operate(...args)).output;
  expect(await wrong()).toMatch(/^Say what to do\.\nusage: npm run operator/);
  expect(await wrong("add-code")).toMatch(/^Option --reason is missing\nusage:/);
  expect(await wrong("add-code", "--reason", "x", "--email", "y")).toMatch(/takes no --email\n/);
  expect(await wrong("admins", "--data", dataDir)).toMatch(/is no data folder\. Set DATA_DIR/);
  expect(fs.existsSync(dataDir)).toBe(false);
});

test("with keys of another deployment no code is added, as nobody could use it", async () => {
  const dataDir = copyOfBank();
  const file = path.join(dataDir, "keys.json");
  const kept = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string>;
  const foreign = { ...kept, OTP_ENC_KEY: kept.OTP_HMAC_KEY };
  fs.writeFileSync(file, JSON.stringify(foreign), { mode: 0o600 });
  const { code, output } = await operate("add-code", "--data", dataDir, "--reason", "Used up");
  expect(code).toBe(1);
  expect(output).toMatch(/the one-time codes were sealed with other keys\.\nPut the old keys back/);
});

test("the official CLI resets a password as well, with the deployment's key", async () => {
  const bank = await serveBank(copyOfBank());
  const { ADMIN_KEY: adminKey = "" } = JSON.parse(
    fs.readFileSync(path.join(bank.dataDir, "keys.json"), "utf8"),
  ) as Record<string, string>;
  const args = JSON.stringify({ email: DEMO.admin, reason: "Forgotten" });
  const cli = spawn(
    process.execPath,
    [
      ...["scripts/convex.mjs", "run", "operator:resetPassword", args],
      ...["--url", bank.origin, "--admin-key", adminKey],
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] },
  );
  let output = "";
  cli.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(cli, "close");
  const { password } = JSON.parse(output) as { password: string };
  await expectSignIn(bank, { password, code: "204816" });
  await bank.server.close();
  expect(isStored(bank.dataDir, password)).toBe(false);
});

test("the official CLI ends with a message when the key is wrong, watching or not", async () => {
  const { origin } = await serveBank(copyOfBank());
  const address = ["--url", origin, "--admin-key", "wrong"];
  for (const asked of [
    ["data", "users"],
    ["env", "list"],
    ["run", "operator:admins"],
  ]) {
    const { code, output } = await convex(...asked, ...address);
    expect([asked, code]).toEqual([asked, 1]);
    expect(output).toMatch(/admin key/);
  }
});
