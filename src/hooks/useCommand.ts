import { useCallback, useEffect, useRef, useState } from "react";
import { ConvexError } from "convex/values";
import { asOwnAction } from "../lib/announce";
import { refusalOf, type Refusal } from "../lib/errorText";
import { noticeNewRelease } from "../lib/newRelease";
import type { ErrorCode } from "#shared/errors";
import { payloadText } from "#shared/payloadText";
import { useSending } from "./useSending";

export type CommandOutcome<Result> =
  { isOk: true; value: Result } | { isOk: false; refusal: Refusal };

interface Command<Args extends unknown[], Result> {
  /**
   * Never rejects. Repeating the latest call while it is under way joins it, so a double click runs once. A different
   * call waits its turn.
   */
  run: (...args: Args) => Promise<CommandOutcome<Result>>;
  /** Arguments of the calls that are under way or waiting, in order. */
  pending: readonly Args[];
  isBusy: boolean;
  /** Why a run was refused; cleared by the next call of `run` and by `clear`. */
  refusal: Refusal | null;
  /** Arguments of the refused run: in a list, its refusal stands with its row. */
  refusedArgs: Args | null;
  clear: () => void;
}

interface Call<Args extends unknown[], Result> {
  readonly args: Args;
  readonly outcome: Promise<CommandOutcome<Result>>;
}

/**
 * A mutation or action as a button needs it: busy state, refusal in the catalogue's words. Without a connection the
 * call is refused, not made (OFFLINE); the connection's notices report on calls already under way. Live events that
 * arrive meanwhile are its echo (lib/announce); `hasEcho` is false for calls that cause none, or that take long for
 * other reasons. `fallback` names the sentence for anything that is not a refusal (a bug, a lost connection).
 */
export function useCommand<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
  { fallback, hasEcho = true }: { fallback: ErrorCode; hasEcho?: boolean },
): Command<Args, Result> {
  const [pending, setPending] = useState<readonly Args[]>([]);
  const [refused, setRefused] = useState<{ args: Args; refusal: Refusal } | null>(null);
  const last = useRef<Call<Args, Result> | null>(null);
  const send = useSending();
  const latestCall = useRef(call);
  useEffect(() => {
    latestCall.current = call;
  }, [call]);

  const run = useCallback(
    (...args: Args) => {
      const before = last.current;
      if (before !== null && isSame(before.args, args)) return before.outcome;
      // Here, not when its turn comes: a refusal of the call before it must stay readable.
      setRefused(null);
      const attempt = async (): Promise<CommandOutcome<Result>> => {
        const act = () => send(() => latestCall.current(...args));
        try {
          return { isOk: true, value: await (hasEcho ? asOwnAction(act) : act()) };
        } catch (error) {
          if (!(error instanceof ConvexError)) void noticeNewRelease();
          const refusal = refusalOf(error, fallback);
          setRefused({ args, refusal });
          return { isOk: false, refusal };
        }
      };
      const started = before === null ? attempt() : before.outcome.then(attempt);
      const outcome = started.finally(() => {
        if (last.current?.outcome === outcome) last.current = null;
        setPending((calls) => calls.filter((waiting) => waiting !== args));
      });
      last.current = { args, outcome };
      setPending((calls) => [...calls, args]);
      return outcome;
    },
    [fallback, hasEcho, send],
  );
  const clear = useCallback(() => setRefused(null), []);
  const { args: refusedArgs = null, refusal = null } = refused ?? {};
  return { run, pending, isBusy: pending.length > 0, refusal, refusedArgs, clear };
}

/** Any two files count as equal: no command takes more than one. */
function isSame(before: unknown[], now: unknown[]): boolean {
  return payloadText(before) === payloadText(now);
}
