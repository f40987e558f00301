/**
 * Row 4: the time until a transfer shows on somebody else's screen, with 1,000 people connected. Transfer
 * and screen do the same work as the peer's (`../functions/bank.ts`), as in rows 1 to 3.
 */
import { peerEmail, type Peer } from "../peer";
import { start } from "../processes";
import type { OnlookersPlan } from "../programs/onlookers";
import type { ScreensPlan, ScreensResult } from "../programs/screens";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { median } from "../statistics";
import type { World } from "../world";
import { finishBank } from "./transfers";

const CONNECTED = 1_000;
const BALANCES = [{ path: "bank:balances", args: {} }];

interface Sample {
  readonly answerMs: number;
  readonly screenMs: number;
  readonly answered: number;
}

type Target = Pick<ScreensPlan, "kind" | "url" | "senderToken" | "otherToken" | "otherEmail">;

/** Connects onlookers, then measures one transfer after the other. */
async function measure(
  world: World,
  target: Target,
  crowd: number,
  tokens: readonly string[],
): Promise<Sample> {
  const { kind, url } = target;
  const watching: OnlookersPlan = { kind, url, tokens, queries: BALANCES };
  const onlookers = start("onlookers", watching);
  await onlookers.line("ready");
  const { warmUpMs, measureMs } = world.pace;
  const plan: ScreensPlan = { ...target, crowd, warmUpMs, measureMs };
  const screens = start("screens", plan);
  const result = JSON.parse(await screens.line("result")) as ScreensResult;
  await Promise.all([screens.stop("SIGKILL"), onlookers.stop("SIGKILL")]);
  const { answersMs, screensMs, answered } = result;
  return { answerMs: median(answersMs), screenMs: median(screensMs), answered };
}

/** Numbers of the connected people who are not affected by the transfers. */
const idlePeople = (crowd: number): number[] =>
  Array.from({ length: Math.max(0, CONNECTED - 1 - crowd) }, (_, index) => 3 + index);

async function sampleOurs(world: World, crowd: number): Promise<Sample> {
  const bank = await world.bank();
  const tokens = await Promise.all(idlePeople(crowd).map((number) => bank.tokenOf(number)));
  const server = await bank.startServer();
  const target: Target = {
    kind: "bank",
    url: server.url,
    senderToken: await bank.tokenOf(1),
    otherToken: await bank.tokenOf(2),
    otherEmail: peerEmail(2),
  };
  const sample = await measure(world, target, crowd, tokens);
  await finishBank(world, bank, server, sample.answered);
  return sample;
}

async function samplePeer(world: World, peer: Peer, crowd: number): Promise<Sample> {
  const tokens = await Promise.all(idlePeople(crowd).map((id) => peer.tokenOf(id)));
  const server = await peer.startServer();
  const target: Target = {
    kind: "peer",
    url: server.url,
    senderToken: await peer.tokenOf(1),
    otherToken: await peer.tokenOf(2),
    otherEmail: peerEmail(2),
  };
  const sample = await measure(world, target, crowd, tokens);
  const { sumCents } = await server.finish();
  if (sumCents !== peer.openingSumCents) world.wrongSums.push(`peer: sum ${sumCents}`);
  return sample;
}

type Kind = "oursTwo" | "peerTwo" | "oursAll" | "peerAll";

/** Measures row 4. */
export async function screenRows(world: World): Promise<Row[]> {
  const peer = await world.peer();
  const kinds: Kind[] = peer === null ? ["oursTwo"] : ["oursTwo", "peerTwo", "oursAll", "peerAll"];
  const rounds = await alternate("screens", kinds, world.pace.rounds, (kind) => {
    const crowd = kind.endsWith("All") ? CONNECTED - 1 : 1;
    if (kind === "oursTwo" || kind === "oursAll") return sampleOurs(world, crowd);
    if (peer === null) throw new Error("without PostgreSQL there is no peer");
    return samplePeer(world, peer, crowd);
  });
  const of = (kind: Kind, field: "answerMs" | "screenMs"): number[] =>
    rounds.map((round) => round[kind][field]);
  const two = "1,000 connected, 2 affected: the other's screen, p50";
  const rows: Row[] = [
    {
      number: "4a",
      name: two,
      unit: "ms",
      ours: of("oursTwo", "screenMs"),
      other: { name: "sender's answer", values: of("oursTwo", "answerMs") },
      ratios: ratiosOf(
        rounds,
        (round) => round.oursTwo.screenMs,
        (round) => round.oursTwo.answerMs,
      ),
      target: { atMost: 1.3 },
    },
  ];
  if (peer === null) return rows;
  const beside = (number: string, name: string, ours: Kind, other: Kind, atMost: number): Row => ({
    number,
    name,
    unit: "ms",
    ours: of(ours, "screenMs"),
    other: { name: "PostgreSQL NOTIFY", values: of(other, "screenMs") },
    ratios: ratiosOf(
      rounds,
      (round) => round[ours].screenMs,
      (round) => round[other].screenMs,
    ),
    target: { atMost },
  });
  rows.push(beside("4b", two, "oursTwo", "peerTwo", 0.35));
  const all = "1,000 screens of one person: the last of them, p50";
  rows.push(beside("4c", all, "oursAll", "peerAll", 1));
  return rows;
}
