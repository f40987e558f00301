import { useRef, useState, type RefObject } from "react";

/**
 * `finalFocus` of a dialog opened by a button in `list`: that button or, if it is gone with its row, the one now in its
 * place, otherwise the list. Call `remember` when the button is pressed.
 */
export function useReturnFocus(list: RefObject<HTMLElement | null>) {
  const opener = useRef<{ button: HTMLElement; index: number } | null>(null);
  const [actions] = useState(() => {
    const displayed = () =>
      [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])].filter((button) =>
        button.checkVisibility(),
      );
    return {
      remember: (button: HTMLElement) => {
        opener.current = { button, index: displayed().indexOf(button) };
      },
      finalFocus: {
        get current() {
          if (opener.current?.button.isConnected) return opener.current.button;
          const left = displayed();
          return left[Math.min(opener.current?.index ?? 0, left.length - 1)] ?? list.current;
        },
      },
    };
  });
  return actions;
}
