/** Special cases of `npm start`: the first administrator, signals, refused settings, a port that is in use. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";
import { start, stoppedBank, type Env } from "./startedBank";

/** Each test starts processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const copyOfBank = stoppedBank();

test("a Node version that is too old is refused with the required version, which itself is not", () => {
  const output = (version: string) => {
    const preload = path.join(temporaryDir(), "old.cjs");
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    Object.defineProperty(process, "version", { value: "v${version}" });`;
    fs.writeFileSync(preload, old);
    const args = ["--require", preload, "scripts/keys.mjs", "--env"];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    return stdout + stderr;
  };
  expect(output("20.18.3")).toMatch(
    /^This needs Node 20\.19 or newer, and \S+ is v20\.18\.3\. Install a newer one.*\n$/,
  );
  for (const version of ["20.19.0", "21.0.0"]) expect(output(version)).toMatch(/^INSTANCE_SECRET=/);
  const { engines } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    engines: Env;
  };
  expect(engines).toEqual({ node: ">=20.19" });
});

test("a server whose terminal is closed shuts down cleanly and releases its folder", async () => {
  const dataDir = copyOfBank();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir };
  const program = `import { supervise } from "./scripts/lib/supervise.mjs"; supervise("scripts/start.mjs");`;
  const args = ["--input-type=module", "-e", program];
  // A process group of its own, because a terminal signals the whole group.
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true });
  const gone = once(child, "exit");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitUntil(() => output.includes("Serving at"), { interval: 20, timeout: 60_000 });
  process.kill(-(child.pid ?? 0), "SIGHUP");
  expect(await gone).toEqual([0, null]);
  expect(fs.readdirSync(dataDir)).not.toContain("running.json");
});

test("a server that is stopped while it starts shuts down cleanly and releases its folder", async () => {
  const dataDir = copyOfBank();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir, SUPERVISED_CHILD: "1" };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { cwd: ROOT, env });
  const gone = once(child, "exit");
  const locks = () => fs.readdirSync(path.join(dataDir, "db")).filter((n) => n.startsWith("lock"));
  // It has locked the folder but does not serve yet.
  await vi.waitUntil(() => locks().includes("lock"), { interval: 1, timeout: 60_000 });
  child.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
  expect(locks()).toEqual([]);
});

test("a server whose log has no room serves all the same", async () => {
  const dataDir = temporaryDir();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir, SUPERVISED_CHILD: "1" };
  const full = fs.openSync("/dev/full", "w");
  // A first start logs what it wrote before it serves.
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", full, full],
  });
  fs.closeSync(full);
  const gone = once(child, "exit");
  const isServing = () => fs.existsSync(path.join(dataDir, "running.json"));
  await vi.waitUntil(() => isServing() || child.exitCode !== null, {
    interval: 20,
    timeout: 60_000,
  });
  child.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
});

test("with LOG_FORMAT=json every line of output is a JSON object", async () => {
  const lines = (await start(copyOfBank(), [], { LOG_FORMAT: "json" })).trim().split("\n");
  const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages[0]).toMatch(/^Serving at http:/);
});

test("--help names what a deployment sets for its e-mails and its protected account", async () => {
  const help = await start(temporaryDir(), ["--help"]);
  for (const name of ["MAIL_API_URL", "MAIL_API_KEY", "PROTECTED_ACCOUNT_EMAIL"]) {
    expect(help).toContain(name);
  }
});

test("--first-admin creates a real deployment even though DEMO=0 is not set", async () => {
  const dataDir = path.join(temporaryDir(), "the bank");
  const refused = await start(dataDir, ["--first-admin", "nonsense"]);
  expect(refused).toBe("Invalid email format. Please check your email address.\n");
  const empty = await start(path.join(temporaryDir(), "new bank"), [], { DEMO: "0" });
  expect(empty).toMatch(/^ {2}DATA_DIR='\S+ bank' npm start -- --first-admin you@example\.org$/m);
  const unsafe = await start(dataDir, ["--first-admin", "you@example.org"], { HOST: "0.0.0.0" });
  expect(unsafe).toMatch(/^Refusing to start \(DEMO=0\): HOST /);
  const made = await start(dataDir, ["--first-admin", "you@example.org"]);
  expect(made).toMatch(/^First administrator: you@example\.org\npassword: /);
  const [, code] = /^code: (\d{6})$/m.exec(made) ?? [];
  expect(code).toBeDefined();
  expect(made).toContain(`Next: DEMO=0 DATA_DIR='${dataDir}' npm start, and`);
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

/** Reserved for documentation: no machine has this address. */
const NO_ADDRESS = "192.0.2.1";

