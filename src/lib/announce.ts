/**
 * The one polite live region: `announce` speaks a sentence, `suppressAnnouncements` holds back what
 * the person's own action is about to say anyway.
 */
const DEBOUNCE_MS = 800;

let current = "";
let timer: ReturnType<typeof setTimeout> | undefined;
let silentUntilMs = 0;
const listeners = new Set<() => void>();

/** Speaks the sentence after a quiet moment; of several in a row the last one wins. */
export function announce(text: string): void {
  if (isAnnouncementSuppressed()) return;
  clearTimeout(timer);
  timer = setTimeout(() => speak(text), DEBOUNCE_MS);
}

function speak(text: string): void {
  current = text;
  for (const listener of listeners) listener();
}

/** For the end of a session: nothing said or about to be said is for the next person. */
export function clearAnnouncements(): void {
  clearTimeout(timer);
  silentUntilMs = 0;
  speak("");
}

/** Nothing is announced for a while: the receipt of an own action says it already. */
export function suppressAnnouncements(durationMs = 2_000): void {
  clearTimeout(timer);
  silentUntilMs = Date.now() + durationMs;
}

/** True shortly after an own action: live events are most likely its echo. */
export function isAnnouncementSuppressed(): boolean {
  return Date.now() < silentUntilMs;
}

/** Calls back when a sentence is spoken; answers the function that stops it. */
export function subscribeToAnnouncements(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The sentence spoken last, which stays; "" before the first of a session. */
export function currentAnnouncement(): string {
  return current;
}
