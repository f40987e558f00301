/**
 * Command lines that are refused before any work starts: with exit code 2 when they cannot be parsed, so
 * that a monitor does not take that for a finding, and with 1 when a value is not allowed.
 */
import { spawn, spawnSync, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

/** A command that is wrongly accepted starts its work, which may take long. */
const COMMAND_TIMEOUT_MS = 20_000;
vi.setConfig({ testTimeout: 2 * COMMAND_TIMEOUT_MS });

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** What `npm run` runs, without npm, which takes longer to start than most of the commands. */
function programOf(command: string): string[] {
  const [, program] =
    /^(?:exec )?node ((?:--\S+ )?scripts\/.+)$/.exec(scripts[command] ?? "") ?? [];
  if (program === undefined) throw new Error(`${command} runs no script of ours`);
  return program.split(" ");
}

function refusal(command: string, args: readonly string[]) {
  return refusalOf(process.execPath, [...programOf(command), ...args]);
}

function refusalOf(program: string, args: readonly string[]) {
  const { status, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: "utf8",
    timeout: COMMAND_TIMEOUT_MS,
  });
  return { status, line: stderr.split("\n")[0], hasUsage: stderr.includes("usage:") };
}

test("npm hands on the arguments, what is said about them and the exit code", () => {
  const args = ["run", "--silent", "doctor", "--", "--dta", "x"];
  const line = "Unknown option --dta";
  expect(refusalOf("npm", args)).toEqual({ status: 2, line, hasUsage: true });
});

test.each([
  ["doctor", ["--dta", "x"], "Unknown option --dta"],
  ["backup", ["there"], "Unexpected argument there"],
  ["test", ["tests/shared"], "Unexpected argument tests/shared"],
  ["bench", ["6", "--people", "1000"], "Row 6 wants --people 10000 or more"],
  ["codegen", ["--all"], "Unknown option --all"],
  ["faults", ["--only"], "Option '--only <value>' argument missing"],
  ["restore", [], "Option --from is missing"],
  ["import", ["--replace"], "Option --from is missing"],
  ["export", ["--to"], "Option --to needs a value"],
  ["restore", ["--from", "x", "--data", "--replace"], "Option --data needs a value"],
  ["restore", ["--from", "x", "--data", ""], "Option --data needs a value"],
  ["recover", ["--data="], "Option --data needs a value"],
  ["recover", ["--data=x", "--all"], "Unknown option --all"],
  ["operator", [], "Say what to do."],
  ["operator", ["admins", "--email", "a@b.example"], "admins takes no --email"],
  ["keys", ["--env", "--from", "."], "--env and --from exclude each other"],
  [
    "start",
    ["--first-admin", "a@b.example", "--new-keys"],
    "--first-admin and --new-keys exclude each other",
  ],
])("npm run %s with %j is refused with its usage", (command, args, line) => {
  expect(refusal(command, args)).toEqual({ status: 2, line, hasUsage: true });
});

/** A path below a file, and one that no system finds out about. */
const BELOW_FILE = path.join("package.json", "below");
const TOO_LONG = "x".repeat(300);
const EMBEDDED = ["--functions", "convex", "--data", "none", "--port", "0"];

