/** How the packages are installed when they are missing or old, by an npm of a few lines. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

/** A checkout without packages; `install` does what every command begins with, and `npm` is what it runs for that. */
function bareCheckout(npm: string | null) {
  const checkout = temporaryDir();
  const tools = temporaryDir();
  const lib = path.join("scripts", "lib");
  fs.cpSync(path.join(ROOT, lib), path.join(checkout, lib), { recursive: true });
  fs.writeFileSync(path.join(checkout, "package-lock.json"), "{}");
  const file = path.join(tools, "npm");
  if (npm !== null) fs.writeFileSync(file, `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const module = JSON.stringify(path.join(checkout, lib, "install.mjs"));
  const program = `await (await import(${module})).ensurePackages();`;
  const install = () => {
    const PATH = npm === null ? tools : `${tools}:${process.env.PATH}`;
    const env = { ...process.env, PATH };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const ended = new Promise((resolve) => child.once("close", resolve));
    return { child, ended, told: () => told };
  };
  const linesOf = (name: string) => {
    const list = path.join(checkout, name);
    return fs.existsSync(list) ? fs.readFileSync(list, "utf8").trim().split("\n") : [];
  };
  return { checkout, install, linesOf };
}

test("packages behind a link belong to somebody else, and stay", async () => {
  // Empties node_modules as npm does, also behind a link.
  const { checkout, install } = bareCheckout("rm -rf node_modules/*");
  const others = temporaryDir();
  fs.writeFileSync(path.join(others, "package"), "");
  fs.symlinkSync(others, path.join(checkout, "node_modules"));
  const { ended, told } = install();
  expect([await ended, told()]).toEqual([0, ""]);
  expect(fs.readdirSync(others)).toEqual(["package"]);
});

/** A checkout whose lock file wants one package and another system's part of it; npm's own note is `noted`. */
function checkoutWith(noted: string) {
  const bare = bareCheckout("echo once >> runs");
  const packages = {
    "": { name: "wrenmoor" },
    "node_modules/one": { version: "1.2.0", integrity: "sha512-one" },
    "node_modules/one-of-another-system": { version: "1.2.0", optional: true },
  };
  fs.writeFileSync(path.join(bare.checkout, "package-lock.json"), JSON.stringify({ packages }));
  fs.mkdirSync(path.join(bare.checkout, "node_modules"));
  const note = path.join(bare.checkout, "node_modules", ".package-lock.json");
  fs.writeFileSync(note, noted);
  // Copied: older than the lock file.
  fs.utimesSync(note, 1, 1);
  return bare;
}

const ONE = { version: "1.2.0", integrity: "sha512-one" };
const noteOf = (packages: object) => JSON.stringify({ packages });

test("packages that the lock file wants are kept, whatever the files' times", async () => {
  const { install, linesOf } = checkoutWith(noteOf({ "node_modules/one": ONE }));
  expect(await install().ended).toBe(0);
  expect(linesOf("runs")).toEqual([]);
});

test.each([
  ["of another version", noteOf({ "node_modules/one": { ...ONE, version: "1.1.0" } })],
  ["of other content", noteOf({ "node_modules/one": { ...ONE, integrity: "sha512-two" } })],
  ["that are missing", noteOf({})],
  ["that are too many", noteOf({ "node_modules/one": ONE, "node_modules/two": ONE })],
  ["of an npm that was cut off", '{"packages":{"node_modules/o'],
])("packages %s are replaced", async (_which, noted) => {
  const { install, linesOf } = checkoutWith(noted);
  expect(await install().ended).toBe(0);
  expect(linesOf("runs")).toEqual(["once"]);
});

test("the packages of development and those with native parts are installed, whatever npm's settings say", async () => {
  const { install, linesOf } = bareCheckout('echo "$@" > arguments');
  expect(await install().ended).toBe(0);
  expect(linesOf("arguments")[0]).toMatch(/^ci --include=dev --include=optional /);
});

test("an npm that fails ends the command, with its exit code", async () => {
  expect(await bareCheckout("exit 7").install().ended).toBe(7);
});

test("an npm that is missing is told in one line", async () => {
  const { ended, told } = bareCheckout(null).install();
  const line = "npm cannot be run (ENOENT): install it, or add its folder to PATH.\n";
  expect([await ended, told()]).toEqual([1, line]);
});

test("a signal ends npm as well", async () => {
  const { install, linesOf } = bareCheckout("echo $$ > pid; exec tail -f /dev/null");
  const { child, ended } = install();
  const isWritten = [expect.stringMatching(/^\d+$/)];
  await vi.waitFor(() => expect(linesOf("pid")).toEqual(isWritten), PATIENCE);
  child.kill("SIGTERM");
  expect(await ended).toBe(128 + 15);
  expect(() => process.kill(Number(linesOf("pid")[0]), 0)).toThrow("ESRCH");
});

/** Starts a program that uses what installs. */
function startProgram(use: string, env: NodeJS.ProcessEnv = {}) {
  const module = JSON.stringify(path.join(ROOT, "scripts", "lib", "install.mjs"));
  const program = `const { ensureBrowser, run } = await import(${module}); ${use}`;
  const args = ["--input-type=module", "-e", program];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("once what a command ran is done, a signal ends the command itself", async () => {
  const command = startProgram(
    `await run(process.execPath, ["-e", "0"]); console.log(); setInterval(() => undefined, 60_000);`,
  );
  await once(command.stdout, "data");
  command.kill("SIGTERM");
  expect(await once(command, "exit")).toEqual([null, "SIGTERM"]);
});

test("the browser that is named is taken before those of the system", async () => {
  const named = { CHROMIUM_PATH: process.execPath };
  const { stdout } = startProgram("console.log(await ensureBrowser());", named);
  expect(await text(stdout)).toBe(`${process.execPath}\n`);
});

test("two commands at a time install once", async () => {
  const { checkout, install, linesOf } = bareCheckout(
    "echo once >> runs; while [ ! -e go ]; do sleep 0.02; done; mkdir -p node_modules; cp package-lock.json node_modules/.package-lock.json",
  );
  const first = install();
  await vi.waitFor(() => expect(linesOf("runs")).toHaveLength(1), PATIENCE);
  const second = install();
  await vi.waitFor(() => expect(second.told()).toContain("Waiting for process"), PATIENCE);
  fs.writeFileSync(path.join(checkout, "go"), "");
  expect([await first.ended, await second.ended]).toEqual([0, 0]);
  expect(linesOf("runs")).toHaveLength(1);
});
