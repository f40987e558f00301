/**
 * One process of closed-loop clients: each sends its next transfer when the last was answered.
 *
 * Reads a JSON plan from the first argument and prints one JSON line: transfers per second and the
 * latencies of the measured time, in ms. `kind: "wrenmoor"` uses one official WebSocket client per
 * person; `kind: "peer"` one keep-alive HTTP connection per person.
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import { ConvexClient } from "convex/browser";
import { api } from "../../convex/_generated/api";

export interface LoadPlan {
  readonly kind: "wrenmoor" | "peer";
  readonly url: string;
  /** One client per entry. */
  readonly tokens: readonly string[];
  readonly recipients: readonly string[];
  readonly peerMode?: "procedure" | "interactive" | "locks";
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly count: number;
  readonly latenciesMs: number[];
}

type Send = (recipientEmail: string) => Promise<void>;
const AMOUNT_CENTS = 1;

function wrenmoorSender(url: string, token: string): { send: Send; close: () => Promise<void> } {
  const client = new ConvexClient(url, { logger: false });
  client.setAuth(async () => token);
  return {
    send: async (recipientEmail) => {
      await client.mutation(api.transfers.submit, {
        transferType: "user",
        fromAccount: "Checking",
        recipientEmail,
        amountCents: BigInt(AMOUNT_CENTS),
        reference: "bench",
        requestKey: randomUUID(),
      });
    },
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
    plan.kind === "wrenmoor" ? wrenmoorSender(plan.url, token) : peerSender(plan, token),
  );
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const measureFrom = startedAt + plan.warmUpMs;
  const endAt = measureFrom + plan.measureMs;
  await Promise.all(
    senders.map(async ({ send }, index) => {
      for (let turn = 0; performance.now() < endAt; turn += 1) {
        const recipient = plan.recipients[(index * 7919 + turn) % plan.recipients.length] ?? "";
        const sentAt = performance.now();
        await send(recipient);
        const answeredAt = performance.now();
        if (sentAt >= measureFrom && answeredAt <= endAt) latenciesMs.push(answeredAt - sentAt);
      }
    }),
  );
  await Promise.all(senders.map((sender) => sender.close()));
  return {
    perSecond: (latenciesMs.length * 1000) / plan.measureMs,
    count: latenciesMs.length,
    latenciesMs,
  };
}

const plan = JSON.parse(process.argv[2] ?? "{}") as LoadPlan;
console.log(JSON.stringify(await run(plan)));
process.exit(0);
