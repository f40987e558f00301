import { useCallback, useState, useSyncExternalStore } from "react";
import { keptChanged, keptValues, subscribeToKept } from "../lib/kept";

/**
 * State that outlives its component until the session ends: `[value, change]`. `change` still works once the component
 * is gone, so that the next one sees the outcome of what it began. `initial` is a module constant.
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
