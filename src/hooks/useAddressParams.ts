import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";

/** The parameters with these values; one without a value is left out, so that addresses stay short. */
export function withParams(
  params: URLSearchParams,
  values: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** From the parameters as all earlier changes leave them to the next ones. */
type Change = (now: URLSearchParams) => URLSearchParams;

/**
 * The address's parameters, and how to change them: `[params, change]`. Changes made before the page is drawn again add up,
 * while each of `useSearchParams` starts from what is drawn, and the last one undoes the others.
 */
export function useAddressParams(): [
  URLSearchParams,
  (change: Change, options?: { replace?: boolean }) => void,
] {
  const [params, setParams] = useSearchParams();
  const newest = useRef(params);
  useEffect(() => {
    newest.current = params;
  }, [params]);
  const change = useCallback(
    (to: Change, options?: { replace?: boolean }) => {
      newest.current = to(newest.current);
      setParams(newest.current, options);
    },
    [setParams],
  );
  return [params, change];
}
