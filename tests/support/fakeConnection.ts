/** The part of a Convex client that knows about its connection. A test that cuts it must also restore it. */
import { act } from "@testing-library/react";

const listeners = new Set<() => void>();
let state = { isWebSocketConnected: true };

function change(isWebSocketConnected: boolean): void {
  act(() => {
    state = { isWebSocketConnected };
    for (const listener of listeners) listener();
  });
}

export const connection = { cut: () => change(false), mend: () => change(true) };

export const fakeConnection = {
  connectionState: () => state,
  subscribeToConnectionState: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
