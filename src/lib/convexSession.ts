/** The session that the auth library keeps in this tab's storage. */
import { useSyncExternalStore } from "react";

/** Keys that start with `prefix` under which the library keeps something. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(window.sessionStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

const ACCESS_TOKEN_PREFIX = "__convexAuthJWT";

/** Whether this tab may hold a session: a hint for the first paint, never a permission. */
function hasStoredSession(): boolean {
  return storedKeys(ACCESS_TOKEN_PREFIX).length > 0;
}

/** The access token as it is now: the library renews it every few minutes. "" without a session. */
export function currentAccessToken(): string {
  const [key] = storedKeys(ACCESS_TOKEN_PREFIX);
  return (key !== undefined && window.sessionStorage.getItem(key)) || "";
}

/** Erases the session, and tells the library the way it learns that another frame has done so. */
export function forgetSession(): void {
  for (const key of storedKeys("__convexAuth")) {
    const storageArea = window.sessionStorage;
    storageArea.removeItem(key);
    window.dispatchEvent(new StorageEvent("storage", { key, newValue: null, storageArea }));
  }
}

const noChange = () => () => undefined;

/** The same as a hook; false in pages made at build time. */
export function useStoredSession(): boolean {
  return useSyncExternalStore(noChange, hasStoredSession, () => false);
}
