import { useCallback } from "react";
import type { ErrorCode } from "#shared/errors";
import { isOutcomeOpen } from "../lib/errorText";
import { useCommand } from "./useCommand";
import type { RequestKeys } from "./useRequestKey";

/** A command (useCommand) that is sent with the key of what it asks for, the same until the server has answered. */
export function useKeyedCommand<Args extends object, Result>(
  call: (args: NoInfer<Args> & { requestKey: string }) => Promise<Result>,
  { keyFor, settle }: RequestKeys<Args>,
  fallback: ErrorCode,
) {
  const { run: send, isBusy, refusal, clear } = useCommand(call, { fallback });
  const run = useCallback(
    async (args: Args) => {
      const outcome = await send({ ...args, requestKey: keyFor(args) });
      if (outcome.isOk || !isOutcomeOpen(outcome.refusal, fallback)) settle(args);
      return outcome;
    },
    [send, keyFor, settle, fallback],
  );
  return { run, isBusy, refusal, clear };
}
