/** A sync worker without a socket, and messages for it. */
import { randomUUID } from "node:crypto";
import { onTestFinished, vi } from "vitest";
import { NO_IDENTITY, type Identity } from "../../../embedded/runtime/identity";
import { QueryHub } from "../../../embedded/sync/hub";
import { SyncWorker, type Transport } from "../../../embedded/sync/worker";
import { startTestServer } from "../server/testServer";

/** A connection whose sign-ins wait for `signIn`. */
export async function newWorker() {
  const { backend, logLines } = await startTestServer();
  const { runtime } = backend;
  const hub = new QueryHub(runtime);
  onTestFinished(() => hub.close());
  const sent: Record<string, unknown>[] = [];
  const close = vi.fn<Transport["close"]>();
  const send = (text: string) => void sent.push(JSON.parse(text) as (typeof sent)[number]);
  const transport: Transport = { frameMaxBytes: 100_000, sendSoon: send, send, close };
  let signIn: (identity: Identity) => void = () => undefined;
  const authenticator = {
    userFromToken: () => new Promise<Identity>((resolve) => (signIn = resolve)),
    adminFromKey: () => NO_IDENTITY,
  };
  const client = { ip: null, userAgent: null };
  const worker = new SyncWorker(runtime, hub, authenticator, transport, client);
  const frame = (message: object) => worker.frame(JSON.stringify(message));
  const connect = (said: object) =>
    frame({
      type: "Connect",
      sessionId: randomUUID(),
      connectionCount: 0,
      lastCloseReason: null,
      ...said,
    });
  return {
    runtime,
    hub,
    logLines,
    worker,
    frame,
    connect,
    sent,
    close,
    signIn: (identity = NO_IDENTITY) => signIn(identity),
  };
}

export const SIGN_IN = { type: "Authenticate", tokenType: "User", value: "token", baseVersion: 0 };
export const SEND = {
  type: "Mutation",
  requestId: 0,
  udfPath: "counters:increment",
  args: [{ name: "n" }],
};

/** By then, promises that are settled have had their effect. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));
