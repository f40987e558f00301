/**
 * Control runs: removes one protection after another from a copy of the sources and runs the tests that must
 * fail. The repository itself is never changed.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { ROOT } from "./install.mjs";
import { STOP_SIGNALS } from "./signals.mjs";
import { CONTROLS, GUARD_MUTANTS } from "./attackControls.mjs";
import { specsOf } from "./testReports.mjs";

/** Without a protection, a test may wait for a refusal that never comes. */
const TEST_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 240_000;
const REASON_LENGTH_MAX = 200;
const HAS_RUN = new Set(["passed", "failed"]);

/** Functions that end or remove what a signal would leave behind. */
const unfinished = new Set();

function endUnfinished() {
  // The last first: a run before the copy that it runs in.
  for (const end of [...unfinished].reverse()) end();
}

/** Copies the current sources to a temporary folder that shares the installed packages. */
function copySources() {
  const copy = mkdtempSync(path.join(os.tmpdir(), "control-run-"));
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of files.filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    // With file times: a lock file newer than the packages would make npm install them again.
    cpSync(path.join(ROOT, file), path.join(copy, file), { preserveTimestamps: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** Applies the edits and returns the function that reverts them. Throws when a text is not found exactly once. */
function mutate(copy, edits) {
  const undo = [];
  for (const { file, from, to } of edits) {
    const place = path.join(copy, file);
    const text = readFileSync(place, "utf8");
    const count = text.split(from).length - 1;
    if (count !== 1) throw new Error(`${file} holds this text ${count} times, not once: ${from}`);
    undo.push(() => writeFileSync(place, text));
    writeFileSync(
      place,
      text.replace(from, () => to),
    );
  }
  return () => undo.reverse().forEach((each) => each());
}

/** Runs a script to its end. Throws when that takes too long, whatever it has reported until then. */
function run(command, args, cwd, env = {}) {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    let isLate = false;
    const kill = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has just ended by itself.
      }
    };
    unfinished.add(kill);
    const late = setTimeout(() => {
      isLate = true;
      kill();
    }, RUN_TIMEOUT_MS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(late);
      unfinished.delete(kill);
      const took = `not ended after ${RUN_TIMEOUT_MS / 1000} s`;
      if (isLate) reject(new Error(`${path.basename(command)}: ${took}`));
      else resolve(code);
    });
  });
}

function read(file) {
  if (!existsSync(file)) throw new Error("the run ended without a report");
  return JSON.parse(readFileSync(file, "utf8"));
}

const firstLine = (text) =>
  String(text ?? "")
    .split("\n", 1)[0]
    .slice(0, REASON_LENGTH_MAX);

/**
 * Test titles of a Vitest report, with the result of each test and its reason. Throws when a suite failed
 * before its tests: tests that did not run prove nothing.
 */
export function resultsOfVitest(report) {
  for (const suite of report.testResults) {
    const ran = suite.assertionResults.some(({ status }) => HAS_RUN.has(status));
    const isBroken = suite.status === "failed" && !ran;
    if (isBroken) throw new Error(`${path.basename(suite.name)}: ${firstLine(suite.message)}`);
  }
  return report.testResults
    .flatMap((suite) => suite.assertionResults)
    .filter(({ status }) => HAS_RUN.has(status))
    .map(({ title, status, failureMessages }) => ({
      title,
      isPassed: status === "passed",
      reasons: (failureMessages ?? []).map(String),
    }));
}

async function runVitest(copy, tests, pattern) {
  const report = path.join(copy, "control.json");
  rmSync(report, { force: true });
  const vitest = path.join(copy, "node_modules", "vitest", "vitest.mjs");
  const only = pattern === null ? [] : ["-t", pattern];
  const args = ["run", "--project", "unit", ...tests.split(" "), ...only, "--reporter=json"];
  await run(vitest, [...args, `--outputFile=${report}`, `--testTimeout=${TEST_TIMEOUT_MS}`], copy);
  return resultsOfVitest(read(report));
}

/** The same of a Playwright report. */
export function resultsOfPlaywright(report) {
  const [broken] = report.errors ?? [];
  if (broken !== undefined) throw new Error(firstLine(broken.message));
  return report.suites
    .flatMap(specsOf)
    .filter(({ tests }) => tests.some(({ status }) => status !== "skipped"))
    .map(({ title, ok, tests }) => ({
      title,
      isPassed: ok,
      reasons: tests
        .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
        .map(({ message }) => String(message ?? "")),
    }));
}

