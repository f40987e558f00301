/**
 * A server is stopped or killed while the official client is connected, and restarted on the same data:
 * calls in flight are applied exactly once, in order, and subscriptions continue.
 */
import { ConvexClient } from "convex/browser";
import { expect, onTestFinished, test } from "vitest";
import { chat } from "../embedded/fixtures/chatApi";
import { CHAT_DIR, newHttpClient } from "../embedded/server/testServer";
import { startEmbedded } from "../support/embeddedProcess";
import { freePort } from "../support/freePort";
import { temporaryDir } from "../support/temporaryDir";

const WAVE = 20;
const TIMEOUT_MS = 120_000;
const NAME = { name: "counted" };

test.each([
  ["killed", "kill"],
  ["stopped", "stop"],
] as const)(
  "after the server was %s and restarted, the client reconnects: no call is lost or applied twice",
  async (_, end) => {
    const folders = { functionsDir: CHAT_DIR, dataDir: temporaryDir() };
    const port = await freePort();
    let server = await startEmbedded({ ...folders, port });
    onTestFinished(async () => void (await server.stop()));
    const { origin } = server;
    const client = new ConvexClient(origin, { logger: false });
    onTestFinished(() => client.close());
    const seen: bigint[] = [];
    let onSeen = (): void => undefined;
    client.onUpdate(chat.counter, NAME, (value) => {
      seen.push(value);
      onSeen();
    });
    const increment = () => client.mutation(chat.increment, NAME);
    const send = () => Array.from({ length: WAVE }, increment);

    const before = send();
    await before[0];
    // The other calls of this wave are in flight, answered or not.
    const ended = server[end]();
    const during = send();
    await ended;
    server = await startEmbedded({ ...folders, port });
    const answers = await Promise.all([...before, ...during]);
    expect(answers).toEqual(answers.map((_answer, at) => BigInt(at + 1)));

    // A write of another client after the restart reaches the old subscription.
    const last = BigInt(2 * WAVE + 1);
    expect(await newHttpClient({ origin }).mutation(chat.increment, NAME)).toBe(last);
    await new Promise<void>((resolve) => {
      onSeen = () => seen.at(-1) === last && resolve();
      onSeen();
    });
    expect([...seen].sort((one, other) => (one < other ? -1 : 1))).toEqual(seen);
  },
  TIMEOUT_MS,
);
