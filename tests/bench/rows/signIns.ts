/** Row 9: the effect of eight people who sign in continuously on everybody else's transfers. */
import { start } from "../processes";
import type { CallsPlan } from "../programs/calls";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { describeRange } from "../statistics";
import type { World } from "../world";
import { checkOurs } from "./transfers";
import { runLoad } from "../load";

const SIGN_INS_AT_ONCE = 8;
const CLIENTS = 64;
/** Password of everybody created by `dev/seed:large`. */
const PASSWORD = "Wrenmoor-Demo-2026";

interface Sample {
  /** 99th percentile of the transfers; 0 without any. */
  readonly p99Ms: number;
  readonly blockMs: number;
}

/** Starts a fresh server and prepares the sign-ins. */
async function prepare(world: World) {
  const folder = await world.folder();
  const server = await world.startOurs(folder);
  const plan: CallsPlan = {
    ...world.pace,
    url: server.url,
    kind: "action",
    path: "auth:signIn",
    calls: folder.people.members.slice(CLIENTS, CLIENTS + 500).map(({ email }) => ({
      token: null,
      args: { provider: "password", params: { flow: "signIn", email, password: PASSWORD } },
    })),
    atOnce: SIGN_INS_AT_ONCE,
  };
  return { folder, server, signIn: () => start("calls", plan) };
}

async function sampleAlone(world: World): Promise<Sample> {
  const { server, signIn } = await prepare(world);
  const signIns = signIn();
  await signIns.line("measuring");
  await server.ask("loop");
  await signIns.line("result");
  const blockMs = await server.ask("loop");
  await signIns.stop("SIGKILL");
  await server.stop();
  return { p99Ms: 0, blockMs };
}

async function sampleTransfers(world: World, isSigningIn: boolean): Promise<Sample> {
  const { folder, server, signIn } = await prepare(world);
  const { members } = folder.people;
  const { sumCents } = await server.ask("ledger");
  const tokens = await Promise.all(
    members.slice(0, CLIENTS).map((person) => folder.tokenOf(person)),
  );
  const signIns = isSigningIn ? signIn() : null;
  const result = await runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid] },
    {
      kind: "wrenmoor",
      tokens,
      recipients: members.slice(CLIENTS).map((person) => person.email),
      onMeasuring: () => server.ask("loop"),
    },
  );
  const blockMs = await server.ask("loop");
  await signIns?.line("result");
  await signIns?.stop("SIGKILL");
  await checkOurs(world, server, sumCents, result.answered);
  await server.stop();
  return { p99Ms: result.p99Ms, blockMs };
}

/** Row 9. */
export async function signInRows(world: World): Promise<Row[]> {
  const kinds = ["with", "without", "alone"] as const;
  type Kind = (typeof kinds)[number];
  const rounds = await alternate("sign-ins", kinds, world.pace.rounds, (kind) =>
    kind === "alone" ? sampleAlone(world) : sampleTransfers(world, kind === "with"),
  );
  const blocks = (kind: Kind): number[] => rounds.map((round) => round[kind].blockMs);
  const p99 = (kind: Kind): number[] => rounds.map((round) => round[kind].p99Ms);
  return [
    {
      number: "9a",
      name: "8 sign-ins at once: longest standstill of the event loop",
      unit: "ms",
      ours: blocks("alone"),
      ratios: blocks("alone"),
      target: { atMost: 10 },
      notes: [
        `beside 64 clients with transfers: ${describeRange(blocks("with"))} ms; ` +
          `those alone: ${describeRange(blocks("without"))} ms`,
      ],
    },
    {
      number: "9b",
      name: "8 sign-ins at once: p99 of a transfer",
      unit: "ms",
      ours: p99("with"),
      other: { name: "without", values: p99("without") },
      ratios: ratiosOf(
        rounds,
        (round) => round.with.p99Ms,
        (round) => round.without.p99Ms,
      ),
      target: { atMost: 1.5 },
    },
  ];
}
