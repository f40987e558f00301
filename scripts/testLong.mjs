/**
 * `npm run test:long`: runs every randomized test many times as long, part by part, and prints one table. A
 * part that fails prints its seed; `TEST_SEED` (or what it prints) repeats the run.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { countOf, fail, parseOptions } from "./lib/args.mjs";
import { runControls } from "./lib/controlRuns.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const USAGE = `usage: npm run test:long -- [--scale N] [--part NAME]
  --scale N     times as long as in npm test (default 100)
  --part NAME   one part alone`;
const DEFAULT_SCALE = "100";
/** Race tests have a fixed scenario and are repeated instead, at most this often. */
const REPEATS_MAX = 30;
const TEST_TIMEOUT_MS = 6 * 60 * 60 * 1000;

const PARTS = [
  {
    name: "properties",
    what: "ledger, keys, tree, pagination, histories of transactions",
    files: [
      "tests/shared/ledger.property.test.ts",
      "tests/embedded/db/encoding.property.test.ts",
      "tests/embedded/db/entryLog.property.test.ts",
      "tests/embedded/db/pagination.property.test.ts",
      "tests/embedded/db/histories.property.test.ts",
      "tests/embedded/storage/btree.property.test.ts",
    ],
  },
  {
    name: "money",
    what: "histories of the product against a naive bank",
    files: ["tests/conformance/money.test.ts", "tests/convex/randomHistories.test.ts"],
  },
  {
    name: "engine",
    what: "tests of the functions on the embedded backend, with its limits",
    files: ["tests/convex"],
    env: { TEST_BACKEND: "embedded" },
  },
  {
    name: "differential",
    what: "programs on convex-test and here, both contexts",
    files: ["tests/conformance/differential.test.ts"],
  },
  {
    name: "races",
    what: "races over real sockets, connections cut at every message",
    files: ["tests/conformance/wireRaces.test.ts", "tests/conformance/cuts.test.ts"],
    isRepeated: true,
  },
  { name: "fuzz", what: "spoiled frames, sessions by chance", files: ["tests/embedded/fuzz"] },
  {
    name: "badCalls",
    what: "every function against arguments by chance",
    files: ["tests/conformance/badCalls"],
  },
  {
    name: "simulation",
    what: "the server core in a world of its own",
    files: ["tests/embedded/simulation"],
  },
  {
    name: "browser",
    what: "layout, rare failures and the slowest journeys in a browser",
    run: runSlowJourneys,
  },
  {
    name: "controls",
    what: "each protection taken away, which its attack must show",
    run: async () => (await runControls()) === 0,
  },
];

/** Needs a build (`npm run build`) and a browser, as `npm test` leaves them. */
function runSlowJourneys() {
  const playwright = path.join(ROOT, "node_modules", ".bin", "playwright");
  const env = { ...process.env, E2E_LONG: "1" };
  const child = spawn(playwright, ["test", "--grep", "@long"], {
    cwd: ROOT,
    env,
    stdio: "inherit",
  });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

function runVitest(files, scale, partEnv) {
  const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", `--testTimeout=${TEST_TIMEOUT_MS}`, ...files];
  const env = { ...process.env, ...partEnv, TEST_SCALE: String(scale) };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

async function runPart({ name, what, run, files, env = {}, isRepeated = false }, scale) {
  console.log(`\n${name}: ${what}${run === undefined ? `, times ${scale}` : ""}`);
  const startedMs = Date.now();
  if (run !== undefined) {
    const isPassed = await run();
    return { name, what, isPassed, seconds: Math.round((Date.now() - startedMs) / 1000) };
  }
  const repeats = isRepeated ? Math.min(scale, REPEATS_MAX) : 1;
  let isPassed = true;
  for (let n = 0; n < repeats && isPassed; n += 1) {
    isPassed = await runVitest(files, isRepeated ? 1 : scale, env);
  }
  return { name, what, isPassed, seconds: Math.round((Date.now() - startedMs) / 1000) };
}

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["scale", "part"] });
const scale = countOf(options.scale ?? process.env.TEST_SCALE ?? DEFAULT_SCALE, "--scale");
const wanted = PARTS.filter(({ name }) => options.part === undefined || name === options.part);
if (wanted.length === 0) fail(`The parts are ${PARTS.map(({ name }) => name).join(", ")}`);

await ensurePackages();
const outcomes = [];
for (const part of wanted) outcomes.push(await runPart(part, scale));
console.log(`\ntimes ${scale}:`);
for (const { name, what, isPassed, seconds } of outcomes) {
  console.log(
    `${isPassed ? "passed" : "FAILED"}  ${name.padEnd(13)} ${String(seconds).padStart(6)} s  ${what}`,
  );
}
process.exit(outcomes.every(({ isPassed }) => isPassed) ? 0 : 1);
