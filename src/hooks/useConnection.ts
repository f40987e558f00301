import { useCallback, useSyncExternalStore } from "react";
import { useConvex, type ConvexReactClient } from "convex/react";
import { useDelayedFlag } from "./useDelayedFlag";

/** How long a gap may last before it is mentioned. */
export const GRACE_MS = 3_000;

export interface Connection {
  /** The connection has been gone for more than three seconds. */
  isOffline: boolean;
  /** Why money buttons are disabled; undefined while connected. */
  offlineReason: string | undefined;
}

/** Public pages have no client. */
type Client = ConvexReactClient | undefined;

/** A device without a network knows it long before the socket does. */
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

/** Whether the page still hears the server. */
export function useConnection(): Connection {
  const client = useConvex() as Client;
  const isGone = useSyncExternalStore(
    useCallback((onChange: () => void) => subscribeToConnection(client, onChange), [client]),
    () => !isConnected(client),
    () => false,
  );
  const isOffline = useDelayedFlag(isGone, GRACE_MS);
  return {
    isOffline,
    offlineReason: isOffline ? "You're offline. Reconnect to move money." : undefined,
  };
}
