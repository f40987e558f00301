import { useCallback } from "react";
import { useAuthActions } from "@convex-dev/auth/react";
import { clearDrafts } from "../../lib/drafts";

/** Ends the session of one's own will: unsent drafts go with it. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useAuthActions();
  return useCallback(async () => {
    clearDrafts();
    await signOut();
  }, [signOut]);
}
