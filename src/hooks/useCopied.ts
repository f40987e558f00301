import { useCallback } from "react";
import { COPY_CONFIRMATION_MS } from "#shared/limits";
import { useTimedText } from "./useTimedText";

/** Copies to the clipboard; `isCopied` stays true for two seconds (spec section 9). */
export function useCopied(): { isCopied: boolean; copy: (text: string) => void } {
  const [copied, showCopied] = useTimedText(COPY_CONFIRMATION_MS);
  const copy = useCallback(
    (text: string) => {
      // Without a secure context there is no clipboard; without permission it refuses.
      const clipboard = navigator.clipboard as Clipboard | undefined;
      const writing = clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
      const show = () => showCopied(text);
      void writing.then(show, () => {
        if (copyBySelection(text)) show();
      });
    },
    [showCopied],
  );
  return { isCopied: copied !== null, copy };
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  // Selecting took the focus away.
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
