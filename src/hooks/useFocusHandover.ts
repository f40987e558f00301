import { useEffect, useRef } from "react";

/**
 * When `place` changes and takes away or hides the control that had the focus, the element that `heir`
 * names takes it: a keyboard would otherwise start at the top of the page again.
 */
export function useFocusHandover<Place>(
  place: Place,
  heir: (before: Place) => HTMLElement | null | undefined,
): void {
  const shown = useRef(place);
  useEffect(() => {
    const before = shown.current;
    if (Object.is(before, place)) return;
    shown.current = place;
    const holder = document.activeElement;
    if (holder === document.body || holder?.checkVisibility() === false) heir(before)?.focus();
  });
}
