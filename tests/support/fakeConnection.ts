/** The part of a Convex client that knows about its connection. A test that cuts it must also restore it. */
import { act } from "@testing-library/react";

const listeners = new Set<() => void>();
const CONNECTED = { isWebSocketConnected: true, hasEverConnected: true, connectionRetries: 0 };
let state = CONNECTED;

function change(changes: Partial<typeof state>): void {
  act(() => {
    state = { ...CONNECTED, ...changes };
    for (const listener of listeners) listener();
  });
}

export const connection = {
  cut: () => change({ isWebSocketConnected: false }),
  /** As when the page has just been opened; `retries` counts the attempts that failed. */
  begin: (retries = 0) =>
    change({
      isWebSocketConnected: false,
      hasEverConnected: false,
      connectionRetries: retries,
    }),
  mend: () => change({}),
};

export const fakeConnection = {
  connectionState: () => state,
  subscribeToConnectionState: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
