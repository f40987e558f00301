/** How commands read their options, at the bounds of what is accepted, and how they quote what they print. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { temporaryDir } from "../support/temporaryDir";
import { ROOT } from "../support/sources";

let malformedSettings: (env: Record<string, string>) => string[];
let signingProblems: (pem: string, jwks: string) => Iterable<string>;

beforeAll(async () => {
  const configuration = pathToFileURL(path.join(ROOT, "scripts", "lib", "configuration.mjs")).href;
  ({ malformedSettings, signingProblems } = (await import(configuration)) as {
    malformedSettings: typeof malformedSettings;
    signingProblems: typeof signingProblems;
  });
});

function run(command: string, ...args: readonly string[]) {
  const program = path.join(ROOT, "scripts", `${command}.mjs`);
  const cwd = temporaryDir();
  return { cwd, ...spawnSync(process.execPath, [program, ...args], { cwd, encoding: "utf8" }) };
}

test("-h says how a command is used and does nothing else", () => {
  const { status, stdout } = run("backup", "--data", "none", "-h");
  expect([status, stdout.split(" [")[0]]).toEqual([0, "usage: npm run backup"]);
});

test.each(["a=b", "--a", "a b"])("--data=%s names the folder of that name", (name) => {
  const { status, stderr, cwd } = run("backup", `--data=${name}`);
  expect(status).toBe(1);
  expect(stderr).toContain(`${path.join(cwd, name)} is no data folder`);
});

test.each([
  ["backup", "folder"],
  ["export", "file"],
])("%s writes over no %s", (command, kind) => {
  const { status, stderr, cwd } = run(command, "--to", ".");
  expect([status, stderr]).toEqual([1, `${cwd} exists already: name a new ${kind}.\n`]);
});

test("a flag takes no value: --json=no is not left to mean yes", () => {
  const { status, stderr } = run("doctor", "--json=no");
  expect([status, stderr.split("\n")[0]]).toEqual([2, "Option --json takes no value"]);
});

test.each([
  ["PORT", ["0", "65535"], ["-1", "65536", "3000.5", "0x50", "3000\r"]],
  ["CONNECTIONS_PER_ADDRESS", ["1"], ["0", "-1", "1.5"]],
  ["DEMO", ["0", "1"], ["true", "2"]],
  ["HOST", ["::1", "[::1]", "bank.example", "0.0.0.0"], ["fe80::1%lo", "a b", "a:80"]],
  ["TRUSTED_PROXY", ["none", "10.0.0.1", "::1"], ["all", "10.0.0"]],
  ["SITE_URL", ["http://a", "https://a:1"], ["ftp://a", "a"]],
  ["LOG_FORMAT", ["text", "json"], ["JSON"]],
  // A container file always sets the first, and never the second.
  ["VITE_SITE_URL", ["", "https://a"], ["a"]],
  ["VITE_CONVEX_URL", ["https://a"], [""]],
])("a start accepts for %s the texts %j and refuses %j", (name, accepted, refused) => {
  const isRefused = (text: string) => malformedSettings({ [name]: text }).length > 0;
  expect([...accepted, ...refused].filter(isRefused)).toEqual(refused);
});

test.each([" data", "data ", "'data", 'data"'])(
  "the DATA_DIR %j, which whoever wrote it did not mean, names no folder",
  (folder) => {
    vi.stubEnv("DATA_DIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const line = "DATA_DIR must be a path without quotes or blanks around it";
    expect(run("backup")).toMatchObject({ status: 1, stderr: `${line}, got ${folder}\n` });
  },
);

test("a log that is JSON has failures as JSON, too", () => {
  vi.stubEnv("LOG_FORMAT", "json");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stderr } = run("backup", "--data=none");
  const message = expect.stringContaining("none is no data folder") as string;
  expect(JSON.parse(stderr)).toMatchObject({ level: "error", message });
});

test("new keys are all that a deployment needs, each on one line, and each time others", () => {
  const valuesIn = (text: string, line: RegExp) =>
    Object.fromEntries([...text.matchAll(line)].map(([, name = "", value = ""]) => [name, value]));
  const commands = () =>
    valuesIn(run("keys").stdout, /^npm run convex -- env set (\w+) -- '?(.*?)'?$/gm);
  const { JWT_PRIVATE_KEY = "", JWKS = "", ...codes } = commands();
  expect([...signingProblems(JWT_PRIVATE_KEY, JWKS)]).toEqual([]);
  expect(JSON.parse(JWKS)).toMatchObject({ keys: [{ use: "sig" }] });
  const random = expect.stringMatching(/^[\w-]{43}$/) as string;
  expect(codes).toEqual({ OTP_HMAC_KEY: random, OTP_ENC_KEY: random });
  const others = commands();
  expect(new Set([...Object.values(codes), others.OTP_HMAC_KEY, others.OTP_ENC_KEY]).size).toBe(4);
  // What the official backend takes for a secret is hexadecimal.
  expect(valuesIn(run("keys", "--env").stdout, /^(\w+)=(.*)$/gm)).toEqual({
    INSTANCE_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    POSTGRES_PASSWORD: random,
  });
});

test("a printed command keeps keys of an untrusted folder apart from the shell", () => {
  const folder = temporaryDir();
  const key = "'; echo $HOME `id` \"x\" \\ '";
  const names = ["JWT_PRIVATE_KEY", "JWKS", "OTP_HMAC_KEY", "OTP_ENC_KEY"];
  const keys = Object.fromEntries(names.map((name) => [name, name + key]));
  fs.writeFileSync(path.join(folder, "keys.json"), JSON.stringify(keys));
  const { stdout } = run("keys", "--from", folder);
  const asEcho = stdout.replaceAll(/^npm run convex -- env set (\w+) --/gm, "printf '%s\\n'");
  expect(execFileSync("sh", ["-c", asEcho], { encoding: "utf8" })).toBe(
    `${Object.values(keys).join("\n")}\n`,
  );
});
