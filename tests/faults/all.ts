/**
 * `npm run faults`: runs every fault script once, and prints a table. A script that exceeds its time limit
 * has failed. Together they take half an hour on an idle machine, two hours at most.
 */
import { spawn, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

interface FaultScript {
  readonly name: string;
  readonly what: string;
  /** Share of the rounds of `--rounds`: 1 for all of them. */
  readonly share: number;
  readonly minutesMax: number;
}

const ROUNDS = 200;
const SCRIPTS: readonly FaultScript[] = [
  {
    name: "storeKill",
    what: "database process killed while it commits",
    share: 0.4,
    minutesMax: 15,
  },
  {
    name: "killTransfers",
    what: "server killed with 32 transfers in flight",
    share: 0.6,
    minutesMax: 42,
  },
  {
    name: "killRemoval",
    what: "server killed while it deletes 20,000 transactions",
    share: 0.01,
    minutesMax: 15,
  },
  {
    name: "damage",
    what: "one file damaged, after closing and after a kill",
    share: 5,
    minutesMax: 27,
  },
  {
    name: "diskFull",
    what: "disk full under log and store, then space again",
    share: 0.05,
    minutesMax: 9,
  },
  {
    name: "powerLoss",
    what: "power cut, unsynced sectors lost at random; control without syncs",
    share: 5,
    minutesMax: 27,
  },
];

interface Outcome {
  readonly script: FaultScript;
  readonly rounds: number;
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly lastLine: string;
}

async function run(script: FaultScript, rounds: number): Promise<Outcome> {
  console.log(`\n${script.name} ${rounds}: ${script.what}`);
  const startedMs = Date.now();
  const file = `tests/faults/${script.name}.ts`;
  // A process group of its own, so that its child processes can be ended with it.
  const child = spawn(process.execPath, ["scripts/run.mjs", file, String(rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let isOutOfTime = false;
  const limit = setTimeout(() => {
    isOutOfTime = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, script.minutesMax * 60_000);
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    process.stdout.write(bytes);
    output += bytes.toString();
  });
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearTimeout(limit);
  const lastLine = output.trimEnd().split("\n").at(-1) ?? "";
  return {
    script,
    rounds,
    isPassed: code === 0,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    lastLine: isOutOfTime ? `not done in ${script.minutesMax} minutes: ${lastLine}` : lastLine,
  };
}

const USAGE = `usage: npm run faults [-- --rounds N] [--only NAME]

Kills the server and the database under load, and damages, cuts and fills up the store.

  --rounds N   kills in all (${ROUNDS}); the rest in proportion: ${ROUNDS} is 1,000 power cuts and 1,000 damaged folders
  --only NAME  one script: ${SCRIPTS.map(({ name }) => name).join(", ")}`;

function misuse(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function readCommandLine() {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: "string", default: String(ROUNDS) },
        only: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    return misuse((error as Error).message);
  }
}

const options = readCommandLine();
if (options.help === true) {
  console.log(USAGE);
  process.exit(0);
}
const rounds = Number(options.rounds);
const wanted = SCRIPTS.filter(({ name }) => options.only === undefined || name === options.only);
if (!Number.isInteger(rounds) || rounds < 1 || wanted.length === 0) {
  misuse("--rounds takes a whole number above 0, --only a script's name");
}
// Built first, because the scripts wait for a server, but not for a build.
const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
if (status !== 0) process.exit(1);
const outcomes: Outcome[] = [];
for (const script of wanted) {
  outcomes.push(await run(script, Math.max(1, Math.round(rounds * script.share))));
}
console.log("");
for (const { script, rounds: count, isPassed, seconds, lastLine } of outcomes) {
  console.log(
    `${isPassed ? "passed" : "FAILED"}  ${script.name.padEnd(14)} ${String(count).padStart(5)} ` +
      `${String(seconds).padStart(5)} s  ${lastLine}`,
  );
}
process.exit(outcomes.every(({ isPassed }) => isPassed) ? 0 : 1);
