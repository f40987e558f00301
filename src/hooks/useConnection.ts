import { useEffect, useState } from "react";
import { useConvexConnectionState } from "convex/react";

/** How long a gap may last before it is mentioned. */
const GRACE_MS = 3_000;

export interface Connection {
  /** The connection has been gone for more than three seconds. */
  isOffline: boolean;
  /** Why money buttons are disabled; undefined while connected. */
  offlineReason: string | undefined;
}

/** Whether the page still hears the server. */
export function useConnection(): Connection {
  const { isWebSocketConnected } = useConvexConnectionState();
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => {
    if (isWebSocketConnected) return;
    const timer = setTimeout(() => setIsOffline(true), GRACE_MS);
    return () => {
      clearTimeout(timer);
      setIsOffline(false);
    };
  }, [isWebSocketConnected]);
  const isGone = isOffline && !isWebSocketConnected;
  return {
    isOffline: isGone,
    offlineReason: isGone ? "You're offline. Reconnect to move money." : undefined,
  };
}
