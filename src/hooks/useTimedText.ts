import { useCallback, useEffect, useRef, useState } from "react";

/** A sentence that clears by itself: `[text, show, clear]`. Showing another restarts the timer. */
export function useTimedText(
  durationMs: number,
): [string | null, (text: string) => void, () => void] {
  const [text, setText] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const clear = useCallback(() => {
    clearTimeout(timer.current);
    setText(null);
  }, []);
  const show = useCallback(
    (next: string) => {
      clearTimeout(timer.current);
      setText(next);
      timer.current = setTimeout(() => setText(null), durationMs);
    },
    [durationMs],
  );
  return [text, show, clear];
}
