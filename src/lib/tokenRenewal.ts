/**
 * The session's access token is renewed every few minutes. The Convex client asks for a new one once: if that fails, it
 * never asks again, and where the old one has expired it also never connects again.
 *
 * The auth library waits for the answer as long as the browser does, holding a lock that keeps every other tab from
 * renewing its own. On a line that swallows everything, that is a quarter of an hour.
 */

/** What the auth library gives the Convex client; `null` without a session. */
type FetchToken = (args: { forceRefreshToken: boolean }) => Promise<string | null | undefined>;

const FIRST_WAIT_MS = 1_000;
/** The server ends a session that is renewed far more often than that. */
const MAX_WAIT_MS = 30_000;

/** How long one attempt may take. The server answers a token that was exchanged, but never used, as before. */
const ANSWER_WAIT_MS = 30_000;
/** Where the library asks: the page itself sends no action over HTTP. */
const RENEWAL_PATH = "/api/action";

/** The browser's `fetch`, except that a renewal is given up after a while. The library takes no other `fetch`. */
export function withPatience(fetchAny: typeof fetch): typeof fetch {
  return (input, init) => {
    if (typeof input !== "string" || !input.endsWith(RENEWAL_PATH)) return fetchAny(input, init);
    const attempt = new AbortController();
    // Aborting what has been read by then changes nothing.
    setTimeout(() => attempt.abort(), ANSWER_WAIT_MS);
    return fetchAny(input, { ...init, signal: attempt.signal });
  };
}

/** Asks again until there is an answer, or the tab has forgotten its session. */
export function untilAnswered(fetchToken: FetchToken): FetchToken {
  return async (args) => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        return await fetchToken(args);
      } catch {
        await pause(waitMs);
      }
    }
  };
}

/** Ends early when the device is connected again, and when the tab forgets its session, which `storage` tells. */
function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      window.removeEventListener("storage", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    window.addEventListener("online", end);
    window.addEventListener("storage", end);
  });
}
