import { useCallback, useEffect, useRef, useState } from "react";

/** How long a pointer over the list holds the rows in place after its last move. */
const HOLD_MS = 2_000;

interface Row {
  readonly _id: string;
}

interface HeldRows<T> {
  readonly rows: readonly T[];
  /** Number of waiting rows, for the button that shows them. */
  readonly waitingCount: number;
  readonly release: () => void;
  /** For the list: call when a pointer moves over it. */
  readonly onPointerMove: () => void;
}

/**
 * Live rows that never move under a moving pointer: additions, changes and removals wait until the pointer has rested
 * for two seconds, or until the member asks for them.
 */
export function useHeldRows<T extends Row>(live: readonly T[]): HeldRows<T> {
  const [held, setHeld] = useState<readonly T[] | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = useCallback(() => {
    clearTimeout(timer.current);
    setHeld(null);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onPointerMove = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(release, HOLD_MS);
    setHeld((rows) => rows ?? live);
  }, [live, release]);
  const rows = held ?? live;
  const shown = new Set(rows.map((row) => row._id));
  const waitingCount = live.filter((row) => !shown.has(row._id)).length;
  return { rows, waitingCount, release, onPointerMove };
}
