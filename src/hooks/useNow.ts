import { MS } from "#shared/limits";
import { useEffect, useState } from "react";
import { onWake } from "../lib/waking";

const minuteOf = (atMs: number) => Math.floor(atMs / MS.MINUTE_MS);

/** The current time in ms, updated every minute on the minute, and when the page wakes. */
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
    // The timer stood still while the page slept: it may be late by what was left of its minute.
    const unsubscribe = onWake(() => {
      setNowMs((before) => (minuteOf(before) === minuteOf(Date.now()) ? before : Date.now()));
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, []);
  return nowMs;
}
