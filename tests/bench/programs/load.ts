/**
 * One process of closed-loop clients: each sends its next transfer when the last one has its result.
 *
 * Prints `measuring` when the warm-up is over and `result JSON` at the end. `kind: "wrenmoor"`,
 * `"bank"` and `"rename"` use one official WebSocket client per person, for the product's transfer and for
 * the two mutations of `../functions/bank.ts`; `kind: "peer"` one keep-alive HTTP connection per person.
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { api } from "../../../convex/_generated/api";
import { readPlan } from "./plan";

export interface LoadPlan {
  readonly kind: "wrenmoor" | "bank" | "rename" | "peer";
  readonly url: string;
  /** One client per entry. */
  readonly tokens: readonly string[];
  readonly recipients: readonly string[];
  readonly peerMode?: "procedure" | "interactive" | "locks";
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  /** Latencies of the transfers sent and answered in the measured time. */
  readonly latenciesMs: readonly number[];
  /** All transfers answered, including those of the warm-up and after the measured time. */
  readonly answered: number;
}

type Send = (recipientEmail: string) => Promise<void>;
const AMOUNT_CENTS = 1;
const bankTransfer = makeFunctionReference<"mutation">("bank:transfer");
const bankRename = makeFunctionReference<"mutation">("bank:rename");

const reference = "bench";
const amountCents = BigInt(AMOUNT_CENTS);

/** One call of each kind's client. */
const CALLS: Record<
  Exclude<LoadPlan["kind"], "peer">,
  (client: ConvexClient, recipientEmail: string) => Promise<unknown>
> = {
  wrenmoor: (client, recipientEmail) =>
    client.mutation(api.transfers.submit, {
      transferType: "user",
      fromAccount: "Checking",
      recipientEmail,
      amountCents,
      reference,
      requestKey: randomUUID(),
    }),
  bank: (client, recipientEmail) =>
    client.mutation(bankTransfer, { recipientEmail, amountCents, reference }),
  rename: (client, name) => client.mutation(bankRename, { name }),
};

function socketSender(kind: keyof typeof CALLS, url: string, token: string) {
  const client = new ConvexClient(url, { logger: false });
  client.setAuth(async () => token);
  return {
    send: async (recipientEmail: string) => void (await CALLS[kind](client, recipientEmail)),
    close: () => client.close(),
  };
}

function peerSender(plan: LoadPlan, token: string): { send: Send; close: () => Promise<void> } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const url = new URL("/transfer", plan.url);
  const send: Send = (recipientEmail) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        recipientEmail,
        amountCents: AMOUNT_CENTS,
        reference: "bench",
        requestKey: randomUUID(),
        mode: plan.peerMode ?? "procedure",
      });
      const request = http.request(
        url,
        {
          method: "POST",
          agent,
          headers: {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            authorization: `Bearer ${token}`,
          },
        },
        (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk.toString()));
          response.on("end", () =>
            response.statusCode === 200 ? resolve() : reject(new Error(text)),
          );
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  return {
    send,
    close: async () => agent.destroy(),
  };
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const senders = plan.tokens.map((token) =>
    plan.kind === "peer" ? peerSender(plan, token) : socketSender(plan.kind, plan.url, token),
  );
  const latenciesMs: number[] = [];
  let answered = 0;
  const startedAt = performance.now();
  const measureFrom = startedAt + plan.warmUpMs;
  const endAt = measureFrom + plan.measureMs;
  setTimeout(() => console.log("measuring"), plan.warmUpMs);
  await Promise.all(
    senders.map(async ({ send }, index) => {
      for (let turn = 0; performance.now() < endAt; turn += 1) {
        const recipient = plan.recipients[(index * 7919 + turn) % plan.recipients.length] ?? "";
        const sentAt = performance.now();
        await send(recipient);
        const answeredAt = performance.now();
        answered += 1;
        if (sentAt >= measureFrom && answeredAt <= endAt) latenciesMs.push(answeredAt - sentAt);
      }
    }),
  );
  await Promise.all(senders.map((sender) => sender.close()));
  return { latenciesMs, answered };
}

console.log(`result ${JSON.stringify(await run(readPlan<LoadPlan>()))}`);
// The parent still reads this process's CPU time, and then ends it.
process.on("disconnect", () => process.exit(0));
