import { useSyncExternalStore } from "react";

/** Whether this tab may hold a session: a hint for the first paint, never a permission. */
function hasStoredSession(): boolean {
  try {
    return Object.keys(window.sessionStorage).some((key) => key.startsWith("__convexAuthJWT"));
  } catch {
    return false;
  }
}

const noChange = () => () => undefined;

/** The same as a component sees it; false in pages made at build time. */
export function useStoredSession(): boolean {
  return useSyncExternalStore(noChange, hasStoredSession, () => false);
}
