/** Row 7: what a call costs with 1,000 and with 100,000 people. */
import { cpuSeconds } from "../machine";
import type { SeededFolder } from "../people";
import { start } from "../processes";
import type { CallsPlan } from "../programs/calls";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import type { OurServer, World } from "../world";
import { DASHBOARD } from "./idle";

export const FEW = 1_000;
export const MANY = 100_000;
const AT_ONCE = 8;
const PAGE_ROWS = 20;
const MICROS_PER_SECOND = 1_000_000;
/** Callers in turn; a person may look up only so many recipients in a minute. */
const CALLERS = 600;

const CALLS = ["admin", "search", "dashboard", "recipient"] as const;
type Call = (typeof CALLS)[number];
type Costs = Readonly<Record<Call, number>>;

const NAMES: Readonly<Record<Call, string>> = {
  admin: "first page of all people, for an administrator",
  search: "people found by name, for an administrator",
  dashboard: "the dashboard's accounts and newest rows",
  recipient: "find recipient",
};

async function plans(folder: SeededFolder, url: string): Promise<Record<Call, CallsPlan[]>> {
  const { admin, members } = folder.people;
  const callers = members.slice(0, CALLERS);
  const tokens = await Promise.all(callers.map((person) => folder.tokenOf(person)));
  const adminToken = await folder.tokenOf(admin);
  // Long enough for compiled code on both sides; the clock of processor time steps by 10 ms.
  const pace = { atOnce: AT_ONCE, warmUpMs: 2_000, measureMs: 2_000 };
  const list = (extra: object): CallsPlan => ({
    ...pace,
    url,
    kind: "query",
    path: "admin/users:list",
    calls: [
      {
        token: adminToken,
        args: { ...extra, paginationOpts: { numItems: PAGE_ROWS, cursor: null } },
      },
    ],
  });
  const own = (path: string): CallsPlan => ({
    ...pace,
    url,
    kind: "query",
    path,
    calls: tokens.map((token) => ({ token, args: {} })),
  });
  const recipient = (index: number) => members[(index * 7 + 1) % members.length]?.email ?? "";
  return {
    admin: [list({})],
    search: [list({ search: "frost" })],
    dashboard: DASHBOARD.slice(1, 3).map(({ path }) => own(path)),
    recipient: [
      {
        ...pace,
        url,
        kind: "mutation",
        path: "transfers:findRecipient",
        calls: tokens.map((token, index) => ({ token, args: { email: recipient(index) } })),
      },
    ],
  };
}

async function costOf(server: OurServer, plan: CallsPlan): Promise<number> {
  const calls = start("calls", plan);
  await calls.line("measuring");
  const before = cpuSeconds(server.program.pid);
  const count = Number(await calls.line("result"));
  const used = cpuSeconds(server.program.pid) - before;
  await calls.stop("SIGKILL");
  return (used / count) * MICROS_PER_SECOND;
}

async function sample(world: World, users: number): Promise<Costs> {
  const folder = await world.folder(users);
  const server = await world.startOurs(folder);
  const wanted = await plans(folder, server.url);
  const costs: Partial<Record<Call, number>> = {};
  for (const call of CALLS) {
    let micros = 0;
    for (const plan of wanted[call]) micros += await costOf(server, plan);
    costs[call] = micros;
  }
  await server.stop();
  return costs as Costs;
}

/** Row 7. */
export async function growthRows(world: World): Promise<Row[]> {
  await world.folder(FEW);
  await world.folder(MANY);
  const rounds = await alternate("growth", ["many", "few"] as const, world.pace.rounds, (kind) =>
    sample(world, kind === "many" ? MANY : FEW),
  );
  return CALLS.map((call) => ({
    number: "7",
    name: `processor time at 100,000 people: ${NAMES[call]}`,
    unit: "µs",
    ours: rounds.map((round) => round.many[call]),
    other: { name: "at 1,000", values: rounds.map((round) => round.few[call]) },
    ratios: ratiosOf(
      rounds,
      (round) => round.many[call],
      (round) => round.few[call],
    ),
    target: { atMost: 1.2 },
  }));
}
