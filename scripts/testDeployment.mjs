/** `CONVEX_URL=… npm run test:deployment`: the tests that make sense against any deployment. */
import { spawn } from "node:child_process";
import path from "node:path";
import { misuse, parseOptions } from "./lib/args.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const USAGE = `usage: CONVEX_URL=https://… npm run test:deployment

Signs in, reads, moves one cent and back, and is refused where it should be, with the official client.

Environment:
  CONVEX_URL       the deployment
  CONVEX_SITE_URL  its HTTP actions, where they have another address (on Convex cloud: .convex.site)
  PAGES_URL        the pages, where they have another address; the deployment's SITE_URL
  TEST_EMAIL       an approved member without a transfer limit (vip@demo.example)
  TEST_PASSWORD    their password (the demo password)
  TEST_CODE        a one-time code (the first of the demo data)`;

parseOptions(process.argv.slice(2), USAGE);
if (!URL.canParse(process.env.CONVEX_URL ?? "")) misuse(`CONVEX_URL must be an address\n${USAGE}`);
await ensurePackages();
const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
const config = path.join(ROOT, "tests", "deployment", "vitest.config.ts");
const child = spawn(process.execPath, [vitest, "run", "--config", config], {
  cwd: ROOT,
  stdio: "inherit",
});
child.on("close", (code) => process.exit(code ?? 1));
