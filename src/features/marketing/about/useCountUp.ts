import { useEffect, useRef, useState, type RefObject } from "react";
import { COUNTER_TICK_MS } from "#shared/limits";

/** Ticks from zero to the final values. */
export const COUNTER_STEPS = 75;

interface CountUp<E extends Element> {
  /** Attach to the element whose arrival in the viewport starts the count. */
  readonly ref: RefObject<E | null>;
  /** From 0 to 1. It is 1 before the start, at the end, and always with reduced motion. */
  readonly progress: number;
}

/**
 * Counts once, every COUNTER_TICK_MS (spec section 9), when the element comes into view.
 * Readers without scripts or with reduced motion see the final values at once.
 */
export function useCountUp<E extends Element>(): CountUp<E> {
  const ref = useRef<E>(null);
  const [step, setStep] = useState(COUNTER_STEPS);
  const [isRunning, setIsRunning] = useState(false);

  useEffect(() => {
    const element = ref.current;
    if (!element || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      setStep(0);
      setIsRunning(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setStep((now) => now + 1), COUNTER_TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  if (isRunning && step >= COUNTER_STEPS) setIsRunning(false);
  return { ref, progress: Math.min(step, COUNTER_STEPS) / COUNTER_STEPS };
}
