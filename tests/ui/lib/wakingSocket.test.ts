/** Connections that died while the device slept. */
import { beforeEach, expect, test, vi } from "vitest";
import { wakingSocket } from "../../../src/lib/wakingSocket";

const MINUTE_MS = 60_000;

/** A socket that nobody answers: it never learns that it is dead, not even when it is closed. */
class SilentSocket extends EventTarget {
  onclose: ((event: CloseEvent) => void) | null = null;
  onmessage: (() => void) | null = null;
  readonly close = vi.fn();
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
  receive(): void {
    this.dispatchEvent(new Event("message"));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

function connect() {
  const Socket = wakingSocket(SilentSocket as unknown as typeof WebSocket);
  const socket = new Socket("ws://bank.test/sync") as unknown as SilentSocket;
  socket.dispatchEvent(new Event("open"));
  const onclose = vi.fn<(event: CloseEvent) => void>();
  socket.onclose = onclose;
  return { socket, onclose };
}

/** Timers stand still meanwhile, and go on for as long as it takes to notice. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  vi.advanceTimersByTime(1_000);
}

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
  socket.receive();
  sleep(MINUTE_MS - 2_000);
  expect(onclose).not.toHaveBeenCalled();
  socket.dispatchEvent(new Event("close"));
  sleep(2 * MINUTE_MS);
  expect(onclose).not.toHaveBeenCalled();
});
