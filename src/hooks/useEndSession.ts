import { useCallback } from "react";
import { useAuthActions } from "@convex-dev/auth/react";
import { forgetSession } from "../lib/convexSession";

/** How long the server is given to answer before the tab forgets the session without it. */
const ANSWER_WAIT_MS = 2_000;

/**
 * Ends this tab's session. Without a connection the tab forgets it all the same, and the server ends it by its
 * idle limit.
 */
export function useEndSession(): () => Promise<void> {
  const { signOut } = useAuthActions();
  return useCallback(async () => {
    // The library erases the tokens only after the answer, which without a connection never comes.
    const waited = new Promise<void>((resolve) => setTimeout(resolve, ANSWER_WAIT_MS));
    await Promise.race([signOut(), waited]);
    forgetSession();
  }, [signOut]);
}
