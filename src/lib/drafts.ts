/**
 * Typed but unsent form data, kept in this tab. Signing out erases it; a session
 * that timed out leaves it for the same person, and another person's sign-in erases it.
 */
import { tabStorage } from "./tabStorage";

const PREFIX = "draft:";
const OWNER_KEY = "draftOwner";

/** The stored draft merged over `initial`; only fields that `initial` has are taken. */
export function readDraft<T extends object>(key: string, initial: T): T {
  const text = tabStorage.getItem(PREFIX + key);
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

/** Replaces the draft; never hand it a password. */
export function writeDraft(key: string, value: object): void {
  tabStorage.setItem(PREFIX + key, JSON.stringify(value));
}

/** Whether something typed is kept. */
export function hasDraft(key: string): boolean {
  return tabStorage.getItem(PREFIX + key) !== null;
}

/** For a form that was sent or is back to its initial values. */
export function clearDraft(key: string): void {
  tabStorage.removeItem(PREFIX + key);
}

/** Erases every draft of this tab. */
export function clearDrafts(): void {
  for (const key of tabStorage.keys(PREFIX)) tabStorage.removeItem(key);
}

/** Keeps drafts for the same person only: another person's sign-in erases them. */
export function claimDrafts(userId: string): void {
  const owner = tabStorage.getItem(OWNER_KEY);
  if (owner !== null && owner !== userId) clearDrafts();
  tabStorage.setItem(OWNER_KEY, userId);
}
