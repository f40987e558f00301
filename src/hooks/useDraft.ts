import { useCallback, useEffect, useState, type Dispatch, type SetStateAction } from "react";
import { clearDraft, readDraft, writeDraft } from "../lib/drafts";

/**
 * State that survives a reload, a lost connection and, for the same person, a session time-out: `[value, setValue,
 * clear]`. Plain JSON without secrets; `initial` is a module constant. Each `key` has its own value.
 */
export function useDraft<T extends object>(
  key: string,
  initial: T,
): [T, Dispatch<SetStateAction<T>>, () => void] {
  const [kept, setKept] = useState(() => ({ key, value: readDraft(key, initial) }));
  let { value } = kept;
  if (kept.key !== key) {
    value = readDraft(key, initial);
    setKept({ key, value });
  }
  useEffect(() => {
    if (value === initial) clearDraft(key);
    else writeDraft(key, value);
  }, [key, value, initial]);
  const setValue = useCallback<Dispatch<SetStateAction<T>>>(
    (next) =>
      setKept((before) => ({
        key: before.key,
        value: typeof next === "function" ? next(before.value) : next,
      })),
    [],
  );
  const clear = useCallback(() => {
    setValue(initial);
    // Also when the form unmounts at once.
    clearDraft(key);
  }, [setValue, key, initial]);
  return [value, setValue, clear];
}