test("an address of another machine is refused with advice, in the log format", async () => {
  const refusal = `${NO_ADDRESS} is no address of this machine.\nSet HOST to an address of this machine, or leave it out for 127.0.0.1.`;
  const env = { HOST: NO_ADDRESS };
  expect(await start(temporaryDir(), [], env)).toBe(`${refusal}\n`);
  const line = await start(temporaryDir(), [], { ...env, LOG_FORMAT: "json" });
  expect(JSON.parse(line)).toMatchObject({ level: "error", message: refusal });
});

test("a data folder that cannot be created is refused, without endless retries", async () => {
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
])("%s=%s is refused in one line, and no keys are created", async (name, value, rule) => {
  const dataDir = temporaryDir();
  expect(await start(dataDir, [], { [name]: value })).toBe(`${name} ${rule}, got ${value}\n`);
  expect(fs.readdirSync(dataDir)).toEqual([]);
});

test("a data folder that is a file is refused in one line", async () => {
  const file = path.join(temporaryDir(), "data");
  fs.writeFileSync(file, "");
  for (const dataDir of [file, path.join(file, "below")]) {
    expect(await start(dataDir)).toBe(`DATA_DIR must be a folder, got the file ${file}\n`);
  }
});

test("stored files without their database are neither served nor removed", async () => {
  const dataDir = copyOfBank();
  const db = path.join(dataDir, "db");
  const files = path.join(dataDir, "files");
  const stored = fs.readdirSync(files);
  expect(stored).not.toEqual([]);
  // The disk that holds it is not mounted.
  fs.rmSync(db, { recursive: true });
  fs.mkdirSync(db);
  const refusal = `${db} holds no database, but ${files} has stored files: mount the disk that is missing, or restore a backup. To begin anew, move ${files} away.\n`;
  expect(await start(dataDir)).toBe(refusal);
  const keys = path.join(dataDir, "keys.json");
  fs.renameSync(keys, `${keys}.away`);
  expect(await start(dataDir)).toBe(refusal);
  expect(fs.existsSync(keys)).toBe(false);
  fs.renameSync(`${keys}.away`, keys);
  const command = ["scripts/backup.mjs", "--data", dataDir];
  const backup = spawnSync(process.execPath, command, { cwd: ROOT, encoding: "utf8" });
  expect([backup.status, backup.stderr]).toEqual([1, refusal]);
  expect(fs.readdirSync(files)).toEqual(stored);
});

test("a folder in which an import was refused is not backed up, and can be started", async () => {
  const dataDir = temporaryDir();
  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [`scripts/${command}.mjs`, "--data", dataDir, ...args], {
      cwd: ROOT,
      encoding: "utf8",
    });
  expect(run("import", "--from", "package.json").stderr).toMatch(/Not a zip archive/);
  for (const command of ["backup", "recover"]) {
    const { status, stderr } = run(command);
    const refusal = `${dataDir} is no data folder: it has no database. Name one with --data or DATA_DIR.\n`;
    expect([status, stderr]).toEqual([1, refusal]);
  }
  expect(await start(dataDir)).toContain("Serving at");
});

test("a port in use is reported before anything is written", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  expect(await start(temporaryDir(), [], { PORT: String(port) })).toBe(
    `Port ${port} of 127.0.0.1 is taken by another program.\nStop that, or set PORT to another one.\n`,
  );
});
