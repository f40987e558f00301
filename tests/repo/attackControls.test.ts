/** The control runs of `npm run test:attacks` prove nothing once they no longer find what they take away. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../support/sources";

interface ControlRuns {
  staleControls(): readonly string[];
  controlledAttacks(): ReadonlySet<unknown>;
}

const ATTACKS = 62;
const script = path.join(ROOT, "scripts", "lib", "controlRuns.mjs");
const controls = (await import(pathToFileURL(script).href)) as ControlRuns;

test("every control finds the protection that it takes away", () => {
  expect(controls.staleControls()).toEqual([]);
});

test("every attack of the threat model has a control", () => {
  const controlled = controls.controlledAttacks();
  const without = Array.from({ length: ATTACKS }, (_, index) => index + 1).filter(
    (number) => !controlled.has(number),
  );
  expect(without).toEqual([]);
});
