/**
 * The one polite live region, and which live events need no announcement: those that the person's own action is about
 * to report anyway.
 */
import { newListeners } from "./listeners";

const DEBOUNCE_MS = 800;
/** An action's events reach the page no later than this after its answer. */
const ECHO_MS = 1_000;

let current = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const ownActions = new Set<object>();
/** On the clock since the page was loaded, which nobody sets back. */
let echoUntilMs = 0;
const listeners = newListeners();

/** Speaks the sentence after a quiet moment; if several come in a row, the last one wins. */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => speak(text), DEBOUNCE_MS);
}

function speak(text: string): void {
  current = text;
  listeners.tell();
}

/**
 * For the start and end of a session: what was said, what is about to be said, and echoes are not for the next person.
 */
export function clearAnnouncements(): void {
  clearTimeout(timer);
  ownActions.clear();
  echoUntilMs = 0;
  speak("");
}

/** Runs what the person does; live events meanwhile, and right after it succeeds, are its echo. */
export async function asOwnAction<Result>(act: () => Promise<Result>): Promise<Result> {
  const action = {};
  ownActions.add(action);
  try {
    const result = await act();
    if (ownActions.has(action)) echoUntilMs = performance.now() + ECHO_MS;
    return result;
  } finally {
    ownActions.delete(action);
  }
}

/** True during an own action and shortly after it: live events are most likely its echo. */
export function isEchoOfOwnAction(): boolean {
  return ownActions.size > 0 || performance.now() < echoUntilMs;
}

/** Calls back when a sentence is spoken; returns the function that unsubscribes. */
export const subscribeToAnnouncements = listeners.subscribe;

/** The sentence spoken last, which stays; "" before the first of a session. */
export function currentAnnouncement(): string {
  return current;
}
