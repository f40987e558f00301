/**
 * Reads the JSON reports of Vitest and Playwright in one format: `counts` (project to `{passed, failed}`) and
 * `failures` (a few lines for each failed test). A missing report, because the run ended before it was
 * written, counts as one failure.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./install.mjs";

const MESSAGE_LINES_MAX = 12;

function failure(file, title, message = "") {
  const lines = stripVTControlCharacters(message).split("\n").slice(0, MESSAGE_LINES_MAX);
  return [`${path.relative(ROOT, file)} > ${title}`, ...lines.map((line) => `    ${line}`)].join(
    "\n",
  );
}

function withoutReport(project) {
  const counts = new Map([[project, { passed: 0, failed: 1 }]]);
  return { counts, failures: [`${project}: the run ended without a report`] };
}

/** Vitest's report; the projects are the folders of tests/. */
export function readVitestReport(file) {
  if (!existsSync(file)) return withoutReport("unit");
  const counts = new Map();
  const failures = [];
  for (const suite of JSON.parse(readFileSync(file, "utf8")).testResults) {
    const folder = path.relative(path.join(ROOT, "tests"), suite.name).split(path.sep)[0];
    const project = folder === "convex" || folder === "ui" ? folder : `unit/${folder}`;
    const count = counts.get(project) ?? { passed: 0, failed: 0 };
    counts.set(project, count);
    for (const test of suite.assertionResults) {
      if (test.status === "passed") {
        count.passed += 1;
        continue;
      }
      count.failed += 1;
      failures.push(failure(suite.name, test.fullName, test.failureMessages.join("\n")));
    }
    if (suite.status === "failed" && suite.assertionResults.length === 0) {
      count.failed += 1;
      failures.push(failure(suite.name, "the file itself", suite.message));
    }
  }
  return { counts, failures };
}

/** The specs of a suite of Playwright's report, with those of the suites in it. */
export function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

/** Playwright's report; a skipped test counts as failed. */
export function readPlaywrightReport(file) {
  if (!existsSync(file)) return withoutReport("e2e");
  const { config, stats, suites, errors } = JSON.parse(readFileSync(file, "utf8"));
  const failures = suites
    .flatMap(specsOf)
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const results = spec.tests.flatMap((test) => test.results);
      const messages = results.flatMap((result) => result.errors.map((error) => error.message));
      return failure(path.join(config.rootDir, spec.file), spec.title, messages.join("\n"));
    });
  for (const error of errors) failures.push(failure(config.rootDir, "the run", error.message));
  const passed = stats.expected + stats.flaky;
  const failed = stats.unexpected + stats.skipped + errors.length;
  return { counts: new Map([["e2e", { passed, failed }]]), failures };
}
