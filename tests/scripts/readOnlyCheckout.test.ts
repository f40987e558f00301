/** Commands in a checkout that their user may not write, as a service's user: what is stale there is named. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ROOT } from "../support/sources";

vi.setConfig({ testTimeout: 60_000 });

/** Without the packages themselves, which a wrong command might touch. */
const PARTS = [
  "package.json",
  "package-lock.json",
  "node_modules/.package-lock.json",
  "scripts",
  "embedded",
];

function readOnlyCheckout(): string {
  const checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
  onTestFinished(() => {
    chmodSync(checkout, 0o700);
    rmSync(checkout, { recursive: true });
  });
  for (const part of PARTS) {
    cpSync(path.join(ROOT, part), path.join(checkout, part), { recursive: true });
  }
  chmodSync(checkout, 0o555);
  return checkout;
}

/** Runs one as a user to whom permissions apply, which root is not. */
function refusal(checkout: string, script: string): string {
  const command = [process.execPath, path.join(checkout, "scripts", script)];
  const isRoot = process.getuid?.() === 0;
  const bound = ["setpriv", "--bounding-set", "-dac_override", ...command];
  const [program = "", ...args] = isRoot ? bound : command;
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  expect(status).toBe(1);
  return stderr;
}

const WHO = "as the user to whom that belongs, with the same environment.\n";

test.skipIf(process.platform !== "linux").each(["start.mjs", "doctor.mjs", "backup.mjs"])(
  "%s says who builds what is not built",
  (script) => {
    const checkout = readOnlyCheckout();
    const why = `The server was not built from these sources, and this user cannot write ${checkout} (EACCES)`;
    const line = `${why}: run npm run build in ${checkout} ${WHO}`;
    expect(refusal(checkout, script)).toBe(line);
  },
);

test.skipIf(process.platform !== "linux")("doctor.mjs says who installs packages", () => {
  const checkout = readOnlyCheckout();
  rmSync(path.join(checkout, "node_modules", ".package-lock.json"));
  const line = refusal(checkout, "doctor.mjs");
  expect(line).toMatch(/^Packages are missing or not .* \(EACCES\): run npm ci in /);
  expect(line).toContain(WHO);
});
