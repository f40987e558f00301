/**
 * Idle subscribers, as raw sockets, because official clients would use a whole core. Prints `ready` when
 * every query of every connection has its first result.
 */
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { readPlan } from "./plan";

export interface OnlookersPlan {
  /** `http://host:port` of the server. */
  readonly url: string;
  readonly kind: "wrenmoor" | "bank" | "peer";
  /** One connection per token. */
  readonly tokens: readonly string[];
  /** The queries of each connection; the peer has only its balances. */
  readonly queries: readonly { readonly path: string; readonly args: object }[];
}

const AT_ONCE = 50;
const plan = readPlan<OnlookersPlan>();
const socketUrl = plan.url.replace("http", "ws");

interface Transition {
  readonly type: string;
  readonly modifications?: readonly { readonly type: string; readonly errorMessage?: string }[];
}

function subscribe(socket: WebSocket, token: string): void {
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ type: "Connect", sessionId: randomUUID(), connectionCount: 0, lastCloseReason: null });
  send({ type: "Authenticate", baseVersion: 0, tokenType: "User", value: token });
  const modifications = plan.queries.map(({ path, args }, queryId) => {
    return { type: "Add", queryId, udfPath: path, args: [args] };
  });
  send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
}

/** Resolves when every query has its first result. */
function connect(token: string): Promise<void> {
  const isPeer = plan.kind === "peer";
  const address = isPeer ? `${socketUrl}/?token=${token}` : `${socketUrl}/api/1.48.0/sync`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    const missing = isPeer ? 1 : plan.queries.length;
    let answers = 0;
    const answered = (count: number): void => {
      answers += count;
      if (answers >= missing) resolve();
    };
    socket.on("open", () => (isPeer ? undefined : subscribe(socket, token)));
    socket.on("error", reject);
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Transition;
      if (isPeer) return answered(1);
      if (message.type !== "Transition") return;
      const changes = message.modifications ?? [];
      const failed = changes.find((change) => change.type === "QueryFailed");
      if (failed !== undefined) reject(new Error(failed.errorMessage));
      if (changes.length > 0) answered(changes.length);
    });
  });
}

for (let from = 0; from < plan.tokens.length; from += AT_ONCE) {
  await Promise.all(plan.tokens.slice(from, from + AT_ONCE).map(connect));
}
process.on("disconnect", () => process.exit(0));
console.log("ready");
