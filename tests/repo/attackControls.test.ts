/** Checks the control runs of `npm run test:attacks`: each must remove a protection and be noticed by its test. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../support/sources";

interface Result {
  readonly title: string;
  readonly isPassed: boolean;
  readonly reasons: readonly string[];
}
interface ControlRuns {
  resultsOfVitest(report: unknown): readonly Result[];
  resultsOfPlaywright(report: unknown): readonly Result[];
  unclearFailures(results: readonly Result[]): readonly Result[];
  unnoticed(
    control: { readonly attacks: readonly (number | string)[] },
    results: readonly Result[],
    soundResults: readonly Result[] | null,
  ): readonly string[];
  staleControls(): readonly string[];
  controlledAttacks(): ReadonlySet<unknown>;
}

const ATTACKS = 62;
const script = path.join(ROOT, "scripts", "lib", "controlRuns.mjs");
const controls = (await import(pathToFileURL(script).href)) as ControlRuns;

test("every control finds the protection that it removes", () => {
  expect(controls.staleControls()).toEqual([]);
});

test("every attack of the threat model has a control", () => {
  const controlled = controls.controlledAttacks();
  const without = Array.from({ length: ATTACKS }, (_, index) => index + 1).filter(
    (number) => !controlled.has(number),
  );
  expect(without).toEqual([]);
});

const control = { attacks: [10] };
const ended = (title: string, ...reasons: string[]): Result => ({
  title,
  isPassed: reasons.length === 0,
  reasons,
});
const ASSERTED = "AssertionError: expected 'ok' to be 'INVALID_OTP'";
const WAITED = "Error: Test timed out in 20000ms.";

test("a control is noticed when the test of its attack fails at an assertion", () => {
  const failed = [ended("TH10: five tries", ASSERTED)];
  expect(controls.unclearFailures(failed)).toEqual([]);
  expect(controls.unnoticed(control, failed, null)).toEqual([]);
  expect(controls.unnoticed(control, [ended("TH10: five tries")], null)).toEqual([10]);
  expect(controls.unnoticed(control, [ended("TH100: another", ASSERTED)], null)).toEqual([10]);
});

test("a timeout counts as noticing only if the test passes on the unchanged sources", () => {
  const late = [ended("TH10: five tries", WAITED)];
  expect(controls.unclearFailures(late)).toEqual(late);
  expect(controls.unnoticed(control, late, [ended("TH10: five tries")])).toEqual([]);
  expect(controls.unnoticed(control, late, late)).toEqual([10]);
  expect(controls.unnoticed(control, late, null)).toEqual([10]);
});

test("a build failure does not count as noticing", () => {
  const broken = [ended("TH10: five tries", "Error: Build failed with 1 error:\nconvex/auth.ts")];
  const sound = [ended("TH10: five tries")];
  expect(controls.unnoticed(control, broken, sound)).toEqual([
    "the sources no longer run: Error: Build failed with 1 error:",
  ]);
});

test("a control without a number is noticed only by the test with its title", () => {
  const named = { attacks: ["the server starts"] };
  expect(controls.unnoticed(named, [ended("the server starts", ASSERTED)], null)).toEqual([]);
  expect(controls.unnoticed(named, [ended("another", ASSERTED)], null)).toEqual(named.attacks);
});

test("a suite that failed before its tests is an error, and skipped tests are no results", () => {
  const suite = (status: string, ...statuses: string[]) => ({
    name: "wire.test.ts",
    status,
    message: "Error: no port",
    assertionResults: statuses.map((each) => ({ title: "TH10", status: each })),
  });
  const broken = { testResults: [suite("failed", "skipped")] };
  expect(() => controls.resultsOfVitest(broken)).toThrow("wire.test.ts: Error: no port");
  const partly = { testResults: [suite("failed", "failed", "skipped")] };
  expect(controls.resultsOfVitest(partly)).toEqual([ended("TH10")].map(failedWithoutReason));
  const crashed = { suites: [], errors: [{ message: "Error: no browser" }] };
  expect(() => controls.resultsOfPlaywright(crashed)).toThrow("no browser");
});

const failedWithoutReason = (result: Result): Result => ({ ...result, isPassed: false });
