import { useCallback } from "react";
import { COPY_CONFIRMATION_MS } from "#shared/limits";
import { useTimedFlag } from "./useTimedFlag";

/** Copies to the clipboard; `isCopied` stays true for two seconds (spec section 9). */
export function useCopied(): { isCopied: boolean; copy: (text: string) => void } {
  const [isCopied, flag] = useTimedFlag(COPY_CONFIRMATION_MS);
  const copy = useCallback(
    (text: string) => {
      void navigator.clipboard.writeText(text).then(flag, () => {
        // Without permission or a secure context: the selection way still works.
        if (copyBySelection(text)) flag();
      });
    },
    [flag],
  );
  return { isCopied, copy };
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
