import { useEffect, useRef, useState, type RefObject } from "react";

/**
 * For a list whose rows may leave, also by somebody else's hand: a row that leaves with the focus hands it to the button
 * now in its place, or else to the list. `finalFocus` is the same for a dialog that a row's button opens; call
 * `remember` when that button is pressed. `rows` is what the list shows.
 */
export function useReturnFocus(list: RefObject<HTMLElement | null>, rows: unknown) {
  const last = useRef<{ button: HTMLElement; index: number } | null>(null);
  const [actions] = useState(() => {
    const displayed = () =>
      [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])].filter((button) =>
        button.checkVisibility(),
      );
    return {
      remember: (button: HTMLElement) => {
        last.current = { button, index: displayed().indexOf(button) };
      },
      finalFocus: {
        get current() {
          if (last.current?.button.isConnected) return last.current.button;
          const left = displayed();
          return left[Math.min(last.current?.index ?? 0, left.length - 1)] ?? list.current;
        },
      },
    };
  });
  const { remember, finalFocus } = actions;
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLButtonElement && list.current?.contains(target)) remember(target);
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [list, remember]);
  useEffect(() => {
    const button = last.current?.button;
    if (button === undefined) return;
    // Its place may have changed.
    if (button.isConnected) remember(button);
    else if (document.activeElement === document.body) {
      finalFocus.current?.focus({ preventScroll: true });
    }
  }, [rows, remember, finalFocus]);
  return actions;
}
