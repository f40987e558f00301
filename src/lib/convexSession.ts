/** Whether this tab may hold a session: a hint for the first paint, never a permission. */
export function hasStoredSession(): boolean {
  try {
    return Object.keys(window.sessionStorage).some((key) => key.startsWith("__convexAuthJWT"));
  } catch {
    return false;
  }
}
