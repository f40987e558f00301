/** Connections whose client has gone without a word, on a clock that the test moves. */
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { startTestServer } from "./testServer";

const STEP_MS = 5_000;
const SILENT_CLIENT_MS = 120_000;

test("a client that answers no pings is cut off after two minutes, one that does stays", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { origin } = await startTestServer();
  const connect = async (autoPong: boolean) => {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`, { autoPong });
    onTestFinished(() => socket.terminate());
    await new Promise((resolve) => socket.once("open", resolve));
    return socket;
  };
  const [answering, silent] = await Promise.all([connect(true), connect(false)]);
  const pass = async (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      vi.advanceTimersByTime(STEP_MS);
      // Pings and their answers travel meanwhile.
      await fetch(`${origin}/healthz`);
    }
  };
  await pass(SILENT_CLIENT_MS);
  expect(silent.readyState).toBe(WebSocket.OPEN);
  const isCut = new Promise((resolve) => silent.once("close", resolve));
  await pass(2 * STEP_MS);
  await isCut;
  expect(answering.readyState).toBe(WebSocket.OPEN);
});
