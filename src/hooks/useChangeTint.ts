import { useEffect, useState } from "react";

const TINT_MS = 1_200;

/** True for 1.2 s after the value changes; never for the first value. */
export function useChangeTint(value: bigint | number | string): boolean {
  const [shown, setShown] = useState(value);
  const [isTinted, setIsTinted] = useState(false);
  if (value !== shown) {
    setShown(value);
    setIsTinted(true);
  }
  useEffect(() => {
    if (!isTinted) return;
    const timer = setTimeout(() => setIsTinted(false), TINT_MS);
    return () => clearTimeout(timer);
  }, [isTinted, shown]);
  return isTinted;
}
