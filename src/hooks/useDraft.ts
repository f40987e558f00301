import { useCallback, useEffect, useState, type Dispatch, type SetStateAction } from "react";
import { clearDraft, readDraft, writeDraft } from "../lib/drafts";

/**
 * State that survives a reload, a lost connection and a session time-out of the same person:
 * `[value, setValue, clear]`. Plain JSON without secrets; `initial` is a constant of the module.
 */
export function useDraft<T extends object>(
  key: string,
  initial: T,
): [T, Dispatch<SetStateAction<T>>, () => void] {
  const [value, setValue] = useState<T>(() => readDraft(key, initial));
  useEffect(() => {
    if (value === initial) clearDraft(key);
    else writeDraft(key, value);
  }, [key, value, initial]);
  const clear = useCallback(() => setValue(initial), [initial]);
  return [value, setValue, clear];
}
