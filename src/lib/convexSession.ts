/** The session that the auth library keeps in this tab's storage. */
import { useSyncExternalStore } from "react";
import { tabStorage } from "./tabStorage";

const ACCESS_TOKEN_PREFIX = "__convexAuthJWT";

/** Whether this tab may hold a session: a hint for the first paint, never a permission. */
function hasStoredSession(): boolean {
  return tabStorage.keys(ACCESS_TOKEN_PREFIX).length > 0;
}

/** The access token as it is now: the library renews it every few minutes. "" without a session. */
export function currentAccessToken(): string {
  const [key] = tabStorage.keys(ACCESS_TOKEN_PREFIX);
  return (key !== undefined && tabStorage.getItem(key)) || "";
}

/** Erases the session, and tells the library the way it learns that another frame has done so. */
export function forgetSession(): void {
  for (const key of tabStorage.keys("__convexAuth")) {
    tabStorage.removeItem(key);
    // No StorageEvent: that takes nothing but the browser's own storage.
    const told = { key, newValue: null, storageArea: tabStorage };
    window.dispatchEvent(Object.assign(new Event("storage"), told));
  }
}

const noChange = () => () => undefined;

/** The same as a hook; false in pages made at build time. */
export function useStoredSession(): boolean {
  return useSyncExternalStore(noChange, hasStoredSession, () => false);
}
