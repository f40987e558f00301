/** Who is told when a value outside of React changes: `subscribe` is for `useSyncExternalStore`. */
export function newListeners() {
  const listeners = new Set<() => void>();
  return {
    /** Calls back on each change; returns the function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (): void => {
      for (const listener of listeners) listener();
    },
  };
}
