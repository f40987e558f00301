/**
 * `npm test`: everything a change must pass, also on a fresh clone, without prompts. Installs what is
 * missing, then runs lint, types, format, generated code, build, sizes, unit and function tests, end to end.
 * Prints each failed test and the number of tests in each project; exits non-zero when anything failed.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseOptions } from "./lib/args.mjs";
import { ensureBrowser, ensurePackages, ROOT } from "./lib/install.mjs";
import { readPlaywrightReport, readVitestReport } from "./lib/testReports.mjs";

const USAGE = `usage: npm test [-- --no-e2e]

Runs format check, lint, type check, generated-code check, unit, function, interface and
conformance tests, the build, the sizes of its pages, and the end-to-end tests in a real browser.

  --no-e2e  without the end-to-end tests`;

const bin = (name) => path.join(ROOT, "node_modules", ".bin", name);

/** Vitest treats any value of FORCE_COLOR as yes. */
const plainEnv = { ...process.env, NO_COLOR: "1" };
delete plainEnv.FORCE_COLOR;

const OUTPUT_LINES_MAX = 80;

/**
 * Runs one step with its output hidden. When it fails, prints what `failuresOf` reports about its tests, then
 * the end of the output, where tools print their summaries.
 */
function step(title, command, args, { env = {}, failuresOf = () => [] } = {}) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...plainEnv, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      // Decoded as one text: a chunk may end within a character.
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.on("error", ({ message }) => (output += message));
    child.on("close", (code) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${title} (${seconds} s)`);
      if (code !== 0) {
        for (const failure of failuresOf()) console.log(`\n${failure}`);
        console.log(`\n${output.trimEnd().split("\n").slice(-OUTPUT_LINES_MAX).join("\n")}\n`);
      }
      resolve({ title, isOk: code === 0 });
    });
  });
}

async function main() {
  const options = parseOptions(process.argv.slice(2), USAGE, { flags: ["no-e2e"] });
  await ensurePackages();
  const isE2e = options["no-e2e"] !== true;
  const chromium = isE2e ? await ensureBrowser() : undefined;
  const folder = path.join(ROOT, "test-results");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log(`Node ${process.version}, ${os.cpus().length} cores`);

  const results = [];
  // Beside the steps that follow, which leave a core idle now and then. With room for new objects it takes a fifth less.
  const lint = step("lint", process.execPath, [
    "--max-semi-space-size=64",
    path.join(ROOT, "node_modules", "eslint", "bin", "eslint.js"),
    ".",
    "--max-warnings=0",
  ]);
  results.push(await step("types", "npm", ["run", "--silent", "typecheck"]));
  results.push(await step("format", bin("prettier"), ["--log-level", "warn", "--check", "."]));
  results.push(await step("generated code", process.execPath, ["scripts/checkGenerated.mjs"]));
  const build = await step("build", process.execPath, ["scripts/build.mjs"]);
  results.push(build);
  if (build.isOk) results.push(await step("sizes", process.execPath, ["scripts/checkSizes.mjs"]));

  const vitestReport = path.join(folder, "vitest.json");
  results.push(
    await step(
      "unit, function, interface and conformance tests",
      bin("vitest"),
      [
        "run",
        "--reporter=dot",
        "--reporter=json",
        `--outputFile=${vitestReport}`,
        "--silent=passed-only",
      ],
      { failuresOf: () => readVitestReport(vitestReport).failures },
    ),
  );

  results.push(await lint);
  const reports = [readVitestReport(vitestReport)];
  if (isE2e && build.isOk) {
    const report = path.join(folder, "e2e.json");
    const env = {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(chromium && { CHROMIUM_PATH: chromium }),
    };
    results.push(
      await step("end-to-end tests", bin("playwright"), ["test", "--reporter=dot,json"], {
        env,
        failuresOf: () => readPlaywrightReport(report).failures,
      }),
    );
    reports.push(readPlaywrightReport(report));
  }

  console.log("");
  const counts = reports.flatMap((report) => [...report.counts]);
  let passed = 0;
  let failed = 0;
  for (const [project, count] of counts.sort(([a], [b]) => a.localeCompare(b))) {
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
