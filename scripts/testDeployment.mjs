/** `CONVEX_URL=… npm run test:deployment`: the tests that make sense against any deployment. */
import { spawn } from "node:child_process";
import path from "node:path";
import { fail, misuse, originOf, parseOptions, settingOf } from "./lib/args.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const ANSWER_WITHIN_MS = 10_000;
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
if (settingOf("CONVEX_URL") === undefined) misuse(`CONVEX_URL must be an address\n${USAGE}`);
const addresses = ["CONVEX_URL", "CONVEX_SITE_URL", "PAGES_URL"]
  .filter((name) => settingOf(name) !== undefined)
  .map((name) => ({ name, origin: originOf(settingOf(name), name) }));
for (const address of addresses) await refuseSilent(address);
await ensurePackages();
const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
const config = path.join(ROOT, "tests", "deployment", "vitest.config.ts");
const child = spawn(process.execPath, [vitest, "run", "--config", config], {
  cwd: ROOT,
  stdio: "inherit",
});
child.on("close", (code) => process.exit(code ?? 1));

/** Exits when nothing answers at an address: each test would fail with a reason that says less. */
async function refuseSilent({ name, origin }) {
  try {
    await fetch(origin, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    const reason = error.cause?.message || error.message;
    fail(`Nothing answers at ${origin} (${reason}). Start it, or correct ${name}.`);
  }
}
