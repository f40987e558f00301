/**
 * The operators' commands as people run them, on a small bank: moving by backup and by archive, and every
 * fault that `doctor` must find.
 *
 * Long because all tests use copies of one bank, and creating it takes longer than the tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../embedded/db/openDatabase";
import { SYSTEM_TABLES } from "../../embedded/runtime/systemTables";
import { api } from "../../convex/_generated/api";
import { enter, openBank, type Bank } from "../attacks/bank";
import { DEMO } from "../e2e/support/people";
import { passwordToken } from "../support/wireClient";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";
import { doctor, operate, run, stoppedBank } from "./startedBank";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let before: unknown;

/** The data that a member and an administrator see: balances, ids, rows. */
async function visibleState(bank: Bank): Promise<unknown> {
  const maya = await enter(bank, DEMO.maya);
  const admin = await enter(bank, DEMO.admin);
  return {
    accounts: await maya.http.query(api.accounts.listMine, {}),
    recent: await maya.http.query(api.transactions.recent, {}),
    users: (
      await admin.http.query(api.admin.users.list, {
        paginationOpts: { numItems: 50, cursor: null },
      })
    ).page.map(({ _id }) => _id),
  };
}

const bankOn = (dataDir: string): Promise<Bank> => openBank({}, {}, dataDir);

const temporary = (name: string): string => path.join(temporaryDir(), name);

const copyOfBank = stoppedBank(async (seeded) => {
  const bank = await bankOn(seeded);
  before = await visibleState(bank);
  await bank.close();
});

/** The commands of package.json that run our own scripts, with their arguments. */
function ownCommands(): [name: string, args: string[]][] {
  const file = fs.readFileSync(path.join(ROOT, "package.json"), "utf8");
  const { scripts } = JSON.parse(file) as { scripts: Record<string, string> };
  return Object.entries(scripts).flatMap(([name, line]) => {
    const [, program] = /^(?:exec )?node (scripts\/.+)$/.exec(line) ?? [];
    return program === undefined ? [] : [[name, program.split(" ")]];
  });
}

test("every command has a usage text", async () => {
  const commands = ownCommands();
  expect(commands.length).toBeGreaterThan(15);
  for (const [name, args] of commands) {
    const help = await run(...args, "--help");
    expect([name, help.code]).toEqual([name, 0]);
    expect(help.output).toMatch(
      new RegExp(`^usage: (?:[A-Z_]+=\\S+ )?npm (?:run )?${name}(?![\\w:])`),
    );
  }
});

test("the operators' commands refuse invalid arguments with their usage", async () => {
  for (const command of [
    "backup",
    "restore",
    "recover",
    "export",
    "import",
    "doctor",
    "operator",
    "keys",
    "embedded",
  ]) {
    const nonsense = await operate(command, "--nonsense");
    expect([command, nonsense.code]).toEqual([command, 2]);
    expect(nonsense.output).toContain("Unknown option --nonsense");
  }
  expect((await operate("restore", "--from")).output).toContain("Option --from needs a value");
  for (const [command, ...args] of [
    ["restore"],
    ["operator"],
    ["operator", "admins", "--email", "x"],
  ]) {
    expect([command, args, (await operate(command!, ...args)).code]).toEqual([command, args, 2]);
  }
  expect((await operate("doctor", "--min-free-mib", "lots")).output).toContain(
    "whole number above 0",
  );
});