test.each([
  [
    "embedded",
    [...EMBEDDED, "--watchdog-ms", "soon"],
    "--watchdog-ms must be a whole number above 0, got soon",
  ],
  [
    "embedded",
    [...EMBEDDED, "--function-env", "/none"],
    "There is no file /none: name another one.",
  ],
  [
    "embedded",
    [...EMBEDDED, "--function-env", "convex"],
    `There is no file ${path.join(ROOT, "convex")}: name another one.`,
  ],
  [
    "embedded",
    [...EMBEDDED, "--functions", "package.json"],
    "Functions folder not found: package.json",
  ],
  [
    "embedded",
    [...EMBEDDED, "--data", "package.json"],
    `The folder ${path.join(ROOT, "package.json")} cannot be made (EEXIST). That is a file: name another one.`,
  ],
  [
    "embedded",
    [...EMBEDDED, "--functions", BELOW_FILE],
    `Functions folder not found: ${BELOW_FILE}`,
  ],
  [
    "import",
    ["--from", BELOW_FILE],
    `There is no file ${path.join(ROOT, BELOW_FILE)}: name another one.`,
  ],
  [
    "import",
    ["--from", "package.json", "--keys", TOO_LONG],
    `${path.join(ROOT, TOO_LONG)} cannot be read (ENAMETOOLONG). Name another one.`,
  ],
  [
    "export",
    ["--to", BELOW_FILE],
    `There is no folder ${path.join(ROOT, "package.json")}: make it.`,
  ],
  ["embedded", [...EMBEDDED, "--port", " "], "--port must be a port, got  "],
  ["embedded", [...EMBEDDED, "--port", "1e3"], "--port must be a port, got 1e3"],
  [
    "embedded",
    [...EMBEDDED, "--port", "4000", "--site-port", "4000"],
    "--site-port must not be --port, 4000: leave it out.",
  ],
  ["embedded", [...EMBEDDED, "--host", "a/b"], "--host must be an address, got a/b"],
  ["embedded", [...EMBEDDED, "--host", "fe80::1%lo"], "--host must be an address, got fe80::1%lo"],
  ["test:attacks", ["--controls", "63"], "--controls takes numbers from 1 to 62, got 63"],
  ["test:attacks", ["--controls", "1", "x"], "--controls takes numbers from 1 to 62, got x"],
  ["screenshots", ["nowhere"], "There is no screen with nowhere in its name"],
  ["lighthouse", ["--url", "here"], "--url must be an address such as https://your.host, got here"],
  [
    "lighthouse",
    ["--url", "http://127.0.0.1:1", "--paths", "about"],
    "--paths must begin with /, got about",
  ],
  ["lighthouse", ["--paths=x", "--runs=1e1"], "--runs must be a whole number above 0, got 1e1"],
  ["test:long", ["--part=x", "--scale=1e1"], "--scale must be a whole number above 0, got 1e1"],
  ["seed:large", ["--users", "1e1"], "--users must be a whole number, got 1e1"],
  ["seed:large", ["--url", "here"], "--url must be an address such as https://your.host, got here"],
  [
    "seed:large",
    ["--url", "http://127.0.0.1:1", "--admin-key", "x"],
    "http://127.0.0.1:1 did not answer with this key: fetch failed",
  ],
])("npm run %s with %j is refused", (command, args, line) => {
  // What a command leaves that is wrongly accepted, and would fail every row after this one.
  onTestFinished(() => rmSync(path.join(ROOT, "none"), { recursive: true, force: true }));
  expect(refusal(command, args)).toMatchObject({ status: 1, line });
  expect(existsSync(path.join(ROOT, "none"))).toBe(false);
});

test("a measurement whose product does not start leaves no folder behind", () => {
  const TMPDIR = temporaryDir();
  const { status, stderr } = spawnSync(process.execPath, programOf("lighthouse"), {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, TMPDIR, LOG_FORMAT: "none" },
  });
  expect([status, stderr]).toEqual([
    1,
    "LOG_FORMAT must be text or json, got none\nthe product did not start\n",
  ]);
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test("keys for a server elsewhere need the name of a folder that has them", () => {
  const DATA_DIR = path.join(ROOT, "none");
  const { status, stderr } = spawnSync(
    process.execPath,
    [...programOf("seed:large"), "--url=http://a"],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, DATA_DIR },
    },
  );
  expect([status, stderr]).toEqual([
    1,
    `${path.join(DATA_DIR, "keys.json")} is missing, and with it ADMIN_KEY. Give the server's key: --admin-key.\n`,
  ]);
});

test.each([
  ["keys", []],
  ["doctor", ["--json"]],
  ["start", ["--first-admin", "you@example.org"]],
])("output of %s that finds no room is a failure in one line", (command, args) => {
  const stdout = openSync("/dev/full", "w");
  const DATA_DIR = mkdtempSync(path.join(os.tmpdir(), "no-room-"));
  onTestFinished(() => {
    closeSync(stdout);
    rmSync(DATA_DIR, { recursive: true });
  });
  const stdio: StdioOptions = ["ignore", stdout, "pipe"];
  const env = { ...process.env, DATA_DIR };
  const program = [...programOf(command), ...args];
  const { status, stderr } = spawnSync(process.execPath, program, { cwd: ROOT, env, stdio });
  expect([status, stderr.toString()]).toEqual([
    1,
    "The output cannot be written: ENOSPC: no space left on device, write.\n",
  ]);
});

