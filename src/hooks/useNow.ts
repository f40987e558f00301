import { MS } from "#shared/limits";
import { useEffect, useState } from "react";

/** The current time in ms, updated every minute on the minute. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const schedule = () => {
      timer = setTimeout(
        () => {
          setNowMs(Date.now());
          schedule();
        },
        MS.MINUTE_MS - (Date.now() % MS.MINUTE_MS),
      );
    };
    schedule();
    return () => clearTimeout(timer);
  }, []);
  return nowMs;
}
