import { useCallback } from "react";
import { useEndSession } from "../../hooks/useEndSession";
import { clearDrafts } from "../../lib/drafts";

/** Ends the session at the person's own request: unsent drafts go with it. */
export function useSignOut(): () => Promise<void> {
  const endSession = useEndSession();
  return useCallback(async () => {
    clearDrafts();
    await endSession();
  }, [endSession]);
}
