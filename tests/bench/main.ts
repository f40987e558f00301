/**
 * `npm run bench`: the product compared with its peers, as ratios within one run on one machine.
 *
 * Not part of the tests, because figures depend on the machine. The exit code is 1 when money does not add
 * up, and 0 otherwise, whatever the figures are.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { describeMachine, fdatasyncMs } from "./machine";
import { buildPrograms, cleanUp, ROOT } from "./processes";
import { isReached, printRow, printSummary, type Row } from "./report";
import { arrivalRows } from "./rows/arrivals";
import { growthRows } from "./rows/growth";
import { idleHeapRows, idleSubscriptionRows } from "./rows/idle";
import { readRows } from "./rows/reads";
import { screenRows } from "./rows/screens";
import { signInRows } from "./rows/signIns";
import { sizeRows } from "./rows/sizes";
import { startRows } from "./rows/starting";
import { thinnestRows } from "./rows/thinnest";
import { transferRows } from "./rows/transfers";
import { waitingRows } from "./rows/waiting";
import { World } from "./world";

const USAGE = `usage: npm run bench -- [rows] [options]

  rows             numbers of the rows to measure (default: all), for example: npm run bench -- 1 3
  --rounds N       rounds of each row (7)
  --measure-ms N   measured time of one sample (2000)
  --warm-up-ms N   load before it (1200); longer shows a server whose code is compiled
  --people N       prepare at most so many people, for a quick look (100000)
  --keep FOLDER    prepared people stay there, and those of an earlier run are used again; FOLDER/100000
                   may also be a data folder that npm run seed:large has filled
  --help

rows
  1   durable transfers, 64 clients           8   start, and start after kill -9
  2   one hot account                         9   8 sign-ins at once
  3   latency of one client and of 64         10  JavaScript before the first view
  4   a transfer on somebody else's screen    11  mutations beside the thinnest server
  5   10,000 idle subscriptions               12  reads at 1,000,000 documents
  6   memory of an idle connection            13  a mutation that waits for real work
  7   cost of calls, and a registration, at 100,000 people

Rows 1, 2 and 4 compare with PostgreSQL when Debian's postgresql is installed.
BENCH_PROFILE=ourServer:FOLDER writes processor profiles of our server into FOLDER.`;

/** Rows that are measured together. */
const GROUPS: readonly {
  readonly rows: readonly string[];
  readonly measure: (world: World, wanted: readonly string[]) => Promise<Row[]>;
  /** Fewer would not do for its connections. */
  readonly peopleMin?: number;
}[] = [
  { rows: ["1", "2", "3"], measure: transferRows },
  { rows: ["4"], measure: screenRows },
  { rows: ["5"], measure: idleSubscriptionRows, peopleMin: 10_000 },
  { rows: ["6"], measure: idleHeapRows, peopleMin: 10_000 },
  { rows: ["7"], measure: growthRows },
  { rows: ["7"], measure: arrivalRows },
  { rows: ["8"], measure: startRows },
  { rows: ["9"], measure: signInRows },
  { rows: ["10"], measure: sizeRows },
  { rows: ["11"], measure: thinnestRows },
  { rows: ["12"], measure: readRows },
  { rows: ["13"], measure: waitingRows },
];

/** Rows that are compared with PostgreSQL. */
const PEER_ROWS: readonly string[] = ["1", "2", "3", "4"];

function usageError(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

const count = (text: string, name: string): number => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : usageError(`--${name} wants a number`);
};

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: "string", default: "7" },
        "measure-ms": { type: "string", default: "2000" },
        "warm-up-ms": { type: "string", default: "1200" },
        people: { type: "string", default: "100000" },
        keep: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return usageError((error as Error).message);
  }
}

const { values, positionals } = readCommandLine();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const known = GROUPS.flatMap((group) => group.rows);
const unknown = positionals.find((number) => !known.includes(number));
if (unknown !== undefined) usageError(`There is no row ${unknown}`);
const chosen = positionals.length === 0 ? known : positionals;

const people = count(values.people, "people");
const crowded = GROUPS.find(
  ({ rows, peopleMin = 0 }) => peopleMin > people && rows.some((row) => chosen.includes(row)),
);
if (crowded !== undefined) {
  usageError(`Row ${crowded.rows.join(", ")} wants --people ${crowded.peopleMin} or more`);
}

const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], {
  cwd: ROOT,
  stdio: "inherit",
});
if (status !== 0) process.exit(1);
await buildPrograms();
const pace = {
  rounds: count(values.rounds, "rounds"),
  warmUpMs: count(values["warm-up-ms"], "warm-up-ms"),
  measureMs: count(values["measure-ms"], "measure-ms"),
};
const world = new World(pace, people, values.keep ?? null);
console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`);
console.log(`fdatasync ${fdatasyncMs().toFixed(3)} ms`);
if (chosen.some((number) => PEER_ROWS.includes(number))) {
  const peer = await world.peer();
  console.log(
    peer === null
      ? "PostgreSQL is not installed: its rows are left out"
      : `PostgreSQL ${peer.version}`,
  );
}

const rows: Row[] = [];
for (const group of GROUPS) {
  const wanted = group.rows.filter((number) => chosen.includes(number));
  if (wanted.length === 0) continue;
  const measured = await group.measure(world, wanted);
  measured.forEach(printRow);
  rows.push(...measured);
}
printSummary(rows);
const aimed = rows.filter((row) => row.target !== null);
const short = aimed.filter((row) => !isReached(row)).map((row) => row.number);
console.log(
  `\n${aimed.length - short.length} of ${aimed.length} reached${short.length > 0 ? `; short: ${short.join(", ")}` : ""}`,
);
for (const wrong of world.wrongSums) console.log(`WRONG SUM  ${wrong}`);
cleanUp();
process.exit(world.wrongSums.length > 0 ? 1 : 0);
