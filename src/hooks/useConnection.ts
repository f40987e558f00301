import { useEffect, useState, useSyncExternalStore } from "react";
import { useConvexConnectionState } from "convex/react";

/** How long a gap may last before it is mentioned. */
const GRACE_MS = 3_000;

export interface Connection {
  /** The connection has been gone for more than three seconds. */
  isOffline: boolean;
  /** Why money buttons are disabled; undefined while connected. */
  offlineReason: string | undefined;
}

function subscribeToNetwork(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** Whether the page still hears the server. */
export function useConnection(): Connection {
  const { isWebSocketConnected } = useConvexConnectionState();
  // A device without a network knows it long before the socket does.
  const hasNetwork = useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );
  const isConnected = isWebSocketConnected && hasNetwork;
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => {
    if (isConnected) return;
    const timer = setTimeout(() => setIsOffline(true), GRACE_MS);
    return () => {
      clearTimeout(timer);
      setIsOffline(false);
    };
  }, [isConnected]);
  const isGone = isOffline && !isConnected;
  return {
    isOffline: isGone,
    offlineReason: isGone ? "You're offline. Reconnect to move money." : undefined,
  };
}
