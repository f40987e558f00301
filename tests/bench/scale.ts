/**
 * What the back office costs with few and with many people: server CPU per call of the list's first
 * page, search, filter, counts, detail, a look-up, the member's dashboard and finding a recipient; and
 * how long a registration takes to reach an open admin screen.
 *
 * `node scripts/run.mjs tests/bench/scale.ts [folder=.data-scale] [people=100000] [transactions=1000000]`
 * Seeds `folder/1000` and `folder/<people>` first; what is there already is used as it is.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "../e2e/support/people";
import { startServer } from "../e2e/support/server";
import { adminClient, userIdOf } from "../support/backOffice";
import { passwordToken } from "../support/wireClient";
import { median } from "./statistics";

const FEW = 1_000;
const COUNTS = { warmUp: 200, measured: 600 };
/** Rounds per size, alternating, so that a slow minute of the machine falls on both. */
const ROUNDS = 3;
const REGISTRATIONS = 15;
const RATIO_MAX = 1.2;
/** Look-ups are counted: so many people look up so many others, once in each round. */
const SEARCHERS_PER_ROUND = 8;
const LOOKUPS_EACH = 9;
const SEEDED_MEMBER = emailOf(6);

const APPLICATION = {
  firstName: "Scale",
  lastName: "Applicant",
  dateOfBirth: "1990-04-12",
  nationality: "Italian",
  maritalStatus: "Single",
  street: "14 Quay Street",
  city: "Portland",
  state: "Maine",
  country: "US",
  postalCode: "04101",
  phoneNumber: "(555) 010-0142",
  emergencyName: "Paolo",
  emergencyRelationship: "Brother",
  emergencyPhone: "(555) 010-0143",
  idCardType: "Passport",
  idCardNumber: "YA1234567",
};

interface Call {
  readonly name: string;
  readonly warmUp: number;
  readonly measured: number;
  readonly run: (turn: number) => Promise<unknown>;
}

/** A person of the seed; of six in a row the first four are approved. */
function emailOf(number: number): string {
  return `load${number}@load.example`;
}

/** CPU milliseconds the threads of a process have used. */
function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000;
}

const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);

function seed(dataDir: string, users: number, transactions: number): void {
  const args = [
    "scripts/seedLarge.mjs",
    "--users",
    `${users}`,
    "--transactions",
    `${transactions}`,
  ];
  const env = { ...process.env, DATA_DIR: dataDir };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) throw new Error(`seeding ${dataDir} failed`);
}

async function memberClient(url: string, email: string): Promise<ConvexHttpClient> {
  const member = new ConvexHttpClient(url, { logger: false });
  member.setAuth(await passwordToken(url, email));
  const verified = await member.mutation(api.otp.verifyLogin, { code: DEMO_CODES[1] });
  if (!verified.ok) throw new Error(verified.message);
  return member;
}

async function officeCalls(url: string): Promise<Call[]> {
  const admin = await adminClient(url);
  const userId = await userIdOf(admin, SEEDED_MEMBER);
  const page = (numItems: number) => ({ paginationOpts: { numItems, cursor: null } });
  const list = (filter: { status?: "pending"; search?: string }) => () =>
    admin.query(api.admin.users.list, { ...filter, ...page(50) });
  const runs: Record<string, Call["run"]> = {
    "first page": list({}),
    "search by name": list({ search: "hana gr" }),
    "search by e-mail": list({ search: "load77" }),
    filter: list({ status: "pending" }),
    counts: () => admin.query(api.admin.users.counts, {}),
    detail: () => admin.query(api.admin.users.get, { userId }),
    "detail's rows": () => admin.query(api.admin.transactions.listForUser, { userId, ...page(20) }),
  };
  return Object.entries(runs).map(([name, run]) => ({ name, run, ...COUNTS }));
}

async function memberCalls(url: string): Promise<Call[]> {
  const member = await memberClient(url, SEEDED_MEMBER);
  // The protected account has no limit of transfers; each finds its recipient by e-mail.
  const payer = await memberClient(url, DEMO.vip);
  const searchers = await Promise.all(
    Array.from({ length: SEARCHERS_PER_ROUND * ROUNDS }, (_, at) =>
      memberClient(url, emailOf(12 + 6 * at)),
    ),
  );
  let searched = 0;
  const findRecipient = (turn: number) => {
    const searcher = searchers[Math.floor(searched++ / LOOKUPS_EACH)];
    if (searcher === undefined) throw new Error("no searcher is left");
    return searcher.mutation(api.transfers.findRecipient, { email: emailOf(turn) });
  };
  const pay = (turn: number) =>
    payer.mutation(api.transfers.submit, {
      transferType: "user",
      fromAccount: "Checking",
      recipientEmail: emailOf((turn % 100) * 6),
      amountCents: 1n,
      reference: "scale",
      requestKey: randomUUID(),
    });
  return [
    { name: "dashboard: accounts", run: () => member.query(api.accounts.listMine, {}), ...COUNTS },
    { name: "dashboard: recent", run: () => member.query(api.transactions.recent, {}), ...COUNTS },
    { name: "transfer to a user", run: pay, ...COUNTS },
    {
      name: "find recipient",
      run: findRecipient,
      warmUp: 12,
      measured: SEARCHERS_PER_ROUND * LOOKUPS_EACH - 12,
    },
  ];
}

