/** Commands that cannot be understood end with 2, so that a monitor does not take that for a finding. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each([
  ["doctor", ["--dta", "x"], "Unknown option --dta"],
  ["backup", ["there"], "Unexpected argument there"],
  ["restore", [], "Option --from is missing"],
  ["import", ["--replace"], "Option --from is missing"],
  ["export", ["--to"], "Option --to needs a value"],
  ["recover", ["--data=x", "--all"], "Unknown option --all"],
  ["operator", [], "Say what to do."],
  ["operator", ["admins", "--email", "a@b.example"], "admins takes no --email"],
])("%s %j: %s", (name, args, line) => {
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${name}.mjs`, ...args], {
    encoding: "utf8",
  });
  expect([status, stderr.split("\n")[0]]).toEqual([2, line]);
  expect(stderr).toContain("usage:");
});
