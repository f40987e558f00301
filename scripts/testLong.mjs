/**
 * `npm run test:long`: the property, history, differential and race suites, a hundred times as long.
 * TEST_SCALE=10 makes them ten times as long instead.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const SUITES = [
  "tests/conformance/money.test.ts",
  "tests/conformance/wireRaces.test.ts",
  "tests/conformance/differential.test.ts",
  "tests/convex/randomHistories.test.ts",
  "tests/shared/ledger.property.test.ts",
];
const DEFAULT_SCALE = "100";

ensurePackages();
const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", ...SUITES], {
  cwd: ROOT,
  env: { ...process.env, TEST_SCALE: process.env.TEST_SCALE ?? DEFAULT_SCALE },
  stdio: "inherit",
});
child.on("close", (code) => process.exit(code ?? 1));
