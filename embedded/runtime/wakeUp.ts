/** The timer of work that waits for its time: scheduled functions, recurring jobs. */

/** The clock may be set, or the machine sleep, while a timer runs: then it is asked again. */
const TIMER_MAX_MS = 60_000;

/**
 * Calls `onWake` at `dueMs`, or after a minute when that is further away: the caller looks at the clock.
 * Keeps no process alive.
 */
export function wakeUpAt(dueMs: number, onWake: () => void): NodeJS.Timeout {
  const delayMs = Math.min(Math.max(dueMs - Date.now(), 0), TIMER_MAX_MS);
  return setTimeout(onWake, delayMs).unref();
}
