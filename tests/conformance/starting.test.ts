/**
 * `npm start` where it must not simply begin: on data whose keys are gone or damaged, for the first
 * administrator, at a port that is taken.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { enter, openBank, type Bank } from "../attacks/bank";
import { DEMO } from "../e2e/support/people";

const ROOT = path.resolve(import.meta.dirname, "..", "..");
/** Each test starts processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Env = Record<string, string>;
interface Builds {
  readonly FUNCTIONS_DIST: string;
  readonly ensureFunctions: () => Promise<void>;
}

let seeded = "";
beforeAll(async () => {
  seeded = fs.mkdtempSync(path.join(os.tmpdir(), "starting-bank-"));
  await (await bankOn(seeded)).close();
  // Builds what a start needs, once.
  spawnSync(process.execPath, ["scripts/doctor.mjs", "--data", seeded], { cwd: ROOT });
});
afterAll(() => fs.rmSync(seeded, { recursive: true, force: true }));

const bankOn = (dataDir: string): Promise<Bank> => openBank({}, {}, dataDir);
const keysOf = (dataDir: string): string => path.join(dataDir, "keys.json");

/** A folder for data that is not there yet; removed when the test ends. */
function emptyFolder(): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "starting-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** The same with a copy of the stopped bank. */
function copyOfBank(): string {
  const dataDir = emptyFolder();
  fs.cpSync(seeded, dataDir, { recursive: true });
  return dataDir;
}

/** What `npm start` prints until it serves, or until it ends by itself; then it is stopped. */
function start(dataDir: string, args: readonly string[] = [], env: Env = {}): Promise<string> {
  // As its supervisor starts it: what it serves is built, and the pages are of no interest here.
  const all = { ...process.env, PORT: "0", DATA_DIR: dataDir, SUPERVISED_CHILD: "1", ...env };
  const child = spawn(process.execPath, ["scripts/start.mjs", ...args], { cwd: ROOT, env: all });
  return new Promise((resolve) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes("Serving at")) child.kill("SIGTERM");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => resolve(output));
  });
}

/** The balances an approved member sees, signed in with a one-time code. */
async function balancesOn(dataDir: string, code?: string): Promise<unknown> {
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  const maya = await enter(bank, DEMO.maya, code);
  return maya.http.query(api.accounts.listMine, {});
}