test("backup, wipe, restore: the same balances and ids, and the same keys", async () => {
  const dataDir = copyOfBank();
  const backup = temporary("backup");
  expect((await operate("backup", "--data", dataDir, "--to", backup)).output).toMatch(/verified/);
  fs.rmSync(dataDir, { recursive: true });
  const restore = (...args: string[]) => operate("restore", "--from", backup, ...args);
  const whole = await restore("--data", dataDir, "--verify-only");
  expect(whole.output).toMatch(/ is whole: made \S+, commit \d+, \d+ entries, 2 files\.\n$/);
  expect(fs.existsSync(dataDir)).toBe(false);
  const restored = await restore("--data", dataDir);
  expect(restored).toEqual({ code: 0, output: `Restored ${backup} to ${dataDir}.\n` });
  const refused = await restore("--data", dataDir);
  expect(refused.output).toMatch(/^\S+ holds data already\nAdd --replace to put this in its place/);
  const replacing = await restore("--data", dataDir, "--replace");
  const [aside = ""] = fs.readdirSync(dataDir).filter((name) => name.startsWith("replaced-"));
  expect(replacing.output).toContain(`\nWhat was there lies in ${path.join(dataDir, aside)}.\n`);
  expect([refused.code, replacing.code]).toEqual([1, 0]);
  const fresh = await doctor(dataDir, "log");
  expect(fresh.found).toMatchObject([{ status: "warning" }]);
  expect(fresh.code).toBe(0);
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  expect(await visibleState(bank)).toEqual(before);
  const again = await restore("--data", dataDir, "--replace");
  expect(again.code).toBe(1);
  expect(again.output).toMatch(/is using the data folder [^\n]*: stop [^\n]*\n$/);
});

test("a damaged backup is reported as such, not as a server's damaged data", async () => {
  const backup = temporary("backup");
  await operate("backup", "--data", copyOfBank(), "--to", backup);
  fs.appendFileSync(path.join(backup, "keys.json"), " ");
  const dataDir = temporary("data");
  for (const args of [["--verify-only"], ["--data", dataDir]]) {
    const { code, output } = await operate("restore", "--from", backup, ...args);
    expect(code).toBe(1);
    expect(output).toMatch(/keys\.json is damaged\n.*This backup is damaged: use another one/);
    expect(output).not.toContain("doctor");
  }
  expect(fs.existsSync(dataDir)).toBe(false);
});

test("export from a running bank, import elsewhere: the same balances and ids", async () => {
  const bank = await bankOn(copyOfBank());
  onTestFinished(() => bank.close());
  const archive = temporary("bank.zip");
  expect((await operate("export", "--data", bank.dataDir, "--to", archive)).output).toMatch(
    /^Exported/,
  );
  const elsewhere = temporary("data");
  const keys = path.join(bank.dataDir, "keys.json");
  const args = ["--from", archive, "--data", elsewhere];
  const wrong = await operate("import", ...args, "--keys", archive);
  expect([wrong.code, wrong.output]).toEqual([
    1,
    `${archive} does not hold the keys of a deployment: name its keys.json.\n`,
  ]);
  expect(fs.existsSync(elsewhere)).toBe(false);
  const foreign = temporary("keys.json");
  fs.writeFileSync(foreign, JSON.stringify(otherKeys(keys)), { mode: 0o600 });
  const others = await operate("import", ...args, "--keys", foreign);
  expect([others.code, others.output.trimEnd()]).toEqual([
    1,
    `${foreign} is of another deployment: the one-time codes were sealed with other keys.`,
  ]);
  expect((await operate("import", "--from", keys, "--data", temporary("none"))).output).toBe(
    `${keys} cannot be read: Not a zip archive. Export it again, or name another file.\n`,
  );
  const without = ["--from", archive, "--data", temporary("keyless")];
  const keyless = await operate("import", ...without);
  expect(keyless.output).toMatch(
    /keys\.json is missing.*\n.*--keys FILE --replace,.*--new-keys.*\n$/,
  );
  const asAdvised = await operate("import", ...without, "--keys", keys, "--replace");
  expect(asAdvised.output).toMatch(/^Imported .*\nWhat was there lies in .*\n$/);
  expect((await operate("import", ...args, "--keys", keys)).output).toMatch(
    /^Imported \d+ documents of \d+ tables and \d+ files to .*\n$/,
  );
  const second = await operate("import", ...args);
  expect(second.output).toMatch(/holds data already\nAdd --replace/);
  const twice = await operate("import", ...args, "--keys", keys, "--replace");
  const there = path.join(elsewhere, "keys.json");
  expect(twice.output).toBe(
    `${there} is there already. Move it away if it is not the right one.\n`,
  );
  const copy = await bankOn(elsewhere);
  onTestFinished(() => copy.close());
  expect(await visibleState(copy)).toEqual(before);
});

