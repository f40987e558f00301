import { useState } from "react";

/** Keeps the last result while a query with new arguments loads. `isStale` is true meanwhile (for `aria-busy`). */
export function useLatest<T>(value: T | undefined): { value: T | undefined; isStale: boolean } {
  const [latest, setLatest] = useState(value);
  if (value !== undefined && value !== latest) setLatest(value);
  return { value: value ?? latest, isStale: value === undefined && latest !== undefined };
}
