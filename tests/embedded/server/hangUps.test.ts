/** Requests that are aborted before they are complete, and responses that are not read. */
import { once } from "node:events";
import { OutgoingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunningServer } from "../../../embedded/main";
import { PATIENCE } from "../../support/patience";
import { newHttpServer, UNREAD_ANSWER_MS } from "../../../embedded/server/http";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "./testServer";

const head = (port: number, target: string) =>
  `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;

test.each([
  ["a call", () => "/api/query"],
  ["a file", ({ backend }: RunningServer) => backend.runtime.deployment.files.uploadUrl()],
])(
  "who hangs up in the middle of %s has left nothing, also not in the log",
  async (_what, addressOf) => {
    const server = await startTestServer();
    const { pathname, search } = new URL(addressOf(server), server.origin);
    const emit = vi.spyOn(ServerResponse.prototype, "emit");
    onTestFinished(() => emit.mockRestore());
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    socket.end(`${head(server.port, pathname + search)}half`, () => socket.destroy());
    await vi.waitFor(() => expect(emit).toHaveBeenCalledWith("close"), PATIENCE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.logLines).toEqual([]);
    expect(await server.backend.runtime.deployment.files.blobs.list()).toEqual([]);
  },
);

const PATIENCE_MS = 300;

/** A server whose timeouts pass after a moment without a byte. */
async function startImpatient() {
  const spy = vi.spyOn(OutgoingMessage.prototype, "setTimeout");
  spy.mockImplementation(function (this: OutgoingMessage, timeoutMs) {
    expect(timeoutMs).toBe(UNREAD_ANSWER_MS);
    this.socket?.setTimeout(PATIENCE_MS);
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  const server = await startTestServer();
  return server;
}

/** More than the system buffers for a client that does not read, less than what it is cut off for at once. */
const FILE_BYTES = 32 * 1024 * 1024;

test("who stops reading an answer is cut off", async () => {
  const server = await startImpatient();
  const bytes = new Blob([Buffer.alloc(FILE_BYTES)]);
  const id = await server.backend.runtime.storeBlob(bytes, null);
  const { url } = await newHttpClient(server).query(chat.describeFile, { id });
  const emit = vi.spyOn(ServerResponse.prototype, "emit");
  onTestFinished(() => emit.mockRestore());
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET ${new URL(url ?? "").pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await vi.waitFor(() => expect(emit).toHaveBeenCalledWith("close"), PATIENCE);
  socket.on("error", () => undefined);
  socket.resume();
  await once(socket, "close");
  expect(socket.bytesRead).toBeLessThan(FILE_BYTES);
});

test("who waits longer than that for an answer is waited for", async () => {
  const http = newHttpClient(await startImpatient());
  let tookMs = 0;
  // How much work takes that long depends on the machine.
  for (let iterations = 3_000_000; tookMs <= 2 * PATIENCE_MS; iterations *= 2) {
    const startMs = performance.now();
    await http.mutation(chat.slowIncrement, { name: "a", iterations });
    tookMs = performance.now() - startMs;
  }
});

test("who sends a request slowly holds a connection for two minutes at most, for its head ten seconds", async () => {
  const server = newHttpServer({ "X-Own": "kept" }, () => undefined);
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 120_000 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection");
  const slow = connect({ port, host: "127.0.0.1" });
  const [socket] = (await accepted) as [Socket];
  // As Node does it when the time is over.
  const late = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  server.emit("clientError", late, socket);
  const [answer] = (await once(slow, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 408 .*\r\nX-Own: kept\r\nConnection: close\r\n/);
  await once(slow, "close");
});
