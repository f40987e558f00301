/** When a page may have slept: its timers, and the clock they follow, stood still meanwhile. */

/** A moment on the device's clock, which may be set back, and on the page's, which may stop while the device sleeps. */
export interface Moment {
  readonly deviceMs: number;
  readonly pageMs: number;
}

export const momentNow = (): Moment => ({ deviceMs: Date.now(), pageMs: performance.now() });

/** The time between two moments, whichever clock stopped or was set back in between. */
export function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.deviceMs - from.deviceMs, to.pageMs - from.pageMs);
}

/** Calls back when the page is looked at again, thawed, or restored by Back; returns the function that unsubscribes. */
export function onWake(listener: () => void): () => void {
  const onVisibility = () => {
    if (!document.hidden) listener();
  };
  document.addEventListener("visibilitychange", onVisibility);
  document.addEventListener("resume", listener);
  window.addEventListener("pageshow", listener);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    document.removeEventListener("resume", listener);
    window.removeEventListener("pageshow", listener);
  };
}
