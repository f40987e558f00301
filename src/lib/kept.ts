/**
 * What pages keep in memory for the signed-in person while they look at other pages: files, and what is under way. What
 * should survive a reload is a draft (lib/drafts).
 */
import { newListeners } from "./listeners";

let session = new Map<string, unknown>();
const listeners = newListeners();

/** The values of this session. Work that goes on after its end changes a map that nobody reads. */
export function keptValues(): Map<string, unknown> {
  return session;
}

/** Call after changing values. */
export function keptChanged(): void {
  listeners.tell();
}

/** For the end of a session: the next person begins with nothing. */
export function forgetKept(): void {
  session = new Map();
}

/** Calls back when a value changes; returns the function that unsubscribes. */
export const subscribeToKept = listeners.subscribe;
