/**
 * A bank under mixed load for a long time, while connections are cut and the server is stopped and killed in
 * turn: no cent is lost or doubled, every acknowledged transfer exists exactly once, memory does not grow.
 *
 * `npm run soak -- --minutes 20`. Prints its progress and the result. In the first three fifths of the time
 * the server is restarted; afterwards it runs without restarts, and its memory is measured.
 *
 * Long because it is one run from the first sign-in to the last sum.
 */
import { randomInt, randomUUID } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ConvexClient } from "convex/browser";
import { ConvexError } from "convex/values";
import { api } from "../../convex/_generated/api";
import { DEMO } from "../e2e/support/people";
import { startServer } from "../e2e/support/server";
import { ledgerProblems } from "../support/backOffice";
import { lastingPerson } from "../support/lastingPerson";

const MS_PER_MINUTE = 60_000;
const LANES = 8;
const LANE_PAUSE_MS = 100;
const CUT_EVERY_MS = 3_000;
const RESTARTS_SHARE = 0.6;
const SAMPLE_EVERY_MS = 2_000;
const REPORT_EVERY_MS = 20_000;
const HISTORY_PAGE = 200;
const SAVINGS_CENTS = 100_000n;
/** Allowed growth of the minimum heap size: the collector does not always free the same amount. */
const HEAP_GROWTH_MAX = 1.25;
const HEAP_SLACK_BYTES = 16 * 1024 * 1024;

const minutes = Number(process.argv[2] ?? 20);
/** Set when everybody has signed in. */
let endMs = 0;
let restartsEndMs = 0;
const isOver = (): boolean => Date.now() >= endMs;

/** The proxy that clients connect to: forwards everything, and can cut connections. */
class CuttingProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  cuts = 0;

  async listen(targetPort: () => number): Promise<number> {
    const server = createServer((client) => {
      const target = connect(targetPort(), "127.0.0.1");
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        this.sockets.add(from);
        from.pipe(to);
        from
          .on("error", () => to.destroy())
          .on("close", () => {
            this.sockets.delete(from);
            to.destroy();
          });
      }
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  }

  /** Cuts about half of the connections, at any point of their data. */
  cut(): void {
    for (const socket of this.sockets) {
      if (randomInt(2) === 0) continue;
      this.cuts += 1;
      socket.destroy();
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
  }
}

type Person = Awaited<ReturnType<typeof lastingPerson>>;

/** References of the member's outgoing transfers on an account, all pages. */
async function references({ http }: Person, accountType: "Checking" | "Savings") {
  const found: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: { page: { reference?: string }[]; isDone: boolean; continueCursor: string } =
      await http.query(api.transactions.history, {
        accountType,
        type: "debit",
        category: "Transfer",
        paginationOpts: { cursor, numItems: HISTORY_PAGE },
      });
    found.push(...page.page.flatMap((row) => row.reference ?? []));
    if (page.isDone) return found.filter((reference) => reference.startsWith("soak "));
    cursor = page.continueCursor;
  }
}

const totalOf = async ({ http }: Person): Promise<bigint> =>
  (await http.query(api.accounts.listMine, {})).reduce(
    (sum, account) => sum + account.balanceCents,
    0n,
  );

async function heapOf(url: string): Promise<number | null> {
  const text = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => "",
  );
  const match = /^process_heap_bytes (\d+)/m.exec(text);
  return match === null ? null : Number(match[1]);
}

const proxy = new CuttingProxy();
const serverPort = { value: 0 };
const proxyPort = await proxy.listen(() => serverPort.value);
const url = `http://127.0.0.1:${proxyPort}`;
const server = await startServer({ isEmpty: true, env: { SITE_URL: url } });
serverPort.value = Number(new URL(server.url).port);

const acknowledged = new Set<string>();
const counts = { stops: 0, kills: 0, refused: 0, reads: 0, updates: 0 };
const refusals = new Set<string>();
const heapSamples: number[] = [];
let isGood = true;
const check = (isRight: boolean, text: string): void => {
  isGood &&= isRight;
  console.log(`${isRight ? "ok    " : "FAILED"} ${text}`);
};

