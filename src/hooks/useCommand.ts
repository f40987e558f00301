import { useCallback, useEffect, useRef, useState } from "react";
import { refusalOf, type Refusal } from "../lib/errorText";
import type { ErrorCode } from "#shared/errors";

export type CommandOutcome<Result> =
  { isOk: true; value: Result } | { isOk: false; refusal: Refusal };

export interface Command<Args extends unknown[], Result> {
  /** Never rejects. A call while one is under way joins it: a double click runs once. */
  run: (...args: Args) => Promise<CommandOutcome<Result>>;
  isBusy: boolean;
  /** Why the last run was refused; cleared by the next run and by `clear`. */
  refusal: Refusal | null;
  clear: () => void;
}

/**
 * A mutation or action as a button wants it: busy state, refusal in the catalogue's words.
 * `fallback` names the sentence for anything that is not a refusal (a bug, a lost connection).
 */
export function useCommand<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
  { fallback }: { fallback: ErrorCode },
): Command<Args, Result> {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const inFlight = useRef<Promise<CommandOutcome<Result>> | null>(null);
  const latestCall = useRef(call);
  useEffect(() => {
    latestCall.current = call;
  }, [call]);

  const run = useCallback(
    (...args: Args) => {
      if (inFlight.current) return inFlight.current;
      setIsBusy(true);
      setRefusal(null);
      const attempt = latestCall
        .current(...args)
        .then((value): CommandOutcome<Result> => ({ isOk: true, value }))
        .catch((error: unknown): CommandOutcome<Result> => {
          const caught = refusalOf(error, fallback);
          setRefusal(caught);
          return { isOk: false, refusal: caught };
        })
        .finally(() => {
          inFlight.current = null;
          setIsBusy(false);
        });
      inFlight.current = attempt;
      return attempt;
    },
    [fallback],
  );
  const clear = useCallback(() => setRefusal(null), []);
  return { run, isBusy, refusal, clear };
}
