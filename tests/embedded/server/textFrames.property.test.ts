/** Our own frames, read by the `ws` package. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { textFrames } from "../../../embedded/server/textFrames";
import { longer } from "../../support/chance";

/** A connection: the server's stream, and the client. */
async function connect() {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  const opened = once(server, "connection");
  await once(http.listen(0, "127.0.0.1"), "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.terminate();
    server.close();
    http.close();
  });
  const received: string[] = [];
  const waiting: (() => void)[] = [];
  client.on("message", (data, isBinary) => {
    received.push(isBinary ? "binary" : (data as Buffer).toString());
    waiting.forEach((look) => look());
  });
  client.on("error", (error) => received.push(String(error)));
  await once(client, "open");
  const [, request] = (await opened) as [WebSocket, IncomingMessage];
  const next = async (count: number): Promise<string[]> => {
    await new Promise<void>((resolve) => {
      const look = (): void => (received.length >= count ? resolve() : undefined);
      waiting.push(look);
      look();
    });
    waiting.length = 0;
    return received.splice(0);
  };
  return { stream: request.socket, next };
}

// Lengths in bytes around changes of the length encoding.
const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .tuple(fc.constantFrom(...LENGTHS), fc.constantFrom("a", "é", "€", "🏦"))
    .map(([bytes, letter]) => letter.repeat(Math.ceil(bytes / Buffer.byteLength(letter)))),
);

test("a client reads the texts that were framed, in their order, each whole", async () => {
  const { stream, next } = await connect();
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (texts, isAgain) => {
        const times = isAgain ? 2 : 1;
        for (let time = 0; time < times; time++) stream.write(textFrames(texts));
        expect(await next(times * texts.length)).toEqual(isAgain ? [...texts, ...texts] : texts);
      },
    ),
    longer(100),
  );
});