try {
  // The protected account has no count limit, so it can move money all the time.
  const vera = await lastingPerson(url, DEMO.vip);
  const omar = await lastingPerson(url, DEMO.omar);
  const admin = await lastingPerson(url, DEMO.admin);
  const totalBefore = (await totalOf(vera)) + (await totalOf(omar));
  const clients = [vera.open(), vera.open(), vera.open(), omar.open(), admin.open()];
  const [one, two, three, watcher, overview] = clients as [
    ConvexClient,
    ConvexClient,
    ConvexClient,
    ConvexClient,
    ConvexClient,
  ];
  const seen = (): void => void (counts.updates += 1);
  watcher.onUpdate(api.accounts.listMine, {}, seen);
  watcher.onUpdate(api.transactions.recent, {}, seen);
  one.onUpdate(api.accounts.listMine, {}, seen);
  overview.onUpdate(api.admin.health.get, {}, seen);

  // Later transfers go in and out of Savings by cents, so it must not become empty.
  await one.mutation(api.transfers.submit, {
    transferType: "internal",
    fromAccount: "Checking",
    toAccount: "Savings",
    amountCents: SAVINGS_CENTS,
    reference: "before the soak",
    requestKey: randomUUID(),
  });

  let started = 0;
  const transfer = async (client: ConvexClient): Promise<void> => {
    const reference = `soak ${(started += 1)}`;
    const common = { amountCents: 1n, reference, requestKey: randomUUID() };
    const kind = randomInt(3);
    const fromAccount = kind === 1 ? "Savings" : "Checking";
    try {
      await client.mutation(
        api.transfers.submit,
        kind === 2
          ? { ...common, transferType: "user", fromAccount, recipientEmail: DEMO.omar }
          : {
              ...common,
              transferType: "internal",
              fromAccount,
              toAccount: kind === 1 ? "Checking" : "Savings",
            },
      );
      acknowledged.add(reference);
    } catch (error) {
      counts.refused += 1;
      refusals.add(error instanceof ConvexError ? JSON.stringify(error.data) : String(error));
    }
  };
  const lane = async (index: number): Promise<void> => {
    const client = [one, two, three][index % 3] ?? one;
    while (!isOver()) {
      await transfer(client);
      await delay(randomInt(LANE_PAUSE_MS));
    }
  };
  const readers = async (): Promise<void> => {
    while (!isOver()) {
      const isRead = await omar.http.query(api.transactions.recent, {}).then(
        () => true,
        () => false,
      );
      if (isRead) counts.reads += 1;
      await delay(LANE_PAUSE_MS);
    }
  };
  const cutConnections = async (): Promise<void> => {
    while (!isOver()) {
      await delay(CUT_EVERY_MS);
      proxy.cut();
    }
  };
  const restarter = async (): Promise<void> => {
    const everyMs = Math.min(MS_PER_MINUTE, (minutes * MS_PER_MINUTE * RESTARTS_SHARE) / 5);
    for (let round = 0; Date.now() + everyMs < restartsEndMs; round += 1) {
      await delay(everyMs);
      if (round % 2 === 0) {
        await server.kill();
        counts.kills += 1;
      } else counts.stops += 1;
      await server.restart();
    }
  };
  const sampler = async (): Promise<void> => {
    while (!isOver()) {
      await delay(SAMPLE_EVERY_MS);
      const heap = Date.now() < restartsEndMs ? null : await heapOf(server.url);
      if (heap !== null) heapSamples.push(heap);
    }
  };
  const reporter = async (): Promise<void> => {
    while (!isOver()) {
      // Observers only watch; without these calls their idle sessions would expire.
      await Promise.all([watcher, overview].map((each) => each.mutation(api.sessions.touch, {})));
      await delay(Math.min(REPORT_EVERY_MS, Math.max(0, endMs - Date.now())));
      const heap = await heapOf(server.url);
      console.log(
        `${((endMs - Date.now()) / MS_PER_MINUTE).toFixed(1)} min left: ${acknowledged.size} transfers, ` +
          `${counts.reads} reads, ${counts.updates} live updates, ${proxy.cuts} cuts, ${counts.kills} kills, ` +
          `${counts.stops} stops, heap ${heap === null ? "-" : (heap / 1_048_576).toFixed(0)} MiB`,
      );
    }
  };
  endMs = Date.now() + minutes * MS_PER_MINUTE;
  restartsEndMs = Date.now() + minutes * MS_PER_MINUTE * RESTARTS_SHARE;
  const lanes = Array.from({ length: LANES }, (_, index) => lane(index));
  await Promise.all([...lanes, readers(), cutConnections(), restarter(), sampler(), reporter()]);
  await Promise.all(clients.map((client) => client.close()));

  for (const each of [vera, omar, admin]) await each.refresh();
  const rows = [...(await references(vera, "Checking")), ...(await references(vera, "Savings"))];
  const unique = new Set(rows);
  const lost = [...acknowledged].filter((reference) => !unique.has(reference));
  check(lost.length === 0, `${acknowledged.size} acknowledged transfers, lost ${lost.length}`);
  check(unique.size === rows.length, `${rows.length} rows, doubled ${rows.length - unique.size}`);
  check(counts.refused === 0, `refused ${counts.refused} ${[...refusals].join("; ")}`);
  const totalAfter = (await totalOf(vera)) + (await totalOf(omar));
  check(totalAfter === totalBefore, `cents before ${totalBefore}, after ${totalAfter}`);
  const problems = await ledgerProblems(admin.http);
  check(problems.length === 0, `ledger check: ${problems.join("; ") || "passed"}`);
  const third = Math.floor(heapSamples.length / 3);
  // Caches fill during the first third.
  const early = Math.min(...heapSamples.slice(third, 2 * third));
  const late = Math.min(...heapSamples.slice(-third));
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  check(
    third > 0 && late <= early * HEAP_GROWTH_MAX + HEAP_SLACK_BYTES,
    `floor of the heap, second third ${mib(early)}, last third ${mib(late)} (${heapSamples.length} samples)`,
  );
} finally {
  proxy.close();
  const code = await server.stop();
  check(code === 0, `exit code after SIGTERM ${code}`);
}
console.log(
  `${minutes} minutes, ${proxy.cuts} cut connections, ${counts.kills} kills, ${counts.stops} stops: ${isGood ? "sound" : "FAILED"}`,
);
process.exit(isGood ? 0 : 1);
