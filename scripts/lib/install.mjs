/**
 * Prepares a fresh clone without prompts: npm packages from the lock file, and a browser for the end-to-end
 * tests. Plain JavaScript, because it runs before any package exists.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, lstatSync, readFileSync, unlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "./args.mjs";
import { withLock } from "./lock.mjs";
import { STOP_SIGNALS } from "./signals.mjs";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Runs a command with its output shown; exits with its exit code when it fails. A signal ends the command first: it
 * would go on writing what the next process installs or builds anew.
 */
export async function run(command, args, env = {}) {
  const stop = (signal) => void child.kill(signal);
  // Before there is a command: on a busy machine it may run for a while until this process goes on.
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code, signal] = await once(child, "exit").catch(({ code }) =>
    fail(`${command} cannot be run (${code}): install it, or add its folder to PATH.`),
  );
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  if (code !== 0) process.exit(code ?? 128 + os.constants.signals[signal]);
}

/** Exits, with what to do, when this user may not write `folder` of the checkout: a service's user often may not. */
export function refuseUnwritable(folder, why, command) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    fail(
      `${why}, and this user cannot write ${folder} (${error.code}): run ${command} in ${ROOT} as the user to whom that ` +
        "belongs, with the same environment.",
    );
  }
}

/** The oldest supported version of Node: `engines` of package.json, which npm only warns about. */
const NODE_MIN = [20, 19];

/** Exits on a version of Node that is too old, before using anything that version lacks. */
function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  console.error(
    `This needs Node ${NODE_MIN.join(".")} or newer, and ${process.execPath} is ${process.version}. Install a newer one (nodejs.org), and run this with it.`,
  );
  process.exit(1);
}

/** The packages that a lock file lists, by their folders; null when there is no such file, or half of one. */
function readLockFile(...names) {
  try {
    const { packages = {} } = JSON.parse(readFileSync(path.join(ROOT, ...names), "utf8"));
    // The checkout itself.
    delete packages[""];
    return packages;
  } catch {
    return null;
  }
}

/**
 * Whether the npm packages are those of the lock file, by what npm notes of its work. Not by the files' times: a copied
 * or newly checked out lock file is younger than what it describes.
 */
function areInstalled() {
  const installed = readLockFile("node_modules", ".package-lock.json");
  const wanted = readLockFile("package-lock.json");
  if (installed === null || wanted === null) return false;
  // Optional packages are native parts, of which each system takes its own.
  const isAsWanted = ([folder, { version, integrity, optional }]) =>
    folder in installed
      ? installed[folder].version === version && installed[folder].integrity === integrity
      : optional === true;
  return (
    Object.keys(installed).every((folder) => folder in wanted) &&
    Object.entries(wanted).every(isAsWanted)
  );
}

/** Checks Node, and installs the npm packages when they are missing or not those of the lock file. */
export async function ensurePackages() {
  checkNode();
  if (areInstalled()) return;
  refuseUnwritable(ROOT, "Packages are missing or not those of package-lock.json", "npm ci");
  // `npm ci` begins by removing what another command may just be installing.
  await withLock(path.join(ROOT, ".install.lock"), async () => {
    if (areInstalled()) return;
    console.log("Installing packages (npm ci) ...");
    leaveLinkedPackages();
    // Whatever NODE_ENV and npm's settings say: development packages build the pages, and optional ones are the
    // native parts of others.
    const included = ["--include=dev", "--include=optional"];
    await run("npm", ["ci", ...included, "--no-audit", "--no-fund", "--loglevel=error"]);
  });
}

/** `npm ci` would empty the folder that a link leads to, which may be another checkout's. */
function leaveLinkedPackages() {
  const packages = path.join(ROOT, "node_modules");
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(packages);
}

/** Browsers of a system, the preferred one first; the tests look for the same (tests/support/browser.ts). */
const SYSTEM_BROWSERS = JSON.parse(readFileSync(new URL("browsers.json", import.meta.url), "utf8"));

/** Debian's packages: Chromium without windows, which takes three quarters of the time, and with them. */
const WITHOUT_WINDOWS = "chromium-headless-shell";
const WITH_WINDOWS = "chromium";

/**
 * Path of a Chromium for the tests, or undefined to let Playwright use its own. Installs one when there is
 * none: Debian's package as root, otherwise Playwright's download.
 */
export async function ensureBrowser() {
  const found = [process.env.CHROMIUM_PATH, ...SYSTEM_BROWSERS].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (found) return found;
  const isRoot = typeof process.getuid === "function" && process.getuid() === 0;
  if (isRoot && existsSync("/usr/bin/apt-get")) {
    console.log("Installing chromium (apt-get) ...");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-qq"], env);
    // Older systems have it with windows only.
    const isKnown =
      spawnSync("apt-cache", ["show", WITHOUT_WINDOWS], { stdio: "ignore" }).status === 0;
    const name = isKnown ? WITHOUT_WINDOWS : WITH_WINDOWS;
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], env);
    return `/usr/bin/${name}`;
  }
  await run("npx", ["playwright", "install", "chromium"]);
  return undefined;
}
