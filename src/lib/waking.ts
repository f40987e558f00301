/** When a page may have slept: its timers, and the clock they follow, stood still meanwhile. */

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