test("a Node that is too old is refused with the one that is needed", async () => {
  const preload = path.join(emptyFolder(), "old.cjs");
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } });
    Object.defineProperty(process, "version", { value: "v20.18.3" });`;
  fs.writeFileSync(preload, old);
  expect(await start(emptyFolder(), [], { NODE_OPTIONS: `--require=${preload}` })).toMatch(
    /^This needs Node 20\.19 or newer, and \S+ is v20\.18\.3\. Install a newer one.*\n$/,
  );
  const { engines } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    engines: Env;
  };
  expect(engines).toEqual({ node: ">=20.19" });
});

test("a copy whose files are younger, as in an image, is not built anew", async () => {
  const script = path.join(ROOT, "scripts", "lib", "builds.mjs");
  const builds = (await import(pathToFileURL(script).href)) as Builds;
  await builds.ensureFunctions();
  const built = path.join(builds.FUNCTIONS_DIST, "manifest.json");
  const builtMs = fs.statSync(built).mtimeMs;
  const now = new Date();
  fs.utimesSync(path.join(ROOT, "convex", "schema.ts"), now, now);
  await builds.ensureFunctions();
  expect(fs.statSync(built).mtimeMs).toBe(builtMs);
});

test("a server whose terminal is closed ends in order, and leaves its folder free", async () => {
  const dataDir = copyOfBank();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir };
  const program = `import { supervise } from "./scripts/lib/supervise.mjs"; supervise("scripts/start.mjs");`;
  const args = ["--input-type=module", "-e", program];
  // A group of its own: a terminal tells all of them.
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true });
  const gone = once(child, "exit");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitUntil(() => output.includes("Serving at"), { interval: 20, timeout: 60_000 });
  process.kill(-(child.pid ?? 0), "SIGHUP");
  expect(await gone).toEqual([0, null]);
  expect(fs.readdirSync(dataDir)).not.toContain("running.json");
});

test("a server that is told to stop while it starts ends in order, and leaves its folder free", async () => {
  const dataDir = copyOfBank();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir, SUPERVISED_CHILD: "1" };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { cwd: ROOT, env });
  const gone = once(child, "exit");
  const locks = () => fs.readdirSync(path.join(dataDir, "db")).filter((n) => n.startsWith("lock"));
  // It has the folder and answers nobody yet.
  await vi.waitUntil(() => locks().includes("lock"), { interval: 1, timeout: 60_000 });
  child.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
  expect(locks()).toEqual([]);
});

test("with LOG_FORMAT=json all it prints are objects, one a line", async () => {
  const lines = (await start(copyOfBank(), [], { LOG_FORMAT: "json" })).trim().split("\n");
  const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages[0]).toMatch(/^Serving at http:/);
});

test("data without its keys is not served, and no keys are made", async () => {
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

test("keys that lack one the data needs are named and stay as they are", async () => {
  const dataDir = copyOfBank();
  const { OTP_ENC_KEY: _lost, ...rest } = JSON.parse(
    fs.readFileSync(keysOf(dataDir), "utf8"),
  ) as Env;
  fs.writeFileSync(keysOf(dataDir), JSON.stringify(rest), { mode: 0o600 });
  expect(await start(dataDir)).toContain(`${keysOf(dataDir)} lacks OTP_ENC_KEY.`);
  expect(JSON.parse(fs.readFileSync(keysOf(dataDir), "utf8"))).toEqual(rest);
});

test("damaged keys are named and stay as they are", async () => {
  const dataDir = copyOfBank();
  fs.writeFileSync(keysOf(dataDir), "{ dama", { mode: 0o600 });
  for (const args of [[], ["--new-keys"]]) {
    const refusal = await start(dataDir, args);
    expect(refusal).toContain(`${keysOf(dataDir)} is damaged.\nPut the old keys back`);
  }
  expect(fs.readFileSync(keysOf(dataDir), "utf8")).toBe("{ dama");
});

test("keys that cannot be read are not taken for damaged ones", async () => {
  const dataDir = copyOfBank();
  fs.rmSync(keysOf(dataDir));
  fs.mkdirSync(keysOf(dataDir));
  expect(await start(dataDir)).toBe(`${keysOf(dataDir)} cannot be read (EISDIR).\n`);
});

test("keys of another deployment are not served with, and --new-keys mends the codes", async () => {
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

test("half of the pair that signs is refused: the other half would be another pair's", async () => {
  const { JWT_PRIVATE_KEY = "" } = JSON.parse(fs.readFileSync(keysOf(seeded), "utf8")) as Env;
  const dataDir = emptyFolder();
  expect(await start(dataDir, [], { JWT_PRIVATE_KEY })).toContain("belong together");
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test("keys from the environment serve the data, and are not written down", async () => {
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

test("--new-keys makes keys and codes that open the data again, once", async () => {
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
  expect(await balancesOn(dataDir, code)).toEqual(expected);
});

test("--first-admin makes a real deployment without being told that it is none for show", async () => {
  const dataDir = emptyFolder();
  const refused = await start(dataDir, ["--first-admin", "nonsense"]);
  expect(refused).toBe("Invalid email format. Please check your email address.\n");
  const unsafe = await start(dataDir, ["--first-admin", "you@example.org"], { HOST: "0.0.0.0" });
  expect(unsafe).toMatch(/^Refusing to start \(DEMO=0\): HOST /);
  const made = await start(dataDir, ["--first-admin", "you@example.org"]);
  expect(made).toMatch(/^First administrator: you@example\.org\npassword: /);
  const [, code] = /^code: (\d{6})$/m.exec(made) ?? [];
  expect(code).toBeDefined();
  expect(made).toContain(`Next: DEMO=0 DATA_DIR=${dataDir} npm start, and`);
  expect(await start(dataDir)).toBe(
    "Refusing to start (DEMO=1): the data folder holds other people than the demonstration's: set DEMO=0.\n",
  );
  const served = await start(dataDir, [], { DEMO: "0" });
  expect(served).toContain("Serving at");
  expect(served).not.toContain("Nobody is registered");
  expect(await start(dataDir, ["--first-admin", "two@example.org"])).toMatch(
    /^Somebody is registered already/,
  );
});

test("--first-admin refuses the demonstration's data", async () => {
  expect(await start(copyOfBank(), ["--first-admin", "you@example.org"])).toMatch(
    /^Refusing to start \(DEMO=0\): the data folder holds the demonstration's people/,
  );
});

/** For documentation only: no machine has it. */
const NO_ADDRESS = "192.0.2.1";

test("an address of another machine is refused with what to do, in the format of the log", async () => {
  const refusal = `${NO_ADDRESS} is no address of this machine.\nSet HOST to an address of this machine, or leave it out for 127.0.0.1.`;
  const env = { HOST: NO_ADDRESS };
  expect(await start(emptyFolder(), [], env)).toBe(`${refusal}\n`);
  const line = await start(emptyFolder(), [], { ...env, LOG_FORMAT: "json" });
  expect(JSON.parse(line)).toMatchObject({ level: "error", message: refusal });
});

test("a data folder that cannot be made is refused, and not tried for ever", async () => {
  expect(await start("/proc/wrenmoor")).toMatch(
    /^The folder \/proc\/?\S* cannot be made \([A-Z]+\)\. Make what is above it writable.*\n$/,
  );
});

test.each([
  ["HOST", "999.1.1.1", "must be an address"],
  ["HOST", "http://127.0.0.1", "must be an address"],
  ["PORT", "70000", "must be a port"],
  ["SITE_URL", "here", "must be an address such as https://your.host"],
  ["TRUSTED_PROXY", "10.0.0.0/8", "must be an IP address or none"],
  ["VITE_MARKET_WIDGET_URL", "here", "must be an address such as https://your.host"],
])("%s=%s is refused in one line, and no keys are made", async (name, value, rule) => {
  const dataDir = emptyFolder();
  expect(await start(dataDir, [], { [name]: value })).toBe(`${name} ${rule}, got ${value}\n`);
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test("a data folder that is a file is refused in one line", async () => {
  const file = path.join(emptyFolder(), "data");
  fs.writeFileSync(file, "");
  for (const dataDir of [file, path.join(file, "below")]) {
    expect(await start(dataDir)).toBe(`DATA_DIR must be a folder, got the file ${file}\n`);
  }
});

test("a port that is taken is named before anything is written", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  expect(await start(emptyFolder(), [], { PORT: String(port) })).toBe(
    `Port ${port} of 127.0.0.1 is taken by another program.\nStop that, or set PORT to another one.\n`,
  );
});
