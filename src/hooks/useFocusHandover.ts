import { useLayoutEffect, useRef } from "react";

/**
 * When a change of `place` removes or hides the focused control, focus moves to the element that `heir` names: a
 * keyboard user would otherwise start again at the top of the page. Before anything else runs: a dialog would take back a
 * focus that its contents have lost.
 */
export function useFocusHandover<Place>(
  place: Place,
  heir: (before: Place) => HTMLElement | null | undefined,
): void {
  const shown = useRef(place);
  useLayoutEffect(() => {
    const before = shown.current;
    if (Object.is(before, place)) return;
    shown.current = place;
    const holder = document.activeElement;
    if (holder === document.body || holder?.checkVisibility() === false) heir(before)?.focus();
  });
}
