/** Row 8: the time from starting the process to the first result for somebody who is signed in. */
import { setTimeout as delay } from "node:timers/promises";
import type { SeededFolder } from "../people";
import { ROOT, start } from "../processes";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { FEW, MANY, type OurServer, type World } from "../world";
import { checkOurs } from "./transfers";
import { runLoad } from "../load";

const POLL_MS = 3;
const CLIENTS = 32;
/** A second of transfers before the stop. */
const QUICK = { warmUpMs: 500, measureMs: 500 };

/** Asks for the accounts of a signed-in member until there is a result. */
async function firstAnswer(url: string, token: string): Promise<void> {
  for (;;) {
    const isAnswered = await fetch(`${url}/api/query`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ path: "accounts:listMine", args: {}, format: "json" }),
    }).then(
      async (response) => (await response.text()).includes('"status":"success"'),
      () => false,
    );
    if (isAnswered) return;
    await delay(POLL_MS);
  }
}

async function tokenFor(folder: SeededFolder): Promise<string> {
  const [member] = folder.people.members;
  if (member === undefined) throw new Error("nobody is signed in");
  return folder.tokenOf(member);
}

async function timed(act: () => Promise<OurServer>, token: string): Promise<[number, OurServer]> {
  const startedAt = performance.now();
  const server = await act();
  await firstAnswer(server.url, token);
  return [performance.now() - startedAt, server];
}

/** A start after a clean stop. Not on a copy: copying 100,000 people takes longer than everything else. */
async function cleanStart(world: World, users: number): Promise<number> {
  const folder = await world.folder(users);
  const token = await tokenFor(folder);
  // After other programs changed the store, a start reads it completely, like after a restore. That is not measured.
  const first = await world.startOn(folder);
  await first.stop();
  const [ms, server] = await timed(() => world.startOn(folder), token);
  await server.stop();
  return ms;
}

async function importsOnly(): Promise<number> {
  const startedAt = performance.now();
  const program = start("imports", { root: ROOT });
  await program.line("ready");
  const ms = performance.now() - startedAt;
  await program.stop("SIGKILL");
  return ms;
}

/** A start on the same data after a second of transfers: stopped cleanly, or killed before the log was applied. */
async function startAfter(world: World, signal: "SIGTERM" | "SIGKILL"): Promise<number> {
  const folder = await world.folder(FEW);
  const token = await tokenFor(folder);
  const copy = folder.copy();
  const server = await world.startOn(copy);
  const { sumCents } = await server.ask("ledger");
  const { members } = folder.people;
  const senders = members.slice(0, CLIENTS);
  const { answered } = await runLoad(
    QUICK,
    { url: server.url, pids: [server.program.pid] },
    {
      kind: "wrenmoor",
      tokens: await Promise.all(senders.map((person) => folder.tokenOf(person))),
      recipients: members.slice(CLIENTS).map((person) => person.email),
    },
  );
  await server.stop(signal);
  const [ms, restarted] = await timed(() => world.startOn(copy), token);
  await checkOurs(world, restarted, sumCents, answered);
  await restarted.stop();
  copy.remove();
  return ms;
}

const KINDS = ["few", "imports", "many", "stopped", "killed"] as const;

/** Row 8. */
export async function startRows(world: World): Promise<Row[]> {
  await world.folder(FEW);
  await world.folder(MANY);
  const rounds = await alternate("start", KINDS, world.pace.rounds, (kind) => {
    if (kind === "imports") return importsOnly();
    if (kind === "stopped") return startAfter(world, "SIGTERM");
    if (kind === "killed") return startAfter(world, "SIGKILL");
    return cleanStart(world, kind === "few" ? FEW : MANY);
  });
  type Kind = (typeof KINDS)[number];
  const of = (kind: Kind): number[] => rounds.map((round) => round[kind]);
  const row = (
    number: string,
    name: string,
    [ours, other, otherName]: readonly [Kind, Kind, string],
    atMost: number,
  ): Row => ({
    number,
    name,
    unit: "ms",
    ours: of(ours),
    other: { name: otherName, values: of(other) },
    ratios: ratiosOf(
      rounds,
      (round) => round[ours],
      (round) => round[other],
    ),
    target: { atMost },
  });
  const people = world.atMost(MANY).toLocaleString("en-US");
  return [
    row("8a", "start to the first answer", ["few", "imports", "Node with the imports"], 2.5),
    row("8b", `start with ${people} people`, ["many", "few", "with 1,000"], 1.25),
    row("8c", "start after kill -9", ["killed", "stopped", "after a clean stop"], 2),
  ];
}
