import { useCallback, useSyncExternalStore } from "react";
import { useConvex, type ConvexReactClient } from "convex/react";
import { TEXTS } from "#shared/texts";
import { useDelayedFlag } from "./useDelayedFlag";

/** How long a gap may last before it is mentioned. */
export const GRACE_MS = 3_000;

/** Public pages have no client. */
type Client = ConvexReactClient | undefined;

/** A device notices a lost network long before the socket does. */
export const isConnected = (client: Client): boolean =>
  navigator.onLine && client?.connectionState().isWebSocketConnected !== false;

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

/** Whether the connection has been gone for more than three seconds. */
export function useIsOffline(): boolean {
  const client = useConvex() as Client;
  const isGone = useSyncExternalStore(
    useCallback((onChange: () => void) => subscribeToConnection(client, onChange), [client]),
    () => !isConnected(client),
    () => false,
  );
  return useDelayedFlag(isGone, GRACE_MS);
}

/** Why buttons that move money, or that change something else, are disabled; undefined while connected. */
export function useOfflineReason(text: "offlineMoney" | "offlineChanges"): string | undefined {
  return useIsOffline() ? TEXTS[text] : undefined;
}
