/** One build at a time; dead locks are taken over. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryDir } from "../support/temporaryDir";
import { ROOT } from "../support/sources";
import { PATIENCE } from "../support/patience";

type WithLock = <T>(file: string, work: () => Promise<T>) => Promise<T>;

const { withLock } = (await import(
  pathToFileURL(path.join(ROOT, "scripts", "lib", "lock.mjs")).href
)) as { withLock: WithLock };

const newFile = () => path.join(temporaryDir(), ".lock");

test("the lock file is removed after each build, also when one fails", async () => {
  const file = newFile();
  const failing = withLock(file, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  const isLocked = await withLock(file, () => Promise.resolve(fs.existsSync(file)));
  expect(isLocked).toBe(true);
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

test.each([
  ["an empty lock file", ""],
  ["a lock file of a dead process", "999999999"],
])("%s is ignored", async (_whose, text) => {
  const file = newFile();
  fs.writeFileSync(file, text);
  expect(await withLock(file, () => Promise.resolve("done"))).toBe("done");
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

test("waiting for a live process is reported once, and ends when that process exits", async () => {
  const file = newFile();
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  onTestFinished(() => void other.kill());
  fs.writeFileSync(file, String(other.pid));
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const polled = vi.spyOn(process, "kill");
  onTestFinished(() => polled.mockRestore());
  let isDone = false;
  const waiting = withLock(file, () => Promise.resolve()).then(() => (isDone = true));
  await vi.waitUntil(() => polled.mock.calls.length > 3, PATIENCE);
  expect(isDone).toBe(false);
  expect(said.mock.calls).toEqual([
    [`Waiting for process ${other.pid}, which installs or builds (when it does not: rm ${file}).`],
  ]);
  other.stdin.end();
  await once(other, "exit");
  await waiting;
});

test("a process of somebody else, which may not be signalled, is waited for, too", async () => {
  const file = newFile();
  fs.writeFileSync(file, String(process.pid));
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const polled = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  });
  onTestFinished(() => polled.mockRestore());
  const waiting = withLock(file, () => Promise.resolve(fs.readFileSync(file, "utf8")));
  await vi.waitUntil(() => polled.mock.calls.length > 3, PATIENCE);
  expect(fs.readFileSync(file, "utf8")).toBe(String(process.pid));
  fs.rmSync(file);
  await waiting;
});
