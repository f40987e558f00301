/**
 * `npm run test:attacks`: tries every attack of the threat model, at the protocol level or in a browser, and
 * prints the result for each number. Exits non-zero when one succeeded or was not tried. `-- --controls
 * [numbers]`: removes each protection instead and requires that its attack is detected.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fail, parseOptions } from "./lib/args.mjs";
import { controlledAttacks, runControls, staleControls } from "./lib/controlRuns.mjs";
import { ensureBrowser, ensurePackages, ROOT } from "./lib/install.mjs";
import { specsOf } from "./lib/testReports.mjs";

const USAGE = `usage: npm run test:attacks [-- --controls [NUMBERS]]

Tries the 62 attacks of the threat model and prints how each ended.

  --controls [NUMBERS]  takes each protection away instead (or those of some attacks: 26 27) and demands
                        that its attack is noticed; about a minute for each`;

const ATTACKS = 62;
const SUITES = ["tests/attacks", "tests/conformance/wireRaces.test.ts"];
const BROWSER_SUITE = "tests/e2e/attacks.spec.ts";
const reports = path.join(ROOT, "test-results");
const wireReport = path.join(reports, "attacks.json");
const browserReport = path.join(reports, "attacksInBrowser.json");

function run(script, args, env = {}) {
  const child = spawn(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

async function runAll() {
  mkdirSync(reports, { recursive: true });
  rmSync(wireReport, { force: true });
  rmSync(browserReport, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${wireReport}`];
  const vitest = ["run", "--project", "unit", ...SUITES, ...reporters];
  const codes = [await run("node_modules/vitest/vitest.mjs", vitest)];
  const chromium = await ensureBrowser();
  codes.push(await run("scripts/build.mjs", []));
  codes.push(
    await run(
      "node_modules/@playwright/test/cli.js",
      ["test", BROWSER_SUITE, "--reporter=list,json"],
      {
        PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
        ...(chromium && { CHROMIUM_PATH: chromium }),
      },
    ),
  );
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Maps the number of each attack to whether all of its tests passed. Tests name them as `TH8 …` or `TH10,
 * TH12 …`.
 */
function outcomes() {
  const read = (file) => JSON.parse(readFileSync(file, "utf8"));
  const wire = read(wireReport).testResults.flatMap((suite) => suite.assertionResults);
  const browser = read(browserReport).suites.flatMap(specsOf);
  const tests = [
    ...wire.map(({ title, status }) => ({ title, isPassed: status === "passed" })),
    ...browser.map(({ title, ok }) => ({ title, isPassed: ok })),
  ];
  const found = new Map();
  for (const { title, isPassed } of tests) {
    for (const [, number] of title.matchAll(/\bTH(\d+)\b/g)) {
      found.set(Number(number), (found.get(Number(number)) ?? true) && isPassed);
    }
  }
  return found;
}

const options = process.argv.slice(2);
const isControlRun = options[0] === "--controls";
if (options.length > 0 && !isControlRun) parseOptions(options, USAGE);
const numbers = Array.from({ length: ATTACKS }, (_, index) => index + 1);
const noAttack = options.slice(1).find((text) => !numbers.map(String).includes(text));
if (noAttack !== undefined) fail(`--controls takes numbers from 1 to ${ATTACKS}, got ${noAttack}`);
await ensurePackages();
const stale = staleControls();
if (stale.length > 0) {
  fail(`Controls whose protection is not where they look for it:\n${stale.join("\n")}`);
}
const controlled = controlledAttacks();
const uncontrolled = numbers.filter((number) => !controlled.has(number));
if (uncontrolled.length > 0) {
  fail(`Attacks whose protection no control takes away: ${uncontrolled.join(" ")}`);
}
if (isControlRun) {
  await ensureBrowser();
  process.exit((await runControls(options.slice(1))) === 0 ? 0 : 1);
}
const code = await runAll();
const held = outcomes();
const list = (wanted) => numbers.filter(wanted).join(" ") || "none";
const refused = numbers.filter((number) => held.get(number) === true).length;
console.log(`\nrefused:     ${list((number) => held.get(number) === true)}`);
console.log(`GOT THROUGH: ${list((number) => held.get(number) === false)}`);
console.log(`not tried:   ${list((number) => !held.has(number))}`);
console.log(`${refused} of ${ATTACKS} attacks refused`);
process.exit(code !== 0 ? code : refused === ATTACKS ? 0 : 1);
