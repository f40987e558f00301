/** Operators' commands that are stopped half-way, or whose reader goes. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { copyDemoData } from "../attacks/bank";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = "";
let dataDir = "";
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "broken-off-"));
  dataDir = path.join(folder, "data");
  await copyDemoData(dataDir);
  // Builds what the commands need, once.
  spawnSync(process.execPath, ["scripts/doctor.mjs", "--data", dataDir], { cwd: ROOT });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["SIGINT", "export", "bank.zip", "bank.zip.part", 130],
  ["SIGTERM", "export", "bank.zip", "bank.zip.part", 143],
  ["SIGHUP", "backup", "backup", "backup", 129],
  // Its last step, in a child process.
  ["SIGINT", "backup", "backup", "backup/db/store/seal", 130],
] as const)("after %s an unfinished %s is gone", async (signal, command, to, unfinished, code) => {
  const args = [`scripts/${command}.mjs`, "--data", dataDir, "--to", path.join(folder, to)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isThere = () => existsSync(path.join(folder, unfinished));
  while (!isThere() && child.exitCode === null) await turn();
  child.kill(signal);
  // 0: it was faster.
  const status = await ended;
  expect([code, 0]).toContain(status);
  await vi.waitFor(() => expect(() => process.kill(-child.pid!, 0)).toThrow(), PATIENCE);
  if (status === 0) rmSync(path.join(folder, to), { recursive: true });
  expect(readdirSync(folder)).toEqual(["data"]);
});

/** The staging folder of a restore or an import into `into`, or undefined. */
const stagingIn = (into: string): string | undefined =>
  existsSync(into) ? readdirSync(into).find((name) => name.startsWith(".")) : undefined;

test.each([
  ["SIGINT", "restore", "backup", 130],
  ["SIGTERM", "import", "bank.zip", 143],
] as const)(
  "after %s what an unfinished %s has copied is gone",
  async (signal, command, from, code) => {
    const made = path.join(folder, from);
    const making = command === "restore" ? "backup" : "export";
    const run = (...args: readonly string[]) => [`scripts/${args[0]}.mjs`, ...args.slice(1)];
    spawnSync(process.execPath, run(making, "--data", dataDir, "--to", made), { cwd: ROOT });
    const into = path.join(folder, "into");
    const args = run(command, "--from", made, "--data", into);
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    while (stagingIn(into) === undefined && child.exitCode === null) await turn();
    child.kill(signal);
    // 0: it was faster.
    expect([code, 0]).toContain(await ended);
    expect(stagingIn(into)).toBe(undefined);
    for (const one of [made, into]) rmSync(one, { recursive: true });
  },
);

test("a command whose reader is gone does its work, and its exit code says how that ended", () => {
  const code = path.join(folder, "code");
  // The reader is gone long before Node has started.
  const command = `"${process.execPath}" scripts/doctor.mjs --data "${dataDir}"; echo $? >"${code}"`;
  const args = ["-c", `(${command}) | true`];
  const { stderr } = spawnSync("sh", args, { cwd: ROOT, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(readFileSync(code, "utf8")).toBe("0\n");
});
