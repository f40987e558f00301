/**
 * One sender, and another person whose screen shows the changing balance: the time until the sender has the
 * result, and until the other's screen is updated. One transfer at a time.
 *
 * `crowd` is the number of screens of the other person; the last one counts. Prints `result JSON`.
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { WebSocket } from "ws";
import { readPlan } from "./plan";

export interface ScreensPlan {
  readonly kind: "bank" | "peer";
  readonly url: string;
  readonly senderToken: string;
  readonly otherToken: string;
  readonly otherEmail: string;
  /** Screens of the other person. */
  readonly crowd: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface ScreensResult {
  readonly answersMs: readonly number[];
  /** Times from sending until the last screen shows the new balance. */
  readonly screensMs: readonly number[];
  readonly answered: number;
}

const plan = readPlan<ScreensPlan>();
const socketUrl = plan.url.replace("http", "ws");
const AMOUNT_CENTS = 1;
const bankTransfer = makeFunctionReference<"mutation">("bank:transfer");
const bankBalances = makeFunctionReference<"query", Record<string, never>, bigint[]>(
  "bank:balances",
);

/** Calls back with the available cents on every update of a screen. */
type Watch = (onCents: (cents: number) => void) => void;

const watchOfficial: Watch = (onCents) => {
  const client = new ConvexClient(plan.url, { logger: false });
  client.setAuth(async () => plan.otherToken);
  client.onUpdate(bankBalances, {}, ([checking]) => onCents(Number(checking)));
};

/** A raw socket, for crowds: the clients must not use more of the machine than the server. */
const watchRaw: Watch = (onCents) => {
  const socket = new WebSocket(`${socketUrl}/api/1.48.0/sync`, { perMessageDeflate: false });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.on("open", () => {
    send({ type: "Connect", sessionId: randomUUID(), connectionCount: 0, lastCloseReason: null });
    send({ type: "Authenticate", baseVersion: 0, tokenType: "User", value: plan.otherToken });
    const add = { type: "Add", queryId: 0, udfPath: "bank:balances", args: [{}] };
    send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
  });
  socket.on("message", (data: Buffer) => {
    const { modifications } = JSON.parse(data.toString()) as {
      modifications?: { value?: { $integer: string }[] }[];
    };
    const checking = modifications?.[0]?.value?.[0];
    if (checking === undefined) return;
    onCents(Number(Buffer.from(checking.$integer, "base64").readBigInt64LE()));
  });
};

const watchPeer: Watch = (onCents) => {
  const socket = new WebSocket(`${socketUrl}/?token=${plan.otherToken}`, {
    perMessageDeflate: false,
  });
  socket.on("message", (data: Buffer) => {
    const [checking] = JSON.parse(data.toString()) as { available_cents: number }[];
    if (checking !== undefined) onCents(checking.available_cents);
  });
};

function officialSender(): () => Promise<void> {
  const client = new ConvexClient(plan.url, { logger: false });
  client.setAuth(async () => plan.senderToken);
  return async () => {
    await client.mutation(bankTransfer, {
      recipientEmail: plan.otherEmail,
      amountCents: BigInt(AMOUNT_CENTS),
      reference: "bench",
    });
  };
}

function peerSender(): () => Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${plan.senderToken}`,
  };
  return () =>
    new Promise((resolve, reject) => {
      const body = {
        recipientEmail: plan.otherEmail,
        amountCents: AMOUNT_CENTS,
        reference: "bench",
        requestKey: randomUUID(),
        mode: "procedure",
      };
      const request = http.request(`${plan.url}/transfer`, { method: "POST", agent, headers });
      request.on("error", reject);
      request.on("response", (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === 200 ? resolve() : reject(new Error("refused")),
        );
      });
      request.end(JSON.stringify(body));
    });
}

const isPeer = plan.kind === "peer";
const watch = isPeer ? watchPeer : plan.crowd > 1 ? watchRaw : watchOfficial;
const sendTransfer = isPeer ? peerSender() : officialSender();

const shown: number[] = [];
let wanted = Number.POSITIVE_INFINITY;
let reached = 0;
let onAll: () => void = () => undefined;
const firstViews = Array.from(
  { length: plan.crowd },
  (_, screen) =>
    new Promise<void>((resolve) => {
      watch((cents) => {
        const before = shown[screen];
        shown[screen] = cents;
        if (before === undefined) resolve();
        else if (before < wanted && cents >= wanted && (reached += 1) === plan.crowd) onAll();
      });
    }),
);
await Promise.all(firstViews);
console.log("ready");

async function run(): Promise<ScreensResult> {
  const answersMs: number[] = [];
  const screensMs: number[] = [];
  let answered = 0;
  const measureFrom = performance.now() + plan.warmUpMs;
  const endAt = measureFrom + plan.measureMs;
  while (performance.now() < endAt) {
    wanted = (shown[0] ?? 0) + AMOUNT_CENTS;
    reached = 0;
    const all = new Promise<void>((resolve) => (onAll = resolve));
    const sentAt = performance.now();
    const [answerMs, screenMs] = await Promise.all([
      sendTransfer().then(() => performance.now() - sentAt),
      all.then(() => performance.now() - sentAt),
    ]);
    answered += 1;
    if (sentAt < measureFrom) continue;
    answersMs.push(answerMs);
    screensMs.push(screenMs);
  }
  return { answersMs, screensMs, answered };
}

console.log(`result ${JSON.stringify(await run())}`);
process.on("disconnect", () => process.exit(0));
