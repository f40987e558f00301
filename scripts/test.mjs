/**
 * `npm test`: everything a change must pass, on a fresh clone, without asking. Installs what is
 * missing, then format, lint, types, generated code, unit and function tests, build, sizes, end to end.
 *
 * Prints how many tests ran in each project; ends non-zero when anything failed.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBrowser, ensurePackages, ROOT } from "./lib/install.mjs";

const HELP = `usage: npm test [-- --help | --no-e2e]

Runs format check, lint, type check, generated-code check, unit, function, interface and
conformance tests, the build, the sizes of its pages, and the end-to-end tests in a real browser.
`;

const bin = (name) => path.join(ROOT, "node_modules", ".bin", name);

/** Runs one step with its output held back unless it fails. */
function step(title, command, args, env = {}) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (code) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${title} (${seconds} s)`);
      if (code !== 0) console.log(output);
      resolve({ title, isOk: code === 0 });
    });
  });
}

/** Counts of a Vitest JSON report, per project. */
function vitestCounts(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  const counts = new Map();
  for (const suite of report.testResults) {
    const folder = path.relative(path.join(ROOT, "tests"), suite.name).split(path.sep)[0];
    const project = folder === "convex" || folder === "ui" ? folder : `unit/${folder}`;
    const count = counts.get(project) ?? { passed: 0, failed: 0 };
    for (const test of suite.assertionResults) {
      if (test.status === "passed") count.passed += 1;
      else count.failed += 1;
    }
    if (suite.status === "failed" && suite.assertionResults.length === 0) count.failed += 1;
    counts.set(project, count);
  }
  return counts;
}

/** Counts of a Playwright JSON report. */
function playwrightCounts(file) {
  const { stats } = JSON.parse(readFileSync(file, "utf8"));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + stats.skipped };
}

async function main() {
  if (process.argv.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  ensurePackages();
  const isE2e = !process.argv.includes("--no-e2e");
  const chromium = isE2e ? ensureBrowser() : undefined;
  const reports = path.join(ROOT, "test-results");
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  console.log(`Node ${process.version}, ${os.cpus().length} cores`);

  const results = [];
  results.push(await step("format", bin("prettier"), ["--log-level", "warn", "--check", "."]));
  results.push(
    ...(await Promise.all([
      step("lint", bin("eslint"), [".", "--max-warnings", "0"]),
      step("types", "npm", ["run", "--silent", "typecheck"]),
    ])),
  );
  results.push(await step("generated code", "node", ["scripts/checkGenerated.mjs"]));

  const vitestReport = path.join(reports, "vitest.json");
  const vitestArgs = ["run", "--reporter=dot", "--reporter=json", `--outputFile=${vitestReport}`];
  const tests = await step(
    "unit, function, interface and conformance tests",
    bin("vitest"),
    vitestArgs,
  );
  results.push(tests);
  const build = await step("build", "node", ["scripts/build.mjs"]);
  results.push(build);
  if (build.isOk) results.push(await step("sizes", "node", ["scripts/checkSizes.mjs"]));

  const counts = vitestCounts(vitestReport);
  if (isE2e && build.isOk) {
    const report = path.join(reports, "e2e.json");
    const env = {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(chromium && { CHROMIUM_PATH: chromium }),
    };
    results.push(
      await step("end-to-end tests", bin("playwright"), ["test", "--reporter=dot,json"], env),
    );
    counts.set("e2e", playwrightCounts(report));
  }

  console.log("");
  let passed = 0;
  let failed = 0;
  for (const [project, count] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`${project.padEnd(18)} ${count.passed} passed, ${count.failed} failed`);
    passed += count.passed;
    failed += count.failed;
  }
  const broken = results.filter((result) => !result.isOk).map((result) => result.title);
  if (broken.length > 0) console.log(`Failed: ${broken.join(", ")}`);
  console.log(`${passed} passed, ${failed} failed`);
  return broken.length === 0 && failed === 0 ? 0 : 1;
}

process.exit(await main());
