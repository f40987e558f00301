/**
 * Control runs: takes one protection after another out of a copy of the sources and runs the tests that
 * must notice. The repository itself is never changed.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
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
import { CONTROLS, GUARD_MUTANTS } from "./attackControls.mjs";

/** A protection that is gone may leave a test waiting for a refusal that never comes. */
const TEST_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 240_000;

/** The sources as they are now, in a folder of their own that shares the packages. */
function copySources() {
  const copy = mkdtempSync(path.join(os.tmpdir(), "control-run-"));
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of files.filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    // With their times: a lock file newer than the packages would make npm install them again.
    cpSync(path.join(ROOT, file), path.join(copy, file), { preserveTimestamps: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** Applies the edits and answers how to take them back. Throws when a text is not there exactly once. */
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

function run(command, args, cwd, env = {}) {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  return new Promise((resolve) => {
    const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), RUN_TIMEOUT_MS);
    child.on("close", (code) => {
      clearTimeout(late);
      resolve(code);
    });
  });
}

const read = (file) => JSON.parse(readFileSync(file, "utf8"));

/** Titles and whether they passed, of a Vitest run in the copy. */
async function runVitest(copy, tests, pattern) {
  const report = path.join(copy, "control.json");
  rmSync(report, { force: true });
  const vitest = path.join(copy, "node_modules", "vitest", "vitest.mjs");
  const only = pattern === null ? [] : ["-t", pattern];
  const args = ["run", "--project", "unit", ...tests.split(" "), ...only, "--reporter=json"];
  await run(vitest, [...args, `--outputFile=${report}`, `--testTimeout=${TEST_TIMEOUT_MS}`], copy);
  return read(report)
    .testResults.flatMap((suite) => suite.assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ title, status }) => ({ title, isPassed: status === "passed" }));
}

function* specsOf(suite) {
  yield* suite.specs ?? [];
  for (const inner of suite.suites ?? []) yield* specsOf(inner);
}

/** The same of a browser run; the client is built anew in the copy. */
async function runBrowser(copy, tests, pattern) {
  const report = path.join(copy, "control.json");
  rmSync(report, { force: true });
  await run(path.join(copy, "scripts", "build.mjs"), [], copy);
  const playwright = path.join(copy, "node_modules", "@playwright", "test", "cli.js");
  const args = ["test", tests, "-g", pattern, "--reporter=json"];
  await run(playwright, args, copy, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const specs = read(report).suites.flatMap((suite) => [...specsOf(suite)]);
  return specs.map(({ title, ok }) => ({ title, isPassed: ok }));
}

/** Guarded functions of the frozen surface: path, kind, guard. */
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

const isNamed = (title, attack) => new RegExp(`\\bTH${attack}\\b`).test(title);

/** What a control's tests did not notice; empty when all is well. */
function unnoticed(control, results) {
  if (control.mustFail !== undefined) {
    const failed = new Set(results.filter(({ isPassed }) => !isPassed).map(({ title }) => title));
    const wanted = surface().filter(control.mustFail);
    const noticed = ({ path: name }) => [...failed].some((title) => title.startsWith(`${name} `));
    return wanted.filter((each) => !noticed(each)).map(({ path: name }) => name);
  }
  if (control.attacks.every((attack) => typeof attack === "string")) {
    return results.some(({ isPassed }) => !isPassed) ? [] : control.attacks;
  }
  return control.attacks.filter(
    (attack) => !results.some(({ title, isPassed }) => !isPassed && isNamed(title, attack)),
  );
}

async function runControl(copy, control) {
  const restore = mutate(copy, control.edits);
  try {
    const isBrowser = control.tests.endsWith(".spec.ts");
    const numbers = control.attacks.filter((attack) => typeof attack === "number");
    const pattern = numbers.length === 0 ? null : `TH(${numbers.join("|")})\\b`;
    const results = await (isBrowser ? runBrowser : runVitest)(copy, control.tests, pattern);
    if (results.length === 0) return ["no test ran"];
    return unnoticed(control, results);
  } finally {
    restore();
  }
}

/** Every control whose text is not in the sources exactly once, without running anything. */
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
 * Runs all controls, or those of the given attacks. Prints a line each; answers how many protections
 * went without being missed.
 */
export async function runControls(wanted = []) {
  const isWanted = ({ attacks }) =>
    wanted.length === 0 || attacks.some((attack) => wanted.includes(String(attack)));
  const waiting = [...CONTROLS, ...GUARD_MUTANTS].filter(isWanted);
  const total = waiting.length;
  let bad = 0;
  const worker = async () => {
    const copy = copySources();
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
      rmSync(copy, { recursive: true, force: true });
    }
  };
  const workers = Math.max(1, Math.min(2, os.cpus().length, total));
  await Promise.all(Array.from({ length: workers }, worker));
  console.log(`\n${total - bad} of ${total} protections are missed when they are taken away`);
  return bad;
}