/** Arguments for Node that run a program as our commands run npm and Vite. */
const running = (program: string, ...args: readonly string[]): string[] => {
  const install = JSON.stringify(path.join(ROOT, "scripts", "lib", "install.mjs"));
  const call = `await run(${[program, args].map((part) => JSON.stringify(part)).join()})`;
  return ["--input-type=module", "-e", `const { run } = await import(${install}); ${call};`];
};

test("a program that is not installed is named, without a stack trace", () => {
  const { status, stderr } = spawnSync(process.execPath, running("no-npm"), { encoding: "utf8" });
  const line = "no-npm cannot be run (ENOENT): install it, or add its folder to PATH.\n";
  expect([status, stderr]).toEqual([1, line]);
});

test("what builds for a command does not outlive it", async () => {
  const builder = "console.log(process.pid); setInterval(() => undefined, 60_000);";
  const command = spawn(process.execPath, running(process.execPath, "-e", builder));
  const [output] = (await once(command.stdout, "data")) as [Buffer];
  const pid = Number(output.toString());
  command.kill("SIGTERM");
  expect(await once(command, "exit")).toEqual([128 + os.constants.signals.SIGTERM, null]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a folder given as an option is relative to the current folder", () => {
  const cwd = realpathSync(os.tmpdir());
  const args = [path.join(ROOT, "scripts", "backup.mjs"), "--data", "nowhere"];
  const { stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  expect(stderr).toContain(`${path.join(cwd, "nowhere")} is no data folder`);
});

test("what a message quotes moves no cursor and turns no text around", () => {
  const archive = path.join(os.tmpdir(), "\u001b[2J\u009b2J\u202e.zip");
  const shown = path.join(os.tmpdir(), "\\u001b[2J\\u009b2J\\u202e.zip");
  const line = `There is no file ${shown}: name another one.`;
  expect(refusal("import", ["--from", archive])).toMatchObject({ status: 1, line });
});

test.each([
  ["start", "DATA_DIR"],
  ["start", "PORT"],
  ["start", "HOST"],
  ["dev", "BACKEND_PORT"],
  ["doctor", "DATA_DIR"],
])("%s does not treat an empty %s like a missing one", (command, name) => {
  vi.stubEnv(name, "");
  const line = `${name} is empty: give it a value, or leave it out`;
  expect(refusal(command, [])).toEqual({ status: 2, line, hasUsage: false });
  vi.unstubAllEnvs();
});

test.each([
  [
    "DATA_DIR",
    '"/data"',
    `DATA_DIR must be a path without quotes or blanks around it, got "/data"`,
  ],
  ["DATA_DIR", "package.json", `DATA_DIR must be a folder, got the file ${ROOT}/package.json`],
  ["BACKEND_PORT", "5173", "PORT and BACKEND_PORT must differ, both are 5173."],
])("dev serves no pages without a backend because of the %s %j", (name, value, line) => {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(refusal("dev", [])).toMatchObject({ status: 1, line });
});

test.each([
  ["DATA_DIR", ".data\r", "a path without quotes or blanks around it", ".data\\r"],
  ["DATA_DIR", '"/data"', "a path without quotes or blanks around it", '"/data"'],
  ["HOST", "127.0.0.1\r", "an address", "127.0.0.1\\r"],
  ["HOST", '"127.0.0.1"', "an address", '"127.0.0.1"'],
  ["DEMO", "1\r", "0 or 1", "1\\r"],
])(
  "start refuses the %s %j, of an environment file that was misread",
  (name, value, rule, shown) => {
    vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const line = `${name} must be ${rule}, got ${shown}`;
    expect(refusal("start", [])).toMatchObject({ status: 1, line });
  },
);
