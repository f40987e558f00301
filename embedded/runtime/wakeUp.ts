/** The timer for scheduled functions and recurring jobs. */

/**
 * The clock may be set, or the machine may sleep, while a timer runs, so the clock is checked again after
 * this long.
 */
const TIMER_MAX_MS = 60_000;

/**
 * Calls `onWake` at `dueMs`, or after a minute when that is further away: the caller checks the clock. Does
 * not keep the process alive.
 */
export function wakeUpAt(dueMs: number, onWake: () => void): NodeJS.Timeout {
  const delayMs = Math.min(Math.max(dueMs - Date.now(), 0), TIMER_MAX_MS);
  return setTimeout(onWake, delayMs).unref();
}
