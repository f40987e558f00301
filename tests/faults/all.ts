/**
 * Every fault script once, with counts for a few minutes each, and one table at the end.
 *
 * `npm run faults`, or `node scripts/run.mjs tests/faults/all.ts [factor=1]` for as many times more rounds.
 */
import { spawn, spawnSync } from "node:child_process";

interface FaultScript {
  readonly name: string;
  readonly what: string;
  readonly rounds: number;
}

const SCRIPTS: readonly FaultScript[] = [
  { name: "storeKill", what: "database process killed while it commits", rounds: 8 },
  { name: "killTransfers", what: "server killed with 32 transfers in flight", rounds: 5 },
  { name: "damage", what: "one file damaged, after closing and after a kill", rounds: 100 },
  { name: "diskFull", what: "disk full under log and store, then space again", rounds: 4 },
  { name: "powerLoss", what: "power cut, unsynced sectors lost at random", rounds: 100 },
];

interface Outcome extends FaultScript {
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly lastLine: string;
}

async function run(script: FaultScript): Promise<Outcome> {
  console.log(`\n${script.name} ${script.rounds}: ${script.what}`);
  const startedMs = Date.now();
  const file = `tests/faults/${script.name}.ts`;
  const child = spawn(process.execPath, ["scripts/run.mjs", file, String(script.rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    process.stdout.write(bytes);
    output += bytes.toString();
  });
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return {
    ...script,
    isPassed: code === 0,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    lastLine: output.trimEnd().split("\n").at(-1) ?? "",
  };
}

// Built first: the server script waits for a server, not for a build.
const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
if (status !== 0) process.exit(1);
const factor = Number(process.argv[2] ?? 1);
const outcomes: Outcome[] = [];
for (const script of SCRIPTS) {
  outcomes.push(await run({ ...script, rounds: Math.ceil(script.rounds * factor) }));
}
console.log("");
for (const { name, isPassed, seconds, lastLine } of outcomes) {
  console.log(`${isPassed ? "passed" : "FAILED"}  ${name.padEnd(14)} ${seconds} s  ${lastLine}`);
}
process.exit(outcomes.every((outcome) => outcome.isPassed) ? 0 : 1);
