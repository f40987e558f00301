/**
 * `npm run test:attacks`: runs the attacks and prints which numbers of the threat model were tried
 * and how each ended. Ends non-zero when one got through.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const ATTACKS = 62;
const reportFile = path.join(ROOT, "test-results", "attacks.json");

function runTests() {
  const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--project", "unit", "tests/attacks"];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const child = spawn(process.execPath, [...args, ...reporters], { cwd: ROOT, stdio: "inherit" });
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

/** Number of the attack to whether all of its tests passed. `TH8 …` and `TH10, TH12 …` name them. */
function outcomes() {
  const found = new Map();
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  for (const { title, status } of report.testResults.flatMap((suite) => suite.assertionResults)) {
    for (const [, number] of title.matchAll(/\bTH(\d+)\b/g)) {
      found.set(Number(number), (found.get(Number(number)) ?? true) && status === "passed");
    }
  }
  return found;
}

ensurePackages();
mkdirSync(path.dirname(reportFile), { recursive: true });
rmSync(reportFile, { force: true });
const code = await runTests();
const held = outcomes();
const numbers = Array.from({ length: ATTACKS }, (_, index) => index + 1);
const list = (wanted) => numbers.filter(wanted).join(" ") || "none";
console.log(`\nrefused:         ${list((number) => held.get(number) === true)}`);
console.log(`GOT THROUGH:     ${list((number) => held.get(number) === false)}`);
console.log(`not tested here: ${list((number) => !held.has(number))}`);
console.log(`${held.size} of ${ATTACKS} attacks tried at the wire`);
process.exit(code);
