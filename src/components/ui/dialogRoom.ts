/** What a dialog does where its words are enlarged or its window is low: only measuring tells. */

/** Less of the dialog than this is too little for what scrolls between its title and its buttons. */
const SHARE_MIN = 0.3;

const isCut = ({ scrollHeight, clientHeight }: HTMLElement): boolean =>
  scrollHeight > clientHeight + 1;

/**
 * Ref of what scrolls in a dialog. Where it has too little room, its parent gets `data-squeezed`, so that all of it
 * scrolls (the variant `squeezed`).
 */
export function watchRoom(body: HTMLElement | null): (() => void) | undefined {
  const popup = body?.parentElement;
  if (body === null || !popup) return undefined;
  const observer = new ResizeObserver(() => {
    const { scrollTop } = popup;
    popup.removeAttribute("data-squeezed");
    const isSmall = isCut(body) && body.clientHeight < popup.clientHeight * SHARE_MIN;
    popup.toggleAttribute("data-squeezed", isSmall || isCut(popup));
    popup.scrollTop = scrollTop;
  });
  observer.observe(body);
  observer.observe(popup);
  return () => observer.disconnect();
}

/** Ref of a scrolling part without controls: while it is cut, it can be focused, so that keys scroll it in Safari too. */
export function watchCut(part: HTMLElement | null): (() => void) | undefined {
  if (part === null) return undefined;
  const observer = new ResizeObserver(() => {
    const isStop = isCut(part) && part.querySelector("a, button, [tabindex]") === null;
    for (const [name, value] of Object.entries({ role: "group", tabindex: "0" })) {
      if (isStop) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  });
  observer.observe(part);
  return () => observer.disconnect();
}