test("an export does not touch the unfinished archive of another export", async () => {
  const archive = temporary("bank.zip");
  fs.writeFileSync(`${archive}.part`, "half an archive");
  const { code, output } = await operate("export", "--data", copyOfBank(), "--to", archive);
  expect(code).toBe(1);
  expect(output).toMatch(/\.part is there: another export writes it, or one was broken off\. Wait/);
  expect(fs.readFileSync(`${archive}.part`, "utf8")).toBe("half an archive");
});

/** Valid keys for one-time codes that differ from those of the file. */
function otherKeys(file: string): Record<string, string> {
  const keys = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string>;
  const reversed = (text = "") => [...text].reverse().join("");
  return { ...keys, OTP_HMAC_KEY: reversed(keys.OTP_HMAC_KEY) };
}

test("doctor finds nothing wrong with an undamaged bank, stopped or running", async () => {
  const dataDir = copyOfBank();
  const stopped = await doctor(dataDir, "ledger");
  expect(stopped.findings.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(stopped.code).toBe(0);
  expect(stopped.found[0]?.text).toMatch(/^balanced: 12 accounts/);
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  const running = await doctor(dataDir, "ledger");
  expect(running.findings.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(running.found[0]?.text).toMatch(/^balanced: 12 accounts/);
});

test("doctor finds a port that another program has", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  vi.stubEnv("PORT", String(port));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, found } = await doctor(copyOfBank(), "port");
  expect(code).toBe(0);
  expect(found).toEqual([
    {
      check: "port",
      status: "warning",
      text: expect.stringContaining(`Port ${port} is taken by another server`) as string,
      next: "Stop it, or set PORT.",
    },
  ]);
});

test("malformed settings are reported by doctor and do not block access to the data", async () => {
  const dataDir = copyOfBank();
  const wrong = {
    SITE_URL: "here",
    TRUSTED_PROXY: "10.0.0.0/8",
    CONNECTIONS_PER_ADDRESS: "many",
    VITE_MARKET_WIDGET_URL: "here",
    LOG_FORMAT: "",
  };
  for (const [name, value] of Object.entries(wrong)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, findings, found } = await doctor(dataDir, "environment");
  expect(code).toBe(1);
  expect(found.filter(({ status }) => status === "problem").map(({ text }) => text)).toEqual([
    "SITE_URL must be an address such as https://your.host, got here",
    "TRUSTED_PROXY must be an IP address or none, got 10.0.0.0/8",
    "CONNECTIONS_PER_ADDRESS must be a whole number above 0, got many",
    "VITE_MARKET_WIDGET_URL must be an address such as https://your.host, got here",
    "LOG_FORMAT is empty: give it a value, or leave it out",
  ]);
  expect(findings.at(-1)).toMatchObject({ check: "ledger", status: "ok" });
  expect((await operate("operator", "admins", "--data", dataDir)).output).toContain(DEMO.admin);
  const archive = temporary("bank.zip");
  await operate("export", "--data", dataDir, "--to", archive);
  const imported = await operate("import", "--from", archive, "--data", temporary("elsewhere"));
  expect(imported.output).toMatch(/^Imported /);
  expect(imported.output).not.toContain("without stored files");
  const tables = temporary("tables.zip");
  await operate("export", "--data", dataDir, "--to", tables, "--without-files");
  const withoutFiles = await operate("import", "--from", tables, "--data", temporary("tables"));
  expect(withoutFiles.output).toContain("The archive was made without stored files.");
});

