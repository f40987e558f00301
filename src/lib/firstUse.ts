/** Anything a person does with a page; a restored scroll position counts. */
const USES = ["pointermove", "pointerdown", "keydown", "click", "focusin", "scroll", "touchstart"];

/** Calls back once, at the first sign that someone is using the page. */
export function onFirstUse(callback: () => void): void {
  const controller = new AbortController();
  const onUse = () => {
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
