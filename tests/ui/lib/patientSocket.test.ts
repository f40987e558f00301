/** Connections that died without a word, also while the device slept. */
import { beforeEach, expect, test, vi } from "vitest";
import { patientSocket } from "../../../src/lib/patientSocket";

const MINUTE_MS = 60_000;

/** A socket that nobody answers: it never learns that it is dead, not even when it is closed. */
class SilentSocket extends EventTarget {
  onclose: ((event: CloseEvent) => void) | null = null;
  readonly close = vi.fn();
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** A socket whose handshake has just begun. */
function begin() {
  const Socket = patientSocket(SilentSocket as unknown as typeof WebSocket);
  const socket = new Socket("wss://bank.example/api/sync") as unknown as SilentSocket;
  const onclose = vi.fn<(event: CloseEvent) => void>();
  socket.onclose = onclose;
  return { socket, onclose };
}

function connect() {
  const begun = begin();
  vi.advanceTimersByTime(20_000);
  begun.socket.dispatchEvent(new Event("open"));
  return begun;
}

/** Timers stand still meanwhile, and go on for as long as it takes to notice. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  vi.advanceTimersByTime(1_000);
}

test("a handshake that a dead line swallows is given up, so that the browser begins another", () => {
  const { socket, onclose } = begin();
  vi.advanceTimersByTime(29_999);
  expect(socket.close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(socket.close).toHaveBeenCalledOnce();
  expect(onclose).toHaveBeenCalledOnce();
});

test("a device that slept gives its silent connection up as soon as it wakes", () => {
  const { socket, onclose } = connect();
  sleep(2 * MINUTE_MS);
  expect(onclose).toHaveBeenCalledOnce();
  expect(onclose.mock.calls[0]?.[0]).toMatchObject({ code: 1001, reason: "" });
  expect(socket.close).toHaveBeenCalledOnce();
  // What else it says is nobody's any more.
  expect(socket.onclose).toBeNull();
  sleep(2 * MINUTE_MS);
  expect(socket.close).toHaveBeenCalledOnce();
});

test("a connection that was heard of within a minute is kept, and one that closed is left alone", () => {
  const { socket, onclose } = connect();
  sleep(MINUTE_MS - 2_000);
  socket.dispatchEvent(new Event("message"));
  sleep(MINUTE_MS - 2_000);
  expect(onclose).not.toHaveBeenCalled();
  socket.dispatchEvent(new Event("close"));
  expect(vi.getTimerCount()).toBe(0);
});