/** Rebuilds the client in the copy. A protection whose removal does not build was not removed. */
async function runBrowser(copy, tests, pattern) {
  const report = path.join(copy, "control.json");
  rmSync(report, { force: true });
  const code = await run(path.join(copy, "scripts", "build.mjs"), [], copy);
  if (code !== 0) throw new Error("the client was not built");
  const playwright = path.join(copy, "node_modules", "@playwright", "test", "cli.js");
  const args = ["test", tests, "-g", pattern, "--reporter=json"];
  await run(playwright, args, copy, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  return resultsOfPlaywright(read(report));
}

/** The guarded functions of the recorded API surface: path, kind, guard. */
function surface() {
  const text = readFileSync(path.join(ROOT, "tests", "conformance", "surface.txt"), "utf8");
  return [...text.matchAll(/^(\S+) {2}\[(\w+), (\w+)\]$/gm)].map(
    ([, functionPath, kind, guard]) => ({
      path: functionPath,
      kind,
      guard,
    }),
  );
}

/** An attack's number is part of a test's title; an attack without a number is the title. */
const isNamed = (title, attack) =>
  typeof attack === "string" ? title === attack : new RegExp(`\\bTH${attack}\\b`).test(title);

/** Messages of a failed comparison: the attack had a different result than required. */
const COMPARED = /AssertionError|\bexpect\b/;
/** Messages of sources that no longer run, so nothing was attacked. */
const BROKE = /SyntaxError|Transform failed|Build failed|Cannot find module|ReferenceError/;

const failuresOf = (results) => results.filter(({ isPassed }) => !isPassed);

/** Ambiguous failures: a timeout or another error may also happen with the protection in place. */
export const unclearFailures = (results) =>
  failuresOf(results).filter(({ reasons }) => !reasons.some((reason) => COMPARED.test(reason)));

/**
 * The attacks that a control's tests did not detect; empty when all is well. A failure counts when its test
 * ran and compared, or when the same test passes with the protection in place (`soundResults`, null: not
 * run).
 */
export function unnoticed(control, results, soundResults) {
  const broken = failuresOf(results).flatMap(({ reasons }) => reasons.filter((r) => BROKE.test(r)));
  if (broken.length > 0) return [`the sources no longer run: ${firstLine(broken[0])}`];
  const unclear = new Set(unclearFailures(results));
  const passesOtherwise = (title) =>
    soundResults?.some((sound) => sound.title === title && sound.isPassed) === true;
  const noticed = failuresOf(results).filter(
    (result) => !unclear.has(result) || passesOtherwise(result.title),
  );
  if (control.mustFail !== undefined) {
    const wanted = surface().filter(control.mustFail);
    return wanted
      .filter(({ path: name }) => !noticed.some(({ title }) => title.startsWith(`${name} `)))
      .map(({ path: name }) => name);
  }
  return control.attacks.filter((attack) => !noticed.some(({ title }) => isNamed(title, attack)));
}

async function runControl(copy, control) {
  const isBrowser = control.tests.endsWith(".spec.ts");
  const numbers = control.attacks.filter((attack) => typeof attack === "number");
  const pattern = numbers.length === 0 ? null : `TH(${numbers.join("|")})\\b`;
  const runTests = () => (isBrowser ? runBrowser : runVitest)(copy, control.tests, pattern);
  const restore = mutate(copy, control.edits);
  let results;
  try {
    results = await runTests();
  } finally {
    restore();
  }
  if (results.length === 0) return ["no test ran"];
  const soundResults = unclearFailures(results).length === 0 ? null : await runTests();
  return unnoticed(control, results, soundResults);
}

/** The controls whose text is not in the sources exactly once. Runs nothing. */
export function staleControls() {
  return [...CONTROLS, ...GUARD_MUTANTS].flatMap(({ name, edits }) =>
    edits
      .filter(({ file, from }) => {
        return readFileSync(path.join(ROOT, file), "utf8").split(from).length !== 2;
      })
      .map(({ file }) => `${name}: ${file}`),
  );
}

/** The numbers of the attacks that have a control. */
export function controlledAttacks() {
  return new Set(CONTROLS.flatMap(({ attacks }) => attacks));
}

/**
 * Runs all controls, or those of the given attacks. Prints one line each; returns the number of protections
 * whose removal was not detected.
 */
export async function runControls(wanted = []) {
  const isWanted = ({ attacks }) =>
    wanted.length === 0 || attacks.some((attack) => wanted.includes(String(attack)));
  const waiting = [...CONTROLS, ...GUARD_MUTANTS].filter(isWanted);
  const total = waiting.length;
  let bad = 0;
  for (const signal of STOP_SIGNALS) {
    process.once(signal, (_, number) => {
      endUnfinished();
      process.exit(128 + number);
    });
  }
  const worker = async () => {
    const copy = copySources();
    // What was just killed may still be writing there.
    const remove = () => rmSync(copy, { recursive: true, force: true, maxRetries: 10 });
    unfinished.add(remove);
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const startedAt = Date.now();
        const missed = await runControl(copy, next).catch((error) => [
          String(error?.message ?? error),
        ]);
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
        const of = next.attacks.map((attack) =>
          typeof attack === "number" ? `TH${attack}` : attack,
        );
        if (missed.length > 0) bad += 1;
        const verdict = missed.length === 0 ? "noticed" : `NOT NOTICED (${missed.join(", ")})`;
        console.log(`without ${next.name} [${of.join(" ")}]: ${verdict} (${seconds} s)`);
      }
    } finally {
      remove();
      unfinished.delete(remove);
    }
  };
  const workers = Math.max(1, Math.min(2, os.cpus().length, total));
  await Promise.all(Array.from({ length: workers }, worker));
  console.log(`\n${total - bad} of ${total} removals of a protection were noticed`);
  return bad;
}
