/**
 * Rows 1 to 3: transfers per second and their latency. They share their samples.
 *
 * The comparison with PostgreSQL uses the same work on both sides: the stored procedure and its counterpart
 * in `../functions/bank.ts`. The product's own transfer does more (it reads the session and its second
 * factor, and writes notifications, month totals and the request), and has its own row.
 */
import type { Bank, BankServer } from "../bank";
import { describeUse, runLoad, type LoadSample } from "../load";
import { peerEmail, type Peer } from "../peer";
import { ratiosOf, type Row } from "../report";
import { alternate, type Round } from "../rounds";
import { USERS, type OurServer, type World } from "../world";

const CLIENTS = 64;

/** Tokens of the first members as senders, and the e-mails of all others. */
export async function senders(world: World, count: number) {
  const folder = await world.folder();
  const { members } = folder.people;
  return {
    folder,
    tokens: await Promise.all(members.slice(0, count).map((member) => folder.tokenOf(member))),
    recipients: members.slice(count).map((member) => member.email),
  };
}

/** Records what does not add up after a run: the sum of balances, and results without a transfer. */
export async function checkOurs(world: World, server: OurServer, before: string, answered: number) {
  const { sumCents, transfers } = await server.ask("ledger");
  if (sumCents !== before) world.wrongSums.push(`ours: ${before} became ${sumCents}`);
  if (transfers !== answered) {
    world.wrongSums.push(`ours: ${answered} answered, ${transfers} in the store`);
  }
}

/** {@link checkOurs} for the benchmark's own bank; also ends its server. */
export async function finishBank(world: World, bank: Bank, server: BankServer, answered: number) {
  const { sumCents, transfers } = await server.finish();
  if (sumCents !== bank.openingSumCents || transfers !== answered) {
    world.wrongSums.push(`ours: sum ${sumCents}, ${transfers} of ${answered} transfers`);
  }
}

async function sampleProduct(world: World): Promise<LoadSample> {
  const { folder, tokens, recipients } = await senders(world, CLIENTS);
  const server = await world.startOurs(folder);
  const { sumCents } = await server.ask("ledger");
  const sample = await runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid] },
    { kind: "wrenmoor", tokens, recipients },
  );
  await checkOurs(world, server, sumCents, sample.answered);
  await server.stop();
  return sample;
}

export const SENDERS = Array.from({ length: CLIENTS }, (_, index) => index + 1);
export const OTHERS = Array.from({ length: USERS - CLIENTS }, (_, index) =>
  peerEmail(CLIENTS + 1 + index),
);
const recipientsOf = (isHot: boolean): string[] => (isHot ? OTHERS.slice(0, 1) : OTHERS);

async function sampleOurs(world: World, clients: number, isHot: boolean): Promise<LoadSample> {
  const bank = await world.bank();
  const tokens = await Promise.all(SENDERS.slice(0, clients).map((number) => bank.tokenOf(number)));
  const server = await bank.startServer();
  const sample = await runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid] },
    { kind: "bank", tokens, recipients: recipientsOf(isHot) },
  );
  await finishBank(world, bank, server, sample.answered);
  return sample;
}

async function samplePeer(
  world: World,
  peer: Peer,
  mode: "procedure" | "interactive" | "locks",
  isHot: boolean,
): Promise<LoadSample> {
  const tokens = await Promise.all(SENDERS.map((id) => peer.tokenOf(id)));
  const server = await peer.startServer();
  const sample = await runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid, peer.clusterPid] },
    { kind: "peer", peerMode: mode, tokens, recipients: recipientsOf(isHot) },
  );
  const { sumCents, transfers } = await server.finish();
  if (sumCents !== peer.openingSumCents || transfers !== sample.answered) {
    world.wrongSums.push(`peer: sum ${sumCents}, ${transfers} of ${sample.answered} transfers`);
  }
  return sample;
}

const KINDS = ["ours", "procedure", "interactive", "product", "hot", "hotLocks", "single"] as const;
type Kind = (typeof KINDS)[number];
type Rounds = readonly Round<Kind, LoadSample>[];

const NEEDED: Readonly<Record<string, readonly Kind[]>> = {
  "1": ["ours", "procedure", "interactive", "product"],
  "2": ["ours", "hot", "hotLocks"],
  "3": ["ours", "procedure", "single"],
};
const PEER_KINDS: readonly Kind[] = ["procedure", "interactive", "hotLocks"];

