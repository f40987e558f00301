import { useEffect, useState } from "react";

/** Follows `isOn`, but rises only after `delayMs`, so that skeletons do not flash when the answer is quick. */
export function useDelayedFlag(isOn: boolean, delayMs = 200): boolean {
  const [isRipe, setIsRipe] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setIsRipe(true), delayMs);
    return () => {
      clearTimeout(timer);
      setIsRipe(false);
    };
  }, [isOn, delayMs]);
  return isOn && isRipe;
}
