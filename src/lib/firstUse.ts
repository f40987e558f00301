/** Anything a person does with a page; a restored scroll position counts. */
const USES = ["pointermove", "pointerdown", "keydown", "click", "focusin", "scroll", "touchstart"];

/** Under a pointer that lies still, browsers report a move when a page appears. */
function isUnmoved(event: Event): boolean {
  if (!(event instanceof PointerEvent) || event.type !== "pointermove") return false;
  return event.movementX === 0 && event.movementY === 0;
}

/** Calls back once, at the first sign that someone is using the page. */
export function onFirstUse(callback: () => void): void {
  const controller = new AbortController();
  const onUse = (event: Event) => {
    if (isUnmoved(event)) return;
    controller.abort();
    callback();
  };
  for (const use of USES) {
    window.addEventListener(use, onUse, {
      capture: true,
      passive: true,
      signal: controller.signal,
    });
  }
}