const cores = (rounds: Rounds, kind: Kind): string =>
  describeUse(
    kind,
    rounds.map((round) => round[kind]),
  );

/** Compares "ours" with another kind by one figure of the samples. */
function compare(
  rounds: Rounds,
  what: Pick<Row, "number" | "name" | "unit" | "target">,
  [ours, otherName, other]: readonly [Kind, string, Kind],
  pick: (sample: LoadSample) => number,
): Row {
  const figures = (kind: Kind): number[] => rounds.map((round) => pick(round[kind]));
  return {
    ...what,
    ours: figures(ours),
    other: { name: otherName, values: figures(other) },
    ratios: ratiosOf(
      rounds,
      (round) => pick(round[ours]),
      (round) => pick(round[other]),
    ),
    notes: [cores(rounds, ours), cores(rounds, other)],
  };
}

const rate = (sample: LoadSample): number => sample.perSecond;

function rowsOf(rounds: Rounds, wanted: readonly string[], hasPeer: boolean): Row[] {
  const unit = "transfers/s";
  const rows: Row[] = [];
  const add = (number: string, needsPeer: boolean, row: () => Row): void => {
    if (wanted.includes(number) && (hasPeer || !needsPeer)) rows.push(row());
  };
  const durable = "durable transfers, 64 clients";
  add("1", true, () =>
    compare(
      rounds,
      { number: "1a", name: durable, unit, target: { atLeast: 2.5 } },
      ["ours", "PostgreSQL procedure", "procedure"],
      rate,
    ),
  );
  add("1", true, () =>
    compare(
      rounds,
      { number: "1b", name: durable, unit, target: { atLeast: 6 } },
      ["ours", "interactive", "interactive"],
      rate,
    ),
  );
  add("1", true, () =>
    compare(
      rounds,
      { number: "1c", name: "the product's own transfer, 64 clients", unit, target: null },
      ["product", "PostgreSQL procedure", "procedure"],
      rate,
    ),
  );
  const hot = "one hot account, 64 clients";
  add("2", false, () =>
    compare(
      rounds,
      { number: "2a", name: hot, unit, target: { atLeast: 0.9 } },
      ["hot", "uniform", "ours"],
      rate,
    ),
  );
  add("2", true, () =>
    compare(
      rounds,
      { number: "2b", name: hot, unit, target: { atLeast: 5 } },
      ["hot", "PostgreSQL row locks", "hotLocks"],
      rate,
    ),
  );
  add("3", false, () => ({
    number: "3a",
    name: "one client: answer p50 in fdatasyncs",
    unit: "ms",
    target: { atMost: 5 },
    ours: rounds.map((round) => round.single.p50Ms),
    other: { name: "fdatasync", values: rounds.map((round) => round.fdatasyncMs) },
    ratios: ratiosOf(
      rounds,
      (round) => round.single.p50Ms,
      (round) => round.fdatasyncMs,
    ),
    notes: [cores(rounds, "single")],
  }));
  add("3", true, () =>
    compare(
      rounds,
      { number: "3b", name: "64 clients: p99 of an answer", unit: "ms", target: { atMost: 0.6 } },
      ["ours", "PostgreSQL procedure", "procedure"],
      (sample) => sample.p99Ms,
    ),
  );
  return rows;
}

/** Measures those of rows 1, 2 and 3 that are wanted. */
export async function transferRows(world: World, wanted: readonly string[]): Promise<Row[]> {
  const needed = new Set(wanted.flatMap((number) => NEEDED[number] ?? []));
  const peer = PEER_KINDS.some((kind) => needed.has(kind)) ? await world.peer() : null;
  const kinds = KINDS.filter(
    (kind) => needed.has(kind) && (peer !== null || !PEER_KINDS.includes(kind)),
  );
  const takeSample = (kind: Kind): Promise<LoadSample> => {
    if (kind === "ours" || kind === "hot") return sampleOurs(world, CLIENTS, kind === "hot");
    if (kind === "product") return sampleProduct(world);
    if (kind === "single") return sampleOurs(world, 1, false);
    if (peer === null) throw new Error("without PostgreSQL there is no peer");
    return samplePeer(world, peer, kind === "hotLocks" ? "locks" : kind, kind === "hotLocks");
  };
  const rounds = await alternate("transfers", kinds, world.pace.rounds, takeSample);
  return rowsOf(rounds, wanted, peer !== null);
}
