/** Row 9: what eight people who sign in at once, again and again, do to everybody else's transfers. */
import { start } from "../processes";
import type { CallsPlan } from "../programs/calls";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import type { World } from "../world";
import { checkOurs } from "./transfers";
import { runLoad } from "../load";

const SIGN_INS_AT_ONCE = 8;
const CLIENTS = 64;
/** Password of everybody whom `dev/seed:large` makes. */
const PASSWORD = "Wrenmoor-Demo-2026";

interface Sample {
  readonly p99Ms: number;
  readonly blockMs: number;
}

async function sample(world: World, isSigningIn: boolean): Promise<Sample> {
  const folder = await world.folder();
  const { members } = folder.people;
  const senders = members.slice(0, CLIENTS);
  const tokens = await Promise.all(senders.map((person) => folder.tokenOf(person)));
  const server = await world.startOurs(folder);
  const { sumCents } = await server.ask("ledger");
  const plan: CallsPlan = {
    url: server.url,
    kind: "action",
    path: "auth:signIn",
    calls: members.slice(CLIENTS, CLIENTS + 500).map(({ email }) => ({
      token: null,
      args: { provider: "password", params: { flow: "signIn", email, password: PASSWORD } },
    })),
    atOnce: SIGN_INS_AT_ONCE,
    warmUpMs: world.pace.warmUpMs,
    measureMs: world.pace.measureMs,
  };
  const signIns = isSigningIn ? start("calls", plan) : null;
  const load = runLoad(
    world.pace,
    { url: server.url, pids: [server.program.pid] },
    {
      kind: "wrenmoor",
      tokens,
      recipients: members.slice(CLIENTS).map((person) => person.email),
      onMeasuring: () => server.ask("loop"),
    },
  );
  const result = await load;
  const blockMs = await server.ask("loop");
  await signIns?.line("result");
  await signIns?.stop("SIGKILL");
  await checkOurs(world, server, sumCents, result.answered);
  await server.stop();
  return { p99Ms: result.p99Ms, blockMs };
}

/** Row 9. */
export async function signInRows(world: World): Promise<Row[]> {
  const rounds = await alternate(
    "sign-ins",
    ["with", "without"] as const,
    world.pace.rounds,
    (kind) => sample(world, kind === "with"),
  );
  const blocks = (kind: "with" | "without"): number[] => rounds.map((round) => round[kind].blockMs);
  const p99 = (kind: "with" | "without"): number[] => rounds.map((round) => round[kind].p99Ms);
  return [
    {
      number: "9a",
      name: "8 sign-ins at once: longest standstill of the event loop",
      unit: "ms",
      ours: blocks("with"),
      ratios: blocks("with"),
      target: { atMost: 10 },
      notes: [
        `without them: ${blocks("without")
          .map((ms) => ms.toFixed(1))
          .join(", ")} ms`,
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
