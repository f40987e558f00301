/** Addresses that are built into the client: a wrong one would be noticed in people's browsers only. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../support/sources";

test.each([
  ["VITE_CONVEX_URL", "here.convex.cloud", "must be an address such as https://your.host, got"],
  ["VITE_CONVEX_URL", "", "is empty: give it a value, or leave it out"],
  ["VITE_SITE_URL", "your.host", "must be an address such as https://your.host, got"],
])("a build with %s=%s is refused before it begins", (name, value, why) => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, [name]: value },
  });
  expect([status, stderr]).toEqual([1, `${`${name} ${why} ${value}`.trim()}\n`]);
});
