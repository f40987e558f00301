import { expect, test, vi } from "vitest";
import { patientSocket } from "../../../src/lib/patientSocket";

class FakeSocket extends EventTarget {
  readonly close = vi.fn();
}

/** A socket whose handshake has just begun. */
function begin(): FakeSocket {
  vi.useFakeTimers();
  const Socket = patientSocket(FakeSocket as unknown as typeof WebSocket);
  return new Socket("wss://bank.example/api/sync") as unknown as FakeSocket;
}

test("a handshake that a dead line swallows is given up, so that the browser begins another", () => {
  const socket = begin();
  vi.advanceTimersByTime(29_999);
  expect(socket.close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(socket.close).toHaveBeenCalledOnce();
});

test("an open connection has no time limit", () => {
  const socket = begin();
  socket.dispatchEvent(new Event("open"));
  expect(vi.getTimerCount()).toBe(0);
});
