import { useEffect } from "react";
import { ConvexAuthProvider } from "@convex-dev/auth/react";
import { useConvexAuth } from "convex/react";
import { Outlet } from "react-router-dom";
import { useEndSession } from "../hooks/useEndSession";
import { convexClient } from "../lib/convexClient";
import { useViewer } from "../lib/convexViewer";
import { hideRefusedLocks, tabStorage } from "../lib/tabStorage";

if (typeof window !== "undefined") hideRefusedLocks();

/** The Convex client and its session, around sign-in and signed-in pages only. */
export function BackendFrame() {
  return (
    <ConvexAuthProvider
      client={convexClient}
      shouldHandleCode={false}
      // Session secrets live as long as the tab and never in local storage.
      storage={tabStorage}
    >
      <EndedSession />
      <Outlet />
    </ConvexAuthProvider>
  );
}

/** A session that the server ended leaves a token behind that still looks valid: drop it. */
function EndedSession() {
  const { isAuthenticated } = useConvexAuth();
  const endSession = useEndSession();
  const hasEnded = useViewer() === null && isAuthenticated;
  useEffect(() => {
    if (hasEnded) void endSession();
  }, [hasEnded, endSession]);
  return null;
}
