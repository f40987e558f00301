/** Rows 5 and 6: the cost of people who are connected with open dashboards, and do nothing. */
import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds } from "../machine";
import type { SeededFolder } from "../people";
import { start, type Program } from "../processes";
import type { OnlookersPlan } from "../programs/onlookers";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { describeRange } from "../statistics";
import type { World } from "../world";
import { checkOurs } from "./transfers";
import { runLoad } from "../load";

const CLIENTS = 64;
const KIB = 1024;
const PERCENT = 100;
/** V8 still collects garbage for this long after the last work, which is not part of being idle. */
const SETTLED_AFTER_MS = 30_000;
/** Long enough for at least one message from the server to every connection. */
const IDLE_WATCHED_MS = 30_000;
/** Connections opened before the first measurement, so that caches and compiled code are in both. */
const FIRST = 200;
const MORE = 1_000;
/** Members from this index on are idle; nobody sends them money. */
const ONLOOKERS_FROM = 1_000;

const LIST_MINE = [{ path: "accounts:listMine", args: {} }];

const monthText = (monthsAgo: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 15))
    .toISOString()
    .slice(0, 7);
};

/** Every query the member's dashboard has open. */
export const DASHBOARD = [
  { path: "viewer:get", args: {} },
  { path: "accounts:listMine", args: {} },
  { path: "transactions:recent", args: {} },
  { path: "transactions:monthTotals", args: { month: monthText(0) } },
  { path: "transactions:monthlySeries", args: { months: [5, 4, 3, 2, 1, 0].map(monthText) } },
  { path: "transactions:pendingTotals", args: {} },
  { path: "notifications:mine", args: {} },
  { path: "notifications:unreadCount", args: {} },
  { path: "transfers:usage", args: {} },
  { path: "cards:listMine", args: {} },
];

async function connect(
  folder: SeededFolder,
  url: string,
  [from, count]: readonly [number, number],
  queries: OnlookersPlan["queries"],
): Promise<Program> {
  const people = folder.people.members.slice(ONLOOKERS_FROM + from, ONLOOKERS_FROM + from + count);
  // With fewer people the cost of each would look smaller.
  if (people.length < count) throw new Error(`There are no ${count} onlookers`);
  const tokens = await Promise.all(people.map((person) => folder.tokenOf(person)));
  const plan: OnlookersPlan = { url, kind: "wrenmoor", tokens, queries };
  const onlookers = start("onlookers", plan);
  await onlookers.line("ready");
  return onlookers;
}

interface LoadSample {
  readonly cpuMicros: number;
  readonly reruns: number;
}

async function sampleLoad(world: World, connections: number): Promise<LoadSample> {
  const folder = await world.folder();
  const { members } = folder.people;
  const senders = members.slice(0, CLIENTS);
  const server = await world.startOurs(folder);
  const { sumCents } = await server.ask("ledger");
  const onlookers = await connect(folder, server.url, [0, connections], DASHBOARD);
  await server.ask("runs");
  const sample = await runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid] },
    {
      kind: "wrenmoor",
      tokens: await Promise.all(senders.map((person) => folder.tokenOf(person))),
      recipients: members.slice(CLIENTS, ONLOOKERS_FROM).map((person) => person.email),
    },
  );
  const reruns = await server.ask("runs");
  await onlookers.stop("SIGKILL");
  await checkOurs(world, server, sumCents, sample.answered);
  await server.stop();
  return { cpuMicros: sample.cpuMicros, reruns };
}

/** Row 5. */
export async function idleSubscriptionRows(world: World): Promise<Row[]> {
  const rounds = await alternate(
    "idle subscriptions",
    ["thousands", "ten"] as const,
    world.pace.rounds,
    (kind) => sampleLoad(world, kind === "thousands" ? MORE : 1),
  );
  const unit = "µs";
  const cpu = (kind: "thousands" | "ten"): number[] => rounds.map((round) => round[kind].cpuMicros);
  return [
    {
      number: "5a",
      name: "processor time of a transfer beside 10,000 idle subscriptions",
      unit,
      ours: cpu("thousands"),
      other: { name: "beside 10", values: cpu("ten") },
      ratios: ratiosOf(
        rounds,
        (round) => round.thousands.cpuMicros,
        (round) => round.ten.cpuMicros,
      ),
      target: { atMost: 1.1 },
    },
    {
      number: "5b",
      name: "unaffected queries run again",
      unit: "runs",
      ours: rounds.map((round) => round.thousands.reruns),
      ratios: rounds.map((round) => round.thousands.reruns),
      target: { atMost: 0 },
    },
  ];
}

interface HeapSample {
  /** Heap of the connections themselves, without the shared cache of the documents they read. */
  readonly heapKib: number;
  readonly withCacheKib: number;
  readonly residentKib: number;
  readonly idlePercent: number;
}

async function sampleHeap(world: World, queries: OnlookersPlan["queries"]): Promise<HeapSample> {
  const folder = await world.folder();
  const server = await world.startOurs(folder, ["--expose-gc"]);
  const first = await connect(folder, server.url, [0, FIRST], queries);
  const before = await server.ask("heap");
  const more = await connect(folder, server.url, [FIRST, MORE], queries);
  const after = await server.ask("heap");
  await pause(SETTLED_AFTER_MS);
  const cpuBefore = cpuSeconds(server.program.pid);
  // The measured window, in which nothing must happen.
  await pause(IDLE_WATCHED_MS);
  const idleSeconds = cpuSeconds(server.program.pid) - cpuBefore;
  await Promise.all([first.stop("SIGKILL"), more.stop("SIGKILL")]);
  await server.stop();
  const eachKib = (field: keyof typeof after): number =>
    (after[field] - before[field]) / MORE / KIB;
  return {
    heapKib: eachKib("heapUsedBytes"),
    withCacheKib: eachKib("withCacheBytes"),
    residentKib: eachKib("rssBytes"),
    idlePercent: (idleSeconds / (IDLE_WATCHED_MS / 1000)) * PERCENT,
  };
}

/** Row 6. */
export async function idleHeapRows(world: World): Promise<Row[]> {
  const rounds = await alternate(
    "idle heap",
    ["one", "dashboard"] as const,
    world.pace.rounds,
    (kind) => sampleHeap(world, kind === "one" ? LIST_MINE : DASHBOARD),
  );
  const row = (number: string, name: string, kind: "one" | "dashboard"): Row => {
    const heap = rounds.map((round) => round[kind].heapKib);
    const of = (field: keyof HeapSample) => describeRange(rounds.map((each) => each[kind][field]));
    return {
      number,
      name,
      unit: "KiB",
      ours: heap,
      ratios: heap,
      target: { atMost: 12 },
      notes: [
        `${of("withCacheKib")} KiB each with the documents cached for them (at most 16 MiB for all)`,
        `resident memory ${of("residentKib")} KiB each`,
      ],
    };
  };
  const idle = rounds.map((round) => round.dashboard.idlePercent);
  return [
    row("6a", "heap per idle connection with one subscription", "one"),
    row("6b", `heap per idle connection with a dashboard (${DASHBOARD.length})`, "dashboard"),
    {
      number: "6c",
      name: "processor use of an idle server, 1,200 dashboards open",
      unit: "% of a core",
      ours: idle,
      ratios: idle,
      // "0 %": below the resolution of the system's CPU time in this window.
      target: { atMost: 0.5 },
    },
  ];
}
