import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/** False in pre-rendered HTML and while React hydrates it, true from then on. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
