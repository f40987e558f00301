import { useCallback } from "react";
import { useEndSession } from "../../hooks/useEndSession";
import { clearDrafts } from "../../lib/drafts";

/**
 * Ends the session at the person's own request: unsent drafts go with it, also what is typed until the session has ended.
 */
export function useSignOut(): () => Promise<void> {
  const endSession = useEndSession();
  return useCallback(() => endSession().finally(clearDrafts), [endSession]);
}