test("doctor finds a damaged store, which recover rebuilds: the same balances and ids", async () => {
  const dataDir = copyOfBank();
  const file = path.join(dataDir, "db", "store", "data.mdb");
  const bytes = fs.readFileSync(file);
  bytes[bytes.lastIndexOf("balanceCents")]! ^= 1;
  fs.writeFileSync(file, bytes);
  const { code, found, findings } = await doctor(dataDir, "store");
  expect(code).toBe(1);
  const unopened = {
    check: "ledger",
    status: "warning",
    text: expect.stringMatching(/^not checked/) as string,
  };
  expect(findings.at(-1)).toMatchObject(unopened);
  expect(found[0]).toMatchObject({
    status: "problem",
    next: expect.stringContaining("npm run recover") as string,
  });
  expect((await operate("recover", "--data", dataDir)).output).toMatch(/ has all \d+ commits /);
  expect((await operate("recover", "--data", dataDir)).output).toContain("The store is sound");
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  expect(await visibleState(bank)).toEqual(before);
});

test("doctor finds a damaged log", async () => {
  const dataDir = copyOfBank();
  const folder = path.join(dataDir, "db", "journal");
  const segment = fs.readdirSync(folder).find((name) => name !== "acknowledged") ?? "";
  const bytes = fs.readFileSync(path.join(folder, segment));
  bytes[200]! ^= 1;
  fs.writeFileSync(path.join(folder, segment), bytes);
  const { code, found } = await doctor(dataDir, "log");
  expect(code).toBe(1);
  expect(found[0]?.status).toBe("problem");
  const recovered = await operate("recover", "--data", dataDir);
  expect(recovered.code).toBe(1);
  fs.readdirSync(folder).forEach((name) => fs.rmSync(path.join(folder, name)));
  expect((await doctor(dataDir, "log")).found[0]).toMatchObject({ status: "warning" });
  expect(recovered.output).toMatch(/store is sound.* but the log is not: Log .*\n.*npm run doctor/);
});

/** Reading the log fails, as on a broken disk. */
const BROKEN_DISK = `
const fs = require("node:fs");
const { openSync, readSync } = fs;
const logs = new Set();
fs.openSync = (file, ...rest) => {
  const handle = openSync(file, ...rest);
  if (String(file).endsWith(".log")) logs.add(handle);
  else logs.delete(handle);
  return handle;
};
fs.readSync = (handle, ...rest) => {
  if (!logs.has(handle)) return readSync(handle, ...rest);
  throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
};
require("node:module").syncBuiltinESMExports();`;

