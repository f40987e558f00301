/**
 * Typed but unsent form data, kept in this tab's session storage. Signing out erases it; a session
 * that timed out leaves it for the same person, and another person's sign-in erases it.
 */
const PREFIX = "draft:";
const OWNER_KEY = "draftOwner";

function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** The stored draft merged over `initial`; only fields that `initial` has are taken. */
export function readDraft<T extends object>(key: string, initial: T): T {
  const text = storage()?.getItem(PREFIX + key) ?? null;
  if (text === null) return initial;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== "object" || stored === null) return initial;
    const known = Object.entries(stored).filter(
      ([name, value]) =>
        Object.hasOwn(initial, name) && typeof value === typeof initial[name as keyof T],
    );
    return { ...initial, ...Object.fromEntries(known) };
  } catch {
    return initial;
  }
}

/** Replaces the draft. Never throws; never hand it a password. */
export function writeDraft(key: string, value: object): void {
  try {
    storage()?.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full or blocked storage only costs the draft.
  }
}

/** Whether something typed is kept. */
export function hasDraft(key: string): boolean {
  return (storage()?.getItem(PREFIX + key) ?? null) !== null;
}

/** For a form that was sent or is back to its initial values. */
export function clearDraft(key: string): void {
  storage()?.removeItem(PREFIX + key);
}

/** Erases every draft of this tab. */
export function clearDrafts(): void {
  const store = storage();
  if (store === null) return;
  for (const key of Object.keys(store)) if (key.startsWith(PREFIX)) store.removeItem(key);
}

/** Keeps drafts for the same person only: another person's sign-in erases them. */
export function claimDrafts(userId: string): void {
  const store = storage();
  if (store === null) return;
  const owner = store.getItem(OWNER_KEY);
  if (owner !== null && owner !== userId) clearDrafts();
  store.setItem(OWNER_KEY, userId);
}
