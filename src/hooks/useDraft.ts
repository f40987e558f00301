import { useCallback, useState } from "react";
import { clearDraft, readDraft, writeDraft } from "../lib/drafts";

/**
 * State that survives a reload, a lost connection and a session time-out of the same person:
 * `[value, setValue, clear]`. The value must be plain JSON and must not hold a secret.
 */
export function useDraft<T extends object>(
  key: string,
  initial: T,
): [T, (next: T) => void, () => void] {
  const [value, setState] = useState<T>(() => readDraft(key, initial));
  const setValue = useCallback(
    (next: T) => {
      setState(next);
      writeDraft(key, next);
    },
    [key],
  );
  const clear = useCallback(() => {
    clearDraft(key);
    setState(initial);
  }, [key, initial]);
  return [value, setValue, clear];
}