test("doctor does not take a disk that cannot be read for a damaged log", async () => {
  const preload = temporary("brokenDisk.cjs");
  fs.writeFileSync(preload, BROKEN_DISK);
  vi.stubEnv("NODE_OPTIONS", `--require=${preload}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await doctor(copyOfBank(), "log")).found).toEqual([
    {
      check: "log",
      status: "problem",
      text: "EIO: i/o error, read",
      next: expect.stringMatching(/^A disk has failed: see which one/) as string,
    },
  ]);
});

/** Changes a stopped bank's database directly, bypassing its functions. */
async function tamper(
  dataDir: string,
  change: (db: Awaited<ReturnType<typeof openDatabase>>["db"]) => Promise<void>,
  now: () => number = Date.now,
): Promise<void> {
  const { db } = await openDatabase(path.join(dataDir, "db"), { systemSchema: SYSTEM_TABLES, now });
  await change(db);
  await db.close();
}

test("doctor finds a balance that is off by a cent", async () => {
  const dataDir = copyOfBank();
  await tamper(dataDir, async (db) => {
    const tx = db.beginMutation(Date.now());
    const source = { type: "FullTableScan", tableName: "accounts", order: "asc" } as const;
    const account = tx.openStream({ source, operators: [] }).next();
    const { balanceCents } = account?.value() ?? {};
    tx.patchValue(account?.id ?? "", { balanceCents: (balanceCents as bigint) + 1n });
    await db.commit(tx).durable;
  });
  const { code, found } = await doctor(dataDir, "ledger");
  expect(code).toBe(1);
  expect(found[0]?.text).toContain("balance is not the sum of its postings");
});

test("doctor finds missing keys and creates none", async () => {
  const dataDir = copyOfBank();
  const file = path.join(dataDir, "keys.json");
  const keys = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string>;
  delete keys.OTP_ENC_KEY;
  fs.writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
  const lacking = await doctor(dataDir, "keys");
  expect(lacking.code).toBe(1);
  expect(lacking.found[0]?.text).toContain("lacks OTP_ENC_KEY");
  expect(lacking.findings.at(-1)?.text).toBe("not checked: the keys are not as they should be");
  fs.rmSync(file);
  expect((await doctor(dataDir, "keys")).found[0]?.text).toContain("is missing");
  expect(fs.existsSync(file)).toBe(false);
});

test("doctor finds a public key that is another pair's, and none that is only older", async () => {
  const dataDir = copyOfBank();
  const file = path.join(dataDir, "keys.json");
  const pair = JSON.parse(fs.readFileSync(file, "utf8")) as { JWKS: string };
  const [key] = (JSON.parse(pair.JWKS) as { keys: { n: string }[] }).keys;
  const other = { ...key, n: [...key!.n].reverse().join("") };
  const withKeys = async (...keys: readonly unknown[]) => {
    const changed = { ...pair, JWKS: JSON.stringify({ keys }) };
    fs.writeFileSync(file, JSON.stringify(changed), { mode: 0o600 });
    return (await doctor(dataDir, "keys")).found[0];
  };
  expect(await withKeys(other, key)).toMatchObject({ status: "ok" });
  const found = await withKeys(other);
  expect(found).toMatchObject({ status: "problem" });
  expect(found?.text).toContain("JWKS does not publish the public half of JWT_PRIVATE_KEY");
});

test("doctor finds keys of another deployment", async () => {
  const dataDir = copyOfBank();
  const file = path.join(dataDir, "keys.json");
  fs.writeFileSync(file, JSON.stringify(otherKeys(file)), { mode: 0o600 });
  const { code, found } = await doctor(dataDir, "keys");
  expect(code).toBe(1);
  expect(found.map(({ text }) => text).join("\n")).toContain("sealed with other keys");
});

test("a stored file that cannot be read is named; all others are backed up", async () => {
  const dataDir = copyOfBank();
  const [unreadable = ""] = fs.readdirSync(path.join(dataDir, "files"));
  // Like a bad sector: the file exists, and reading it fails.
  fs.rmSync(path.join(dataDir, "files", unreadable));
  fs.mkdirSync(path.join(dataDir, "files", unreadable));
  const backup = await operate("backup", "--data", dataDir, "--to", temporary("backup"));
  expect(backup.code).toBe(1);
  expect(backup.output).toMatch(/verified\.\n1 stored files are missing or damaged/);
  const exported = await operate("export", "--data", dataDir, "--to", temporary("bank.zip"));
  expect(exported.output).toContain(`The stored file ${unreadable} cannot be read (EISDIR`);
  fs.rmdirSync(path.join(dataDir, "files", unreadable));
  const without = await operate("export", "--data", dataDir, "--to", temporary("bank.zip"));
  expect(without.code).toBe(1);
  expect(without.output).toMatch(
    /^Exported to .*\n1 stored files are missing or damaged in .*: npm run doctor/,
  );
  const { found } = await doctor(dataDir, "files");
  expect(found[0]?.text).toContain(`1 of 2 are missing or damaged: ${unreadable}`);
});

test("doctor finds a clock that was set back", async () => {
  const dataDir = copyOfBank();
  const HOUR_MS = 3_600_000;
  await tamper(
    dataDir,
    async (db) => {
      const tx = db.beginMutation(Date.now());
      tx.insertValue("otherThings", { text: "written before the clock was set back" });
      await db.commit(tx).durable;
    },
    () => Date.now() + HOUR_MS,
  );
  const { code, found } = await doctor(dataDir, "clock");
  expect(code).toBe(1);
  expect(found[0]?.text).toMatch(/^The clock is 3[56]\d\d s behind the newest commit/);
});

test("doctor finds a disk that is nearly full", async () => {
  const { code, found } = await doctor(copyOfBank(), "disk", "--min-free-mib", "999999999");
  expect(code).toBe(1);
  expect(found[0]?.text).toMatch(/^Nearly full: \d+ MiB free/);
});

/** Ends the thread that applies commits to the store as soon as it reads the log. */
const ENDING = `
const fs = require("node:fs");
const { readSync } = fs;
fs.readSync = (...args) => {
  if (require("node:worker_threads").workerData?.journalFolder !== undefined) process.exit(7);
  return readSync(...args);
};
require("node:module").syncBuiltinESMExports();`;

test("doctor finds a store that lags behind the log, and recover applies the missing commits", async () => {
  const bank = await bankOn(copyOfBank());
  onTestFinished(() => bank.close());
  const preload = temporary("ending.cjs");
  fs.writeFileSync(preload, ENDING);
  await (await enter(bank, DEMO.maya)).http.query(api.accounts.listMine, {});
  // As after a kill: the sign-in is in the log, but not yet in the store.
  const dataDir = temporary("data");
  fs.cpSync(bank.dataDir, dataDir, {
    recursive: true,
    filter: (name) => !/lock|running/.test(name),
  });
  vi.stubEnv("NODE_OPTIONS", `--require=${preload}`);
  const { code, found } = await doctor(dataDir, "opening");
  vi.unstubAllEnvs();
  expect(code).toBe(1);
  expect(found[0]?.text).toMatch(/^The store cannot be written \(.*ended: exit code 7\)/);
  expect(found[0]?.next).toMatch(/If the disk is full, make room \(.*exports.*npm run recover/);
  expect((await operate("recover", "--data", dataDir)).output).toMatch(/lacked \d+ commits/);
});

test("doctor finds a second server on the same data", async () => {
  const dataDir = copyOfBank();
  const bank = await bankOn(dataDir);
  onTestFinished(() => bank.close());
  // A second process that bypassed the lock, for example because somebody deleted it.
  const lmdb = createRequire(import.meta.url).resolve("lmdb");
  const program = `require(process.argv[1]).open({ path: process.argv[2], noSubdir: false }); console.log("open"); setInterval(() => {}, 1000)`;
  const second = spawn(process.execPath, ["-e", program, lmdb, path.join(dataDir, "db", "store")]);
  onTestFinished(() => void second.kill("SIGKILL"));
  await new Promise((resolve) => second.stdout.once("data", resolve));
  const { code, found } = await doctor(dataDir, "servers");
  expect(code).toBe(1);
  expect(found[0]?.text).toBe(
    `More than one server writes this folder: processes ${process.pid}, ${second.pid ?? 0}`,
  );
  await bank.close();
  const alone = await doctor(dataDir, "servers");
  expect(alone.found[0]?.text).toBe(
    `Process ${second.pid ?? 0} has the store open without the folder's lock`,
  );
  expect(alone.findings.at(-1)?.text).toBe("not checked: the data cannot be opened safely");
});

test("metrics count calls, show queues and the ledger check, and are served to this machine only", async () => {
  const bank = await bankOn(copyOfBank());
  onTestFinished(() => bank.close());
  const admin = await enter(bank, DEMO.admin);
  await admin.http.query(api.admin.health.get, {});
  await expect(passwordToken(bank.origin, DEMO.maya, "wrong password")).rejects.toThrow();
  await new ConvexHttpClient(bank.origin, { logger: false })
    .query("no:such" as unknown as typeof api.viewer.get, {})
    .catch(() => undefined);
  const text = await (await fetch(`${bank.origin}/metrics`)).text();
  expect(text).toContain(
    'convex_calls_total{kind="query",function="admin/health:get",outcome="ok"} 1',
  );
  expect(text).toContain('convex_calls_total{kind="query",function="other",outcome="error"} 1');
  expect(text).toMatch(/convex_call_seconds_bucket\{kind="mutation",le="\+Inf"\} 1\n/);
  expect(text).toContain('app_queue_waiting{queue="Applications to review"} 1');
  expect(text).toContain("convex_subscriptions 0");
  const proxied = { headers: { "X-Forwarded-For": "192.0.2.7" } };
  expect((await fetch(`${bank.origin}/metrics`, proxied)).status).toBe(404);
});
