/**
 * What pages keep in memory for the person who is signed in, over a look at other pages: files, and what is under
 * way. What a reload should survive is a draft (lib/drafts).
 */
let session = new Map<string, unknown>();
const listeners = new Set<() => void>();

/** The values of this session. Whoever goes on after its end changes what nobody sees. */
export function keptValues(): Map<string, unknown> {
  return session;
}

/** Tells that values have changed. */
export function keptChanged(): void {
  for (const listener of listeners) listener();
}

/** For the end of a session: the next person begins with nothing. */
export function forgetKept(): void {
  session = new Map();
}

/** Calls back when a value changes; answers the function that stops it. */
export function subscribeToKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
