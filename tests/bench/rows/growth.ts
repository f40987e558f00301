/**
 * Row 7: the cost of a call with 1,000 and with 100,000 people and ten transactions each, and how close it
 * comes to a function's limits.
 */
import { RECIPIENT_LOOKUPS_PER_MINUTE_MAX } from "#shared/limits";
import { DASHBOARD } from "./idle";
import { cpuSeconds } from "../machine";
import type { SeededFolder } from "../people";
import { start } from "../processes";
import type { CallsPlan } from "../programs/calls";
import { progress, ratiosOf, type Row } from "../report";
import { alternate, type Round } from "../rounds";
import { describeRange } from "../statistics";
import { FEW, MANY, type OurServer, type World } from "../world";

const AT_ONCE = 8;
const PAGE_ROWS = 50;
const EXPORT_ROWS = 100;
const PERCENT = 100;
const MICROS_PER_SECOND = 1_000_000;
/** Number of callers, used in turn. */
const CALLERS = 600;
/** Long enough for JIT compilation on both sides; CPU time is counted in steps of 10 ms. */
const PACE = { atOnce: AT_ONCE, warmUpMs: 4_000, measureMs: 3_000 };
const LOOK_UP_PACE = {
  warmUpMs: 1_500,
  measureMs: 2_000,
  callsMax: CALLERS * RECIPIENT_LOOKUPS_PER_MINUTE_MAX,
};
/** A period that is available under the policy as specified. */
const STATEMENT_PERIOD = "2025-02";
/** Functions must stay below this share of every limit. */
const LIMIT_PERCENT_MAX = 10;

type Part = Pick<CallsPlan, "kind" | "path" | "calls"> & Partial<typeof LOOK_UP_PACE>;
/** Named operations, each with the calls that it consists of. */
type Calls = ReadonlyMap<string, readonly Part[]>;
type Size = "few" | "many";
const SIZES: readonly Size[] = ["few", "many"];

const page = (numItems: number) => ({ paginationOpts: { numItems, cursor: null } });

/** All operations whose cost must not depend on the number of people. */
async function callsOf(folder: SeededFolder): Promise<Calls> {
  const { admin, members } = folder.people;
  const callers = members.slice(0, CALLERS);
  const tokens = await Promise.all(callers.map((person) => folder.tokenOf(person)));
  const adminToken = await folder.tokenOf(admin);
  const adminQuery = (path: string, ...args: object[]): Part[] => [
    { kind: "query", path, calls: args.map((each) => ({ token: adminToken, args: each })) },
  ];
  const own = (path: string, args: object): Part => ({
    kind: "query",
    path,
    calls: tokens.map((token) => ({ token, args })),
  });
  const list = (filter: object) =>
    adminQuery("admin/users:list", { ...filter, ...page(PAGE_ROWS) });
  const userIds = callers.map(({ userId }) => ({ userId }));
  const recipient = (index: number) => members[(index * 7 + 1) % members.length]?.email ?? "";
  return new Map<string, readonly Part[]>([
    ["first page of all people, for an administrator", list({})],
    ["people found by name", list({ search: "frost" })],
    // A prefix with a full page of matches at both sizes.
    ["people found by e-mail", list({ search: "load7" })],
    ["people who wait", list({ status: "pending" })],
    ["counts of the tabs", adminQuery("admin/users:counts", {})],
    ["a person's detail", adminQuery("admin/users:get", ...userIds)],
    [
      "a person's rows, for an administrator",
      adminQuery(
        "admin/transactions:listForUser",
        ...userIds.map((id) => ({ ...id, ...page(20) })),
      ),
    ],
    [
      "the dashboard's accounts and newest rows",
      DASHBOARD.slice(1, 3).map(({ path }) => own(path, {})),
    ],
    ["a page of the history", [own("transactions:history", page(EXPORT_ROWS))]],
    ["a statement", [own("statements:get", { accountType: "Checking", period: STATEMENT_PERIOD })]],
    [
      "find recipient",
      [
        {
          ...LOOK_UP_PACE,
          kind: "mutation",
          path: "transfers:findRecipient",
          calls: tokens.map((token, index) => ({ token, args: { email: recipient(index) } })),
        },
      ],
    ],
  ]);
}

