import { useCallback, useState, useSyncExternalStore } from "react";
import { keptChanged, keptValues, subscribeToKept } from "../lib/kept";

/**
 * State that outlives its component, to the end of the session: `[value, change]`. `change` also counts when the
 * component is gone, so that what it began can be read by the next one. `initial` is a constant of the module.
 */
export function useKept<T extends object>(
  key: string,
  initial: T,
): [T, (changes: Partial<T>) => void] {
  const [values] = useState(keptValues);
  const current = useCallback(
    () => (values.get(key) as T | undefined) ?? initial,
    [values, key, initial],
  );
  const change = useCallback(
    (changes: Partial<T>) => {
      values.set(key, { ...current(), ...changes });
      keptChanged();
    },
    [values, key, current],
  );
  return [useSyncExternalStore(subscribeToKept, current), change];
}
