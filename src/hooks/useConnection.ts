import { useCallback, useSyncExternalStore } from "react";
import { useConvex, type ConvexReactClient } from "convex/react";
import { TEXTS } from "#shared/texts";
import { useDelayedFlag } from "./useDelayedFlag";

/** How long a gap may last before it is mentioned. */
const GRACE_MS = 3_000;
/** A page's first connection takes several round trips: on a slow line, that it is late says nothing. */
const FIRST_GRACE_MS = 20_000;

/** Public pages have no client. */
type Client = ConvexReactClient | undefined;

/** A device notices a lost network long before the socket does. */
export const isConnected = (client: Client): boolean =>
  navigator.onLine && client?.connectionState().isWebSocketConnected !== false;

/** How long to wait for the connection that is not there. */
export function graceMs(client: Client): number {
  const { hasEverConnected, connectionRetries } = client?.connectionState() ?? {};
  const isFirstUnderWay = navigator.onLine && hasEverConnected === false && connectionRetries === 0;
  return isFirstUnderWay ? FIRST_GRACE_MS : GRACE_MS;
}

export function subscribeToConnection(client: Client, onChange: () => void): () => void {
  const unsubscribe = client?.subscribeToConnectionState(onChange);
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    unsubscribe?.();
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** Whether the connection has been gone for more than three seconds, or the first one is late. */
export function useIsOffline(): boolean {
  const client = useConvex() as Client;
  const waitMs = useSyncExternalStore(
    useCallback((onChange: () => void) => subscribeToConnection(client, onChange), [client]),
    () => (isConnected(client) ? null : graceMs(client)),
    () => null,
  );
  return useDelayedFlag(waitMs !== null, waitMs ?? GRACE_MS);
}

/** Why buttons that move money, or that change something else, are disabled; undefined while connected. */
export function useOfflineReason(text: "offlineMoney" | "offlineChanges"): string | undefined {
  return useIsOffline() ? TEXTS[text] : undefined;
}
