/**
 * What this tab keeps until it is closed: session storage. Where the browser has none or refuses it (blocked cookies, no
 * room), memory keeps the same until the page is left, so that nobody is shut out of their account.
 */
const memory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

export const tabStorage = {
  getItem: (key: string): string | null => memory.get(key) ?? storage()?.getItem(key) ?? null,

  setItem(key: string, value: string): void {
    // Not first what does not fit: an older value would be back after a reload, such as a token that was used.
    tabStorage.removeItem(key);
    try {
      window.sessionStorage.setItem(key, value);
    } catch {
      memory.set(key, value);
    }
  },

  removeItem(key: string): void {
    memory.delete(key);
    storage()?.removeItem(key);
  },

  /** Those that start with `prefix`. */
  keys(prefix: string): string[] {
    const all = [...Object.keys(storage() ?? {}), ...memory.keys()];
    return all.filter((key) => key.startsWith(prefix));
  },
};

/**
 * A browser that refuses storage refuses locks, too, and the auth library could never renew a session. Where there are
 * none, it makes its own.
 */
export function hideRefusedLocks(): void {
  if (storage() === null)
    Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
}
