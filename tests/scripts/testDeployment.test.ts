/** `npm run test:deployment` before its tests: a wrong address is told in one line, with the next step. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { freePort } from "../support/freePort";
import { ROOT } from "../support/sources";

function outcome(env: NodeJS.ProcessEnv): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/testDeployment.mjs"], {
    cwd: ROOT,
    env: { ...process.env, CONVEX_SITE_URL: undefined, PAGES_URL: undefined, ...env },
    encoding: "utf8",
  });
  return { status, stderr };
}

test("an address at which nothing answers", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(outcome({ CONVEX_URL: url })).toEqual({
    status: 1,
    stderr: `Nothing answers at ${url} (connect ECONNREFUSED ${url.slice("http://".length)}). Start it, or correct CONVEX_URL.\n`,
  });
});

test("an address that is none", () => {
  expect(outcome({ CONVEX_URL: "http://127.0.0.1:9", PAGES_URL: "bank.example" })).toEqual({
    status: 1,
    stderr: "PAGES_URL must be an address such as https://your.host, got bank.example\n",
  });
});
