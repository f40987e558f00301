import { useCallback, useEffect, useRef, useState } from "react";

/** A flag that lowers itself: `[isUp, raise, lower]`. Raising it again restarts the timer. */
export function useTimedFlag(durationMs: number): [boolean, () => void, () => void] {
  const [isUp, setIsUp] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const lower = useCallback(() => {
    clearTimeout(timer.current);
    setIsUp(false);
  }, []);
  const raise = useCallback(() => {
    clearTimeout(timer.current);
    setIsUp(true);
    timer.current = setTimeout(() => setIsUp(false), durationMs);
  }, [durationMs]);
  return [isUp, raise, lower];
}
