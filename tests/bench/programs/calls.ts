/**
 * Calls one function over HTTP repeatedly, several calls at a time, with the callers in turn.
 * Prints `measuring` and `result COUNT`.
 */
import http from "node:http";
import { readPlan } from "./plan";

export interface CallsPlan {
  readonly url: string;
  readonly kind: "query" | "mutation" | "action";
  readonly path: string;
  /** Callers with their arguments, in turn. */
  readonly calls: readonly { readonly token: string | null; readonly args: object }[];
  readonly atOnce: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Ends earlier after this many calls. */
  readonly callsMax?: number;
}

const plan = readPlan<CallsPlan>();
const agent = new http.Agent({ keepAlive: true, maxSockets: plan.atOnce });

function call(turn: number): Promise<void> {
  const { token, args } = plan.calls[turn % plan.calls.length] ?? { token: null, args: {} };
  const headers = {
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(`${plan.url}/api/${plan.kind}`, {
      method: "POST",
      agent,
      headers,
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => {
        const isRight = response.statusCode === 200 && text.includes('"status":"success"');
        if (isRight) resolve();
        else reject(new Error(`${plan.path}: ${response.statusCode} ${text}`));
      });
    });
    request.end(JSON.stringify({ path: plan.path, args, format: "json" }));
  });
}

const measureFrom = performance.now() + plan.warmUpMs;
const endAt = measureFrom + plan.measureMs;
const { callsMax = Infinity } = plan;
let turn = 0;
let counted = 0;
setTimeout(() => console.log("measuring"), plan.warmUpMs);
await Promise.all(
  Array.from({ length: plan.atOnce }, async () => {
    while (performance.now() < endAt && turn < callsMax) {
      await call(turn++);
      const now = performance.now();
      if (now >= measureFrom && now <= endAt) counted += 1;
    }
  }),
);
if (counted === 0) throw new Error(`${plan.path}: all calls were used up before the measurement`);
console.log(`result ${counted}`);
process.on("disconnect", () => process.exit(0));
