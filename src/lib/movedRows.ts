/**
 * A row of a live list that arrives or leaves moves the others. A press that was on its way then meets another row's
 * button than the one it was meant for; one that acts at once (`isPressedOnce`) ignores it.
 */
const ON_ITS_WAY_MS = 400;

/** Watches the rows of every list, until the result is called. */
export function guardMovedRows(): () => void {
  const movedAt = new WeakMap<Node, number>();
  const observer = new MutationObserver((changes) => {
    for (const { target, nextSibling } of changes) {
      // At the end of a list nothing moves.
      if (nextSibling !== null) movedAt.set(target, performance.now());
    }
  });
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest("[data-pressed-once]");
    const list = button?.closest("li")?.parentNode;
    // From the keyboard (0) it is for the button with the focus, wherever that is now.
    if (!list || event.detail === 0) return;
    if (performance.now() - (movedAt.get(list) ?? -Infinity) > ON_ITS_WAY_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("click", onClick, { capture: true });
  return () => {
    observer.disconnect();
    document.removeEventListener("click", onClick, { capture: true });
  };
}