async function microsPerCall(pid: number, { run, warmUp, measured }: Call): Promise<number> {
  for (let turn = 0; turn < warmUp; turn += 1) await run(turn);
  const before = cpuMs(pid);
  for (let turn = warmUp; turn < warmUp + measured; turn += 1) await run(turn);
  return ((cpuMs(pid) - before) * 1_000) / measured;
}

/** Milliseconds from sending an application until it stands in an open admin screen. */
async function registrationsMs(url: string, count: number): Promise<number[]> {
  const token = await tokenOfAdmin(url);
  const screen = new ConvexClient(url, { logger: false });
  screen.setAuth(async () => token);
  const visitor = new ConvexHttpClient(url, { logger: false });
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const email = `scale-${randomUUID()}@load.example`;
    let onArrival = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (onArrival = resolve));
    let onFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (onFirst = resolve));
    const stop = screen.onUpdate(
      api.admin.users.list,
      { paginationOpts: { numItems: 50, cursor: null } },
      ({ page }) => {
        onFirst();
        if (page.some((row) => row.email === email)) onArrival();
      },
    );
    await first;
    const sentAt = performance.now();
    await visitor.action(api.auth.signIn, {
      provider: "password",
      params: { flow: "signUp", email, password: DEMO_PASSWORD, application: APPLICATION },
    });
    await arrival;
    found.push(performance.now() - sentAt);
    stop();
  }
  await screen.close();
  return found;
}

async function tokenOfAdmin(url: string): Promise<string> {
  const token = await passwordToken(url, DEMO.admin);
  const http = new ConvexHttpClient(url, { logger: false });
  http.setAuth(token);
  await http.mutation(api.otp.verifyLogin, { code: DEMO_CODES[2] });
  return token;
}

interface Measured {
  readonly micros: Map<string, number[]>;
  readonly registrationMs: number[];
}

async function measure(dataDirs: readonly string[]): Promise<Measured[]> {
  const servers = await Promise.all(dataDirs.map((dataDir) => startServer({ dataDir })));
  try {
    const sides = [];
    for (const server of servers) {
      const calls = [...(await officeCalls(server.url)), ...(await memberCalls(server.url))];
      const pid = childOf(server.supervisorPid());
      sides.push({ server, pid, calls, micros: new Map<string, number[]>() });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const index of sides[0]?.calls.keys() ?? []) {
        for (const { pid, calls, micros } of sides) {
          const call = calls[index];
          if (call === undefined) continue;
          const seen = micros.get(call.name) ?? [];
          micros.set(call.name, [...seen, await microsPerCall(pid, call)]);
        }
      }
    }
    const measured: Measured[] = [];
    for (const { server, micros } of sides) {
      measured.push({ micros, registrationMs: await registrationsMs(server.url, REGISTRATIONS) });
    }
    return measured;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const folder = path.resolve(process.argv[2] ?? ".data-scale");
const people = Number(process.argv[3] ?? 100_000);
const transactions = Number(process.argv[4] ?? 1_000_000);
const sizes = [FEW, people];
const dataDirs = sizes.map((size) => path.join(folder, String(size)));
for (const [index, size] of sizes.entries()) {
  seed(dataDirs[index] ?? "", size, Math.ceil((transactions * size) / people));
}
const [few, many] = await measure(dataDirs);
if (few === undefined || many === undefined) throw new Error("nothing was measured");
let isFlat = true;
const columns = sizes.map((size) => `${size.toLocaleString("en-US")} people`.padStart(16)).join("");
console.log(`${"server CPU per call".padEnd(24)}${columns}     ratio`);
for (const [name, values] of few.micros) {
  const pair = [median(values), median(many.micros.get(name) ?? [])] as const;
  const ratio = pair[1] / pair[0];
  isFlat &&= ratio <= RATIO_MAX;
  const shown = pair.map((value) => `${value.toFixed(0)} \u00b5s`.padStart(16)).join("");
  console.log(`${name.padEnd(24)}${shown}${ratio.toFixed(2).padStart(10)}`);
}
const arrivals = [few, many].map(({ registrationMs }) => median(registrationMs).toFixed(0));
console.log(`registration reaches an open admin screen: ${arrivals.join(" and ")} ms (median)`);
console.log(isFlat ? `every call costs at most ${RATIO_MAX} times as much` : "FAILED: not flat");
process.exit(isFlat ? 0 : 1);
