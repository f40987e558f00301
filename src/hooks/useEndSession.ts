import { useCallback } from "react";
import { useAuthActions } from "@convex-dev/auth/react";
import { forgetSession } from "../lib/convexSession";

/** How long the tab waits for the server's answer before it forgets the session anyway. */
const ANSWER_WAIT_MS = 2_000;

/**
 * Ends this tab's session. Without a connection the tab forgets it all the same, and the server ends it at the idle
 * limit.
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