/** CPU time of one call at each size, measured at the same time, so that disturbances affect both. */
async function costMicros(
  servers: Readonly<Record<Size, OurServer>>,
  parts: Readonly<Record<Size, Part>>,
): Promise<Record<Size, number>> {
  const started = await Promise.all(
    SIZES.map(async (size) => {
      const calls = start("calls", { ...PACE, ...parts[size], url: servers[size].url });
      await calls.line("measuring");
      return { calls, size, before: cpuSeconds(servers[size].program.pid) };
    }),
  );
  const costs = await Promise.all(
    started.map(async ({ calls, size, before }) => {
      const count = Number(await calls.line("result"));
      const used = cpuSeconds(servers[size].program.pid) - before;
      await calls.stop("SIGKILL");
      return [size, (used / count) * MICROS_PER_SECOND] as const;
    }),
  );
  return Object.fromEntries(costs) as Record<Size, number>;
}

interface Sample {
  /** CPU time by operation. */
  readonly micros: ReadonlyMap<string, number>;
  /** By operation, the largest share of a limit that a transaction used, and the name of that limit. */
  readonly shares: ReadonlyMap<string, readonly [percent: number, what: string]>;
}

async function largestShare(server: OurServer): Promise<readonly [number, string]> {
  let largest: readonly [percent: number, what: string] = [0, "nothing"];
  for (const [name, { used, limit }] of Object.entries(await server.ask("limits"))) {
    const percent = (used / limit) * PERCENT;
    if (percent > largest[0]) largest = [percent, `${name} ${used} of ${limit}`];
  }
  return largest;
}

/** Measures both sizes at the same time, operation by operation. */
async function sampleBoth(world: World): Promise<Readonly<Record<Size, Sample>>> {
  const folders = { few: await world.folder(FEW), many: await world.folder(MANY) };
  const servers = {
    few: await world.startOn(folders.few),
    many: await world.startOn(folders.many),
  };
  const calls = { few: await callsOf(folders.few), many: await callsOf(folders.many) };
  const empty = () => ({
    micros: new Map<string, number>(),
    shares: new Map<string, readonly [number, string]>(),
  });
  const samples = { few: empty(), many: empty() };
  for (const size of SIZES) {
    await servers[size].ask("forgetTries");
    await servers[size].ask("limits");
  }
  for (const [name, parts] of calls.few) {
    progress(name);
    const micros = { few: 0, many: 0 };
    for (const [at, few] of parts.entries()) {
      const many = calls.many.get(name)?.[at];
      if (many === undefined) throw new Error(`${name} is called at one size only`);
      const costs = await costMicros(servers, { few, many });
      for (const size of SIZES) micros[size] += costs[size];
    }
    for (const size of SIZES) {
      samples[size].micros.set(name, micros[size]);
      samples[size].shares.set(name, await largestShare(servers[size]));
    }
  }
  await Promise.all(SIZES.map((size) => servers[size].stop()));
  return samples;
}

type Growth = Round<"both", Readonly<Record<Size, Sample>>>;

function limitsRow(rounds: readonly Growth[], people: string): Row {
  const byCall = (name: string) =>
    rounds.map((round) => round.both.many.shares.get(name) ?? ([0, "nothing"] as const));
  const names = [...(rounds[0]?.both.many.shares.keys() ?? [])];
  const largest = rounds.map((round) =>
    Math.max(...[...round.both.many.shares.values()].map(([percent]) => percent)),
  );
  return {
    number: "7",
    name: `largest share of a function's limits with ${people} people`,
    unit: "%",
    ours: largest,
    ratios: largest,
    target: { atMost: LIMIT_PERCENT_MAX },
    notes: names.map((name) => {
      const shares = byCall(name);
      return `${name}: ${describeRange(shares.map(([percent]) => percent))} % (${shares[0]?.[1]})`;
    }),
  };
}

/** Row 7. */
export async function growthRows(world: World): Promise<Row[]> {
  await world.folder(FEW);
  await world.folder(MANY);
  const people = world.atMost(MANY).toLocaleString("en-US");
  const rounds = await alternate("growth", ["both"] as const, world.pace.rounds, () =>
    sampleBoth(world),
  );
  const micros = (size: Size, name: string) => (round: Growth) =>
    round.both[size].micros.get(name) ?? Number.NaN;
  const names = [...(rounds[0]?.both.few.micros.keys() ?? [])];
  const costs = names.map((name): Row => {
    const [ours, other] = [micros("many", name), micros("few", name)];
    return {
      number: "7",
      name: `processor time with ${people} people: ${name}`,
      unit: "µs",
      ours: rounds.map(ours),
      other: { name: "with 1,000", values: rounds.map(other) },
      ratios: ratiosOf(rounds, ours, other),
      target: { atMost: 1.2 },
    };
  });
  return [...costs, limitsRow(rounds, people)];
}
