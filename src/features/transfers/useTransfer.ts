import type { Receipt } from "#shared/answers";
import { MESSAGES, type ErrorCode } from "#shared/errors";
import { useCallback, useState } from "react";
import { useCommand } from "../../hooks/useCommand";
import { useRequestKey } from "../../hooks/useRequestKey";
import { isOutcomeOpen, type Refusal } from "../../lib/errorText";
import { outcomeOf } from "./outcomes";
import { useReportSending } from "./sending";

/** Refusals of the operation itself that a member cannot fix (spec section 8 "Internal errors"). */
const INTERNAL_CODES: readonly ErrorCode[] = [
  "USER_NOT_FOUND",
  "SOURCE_ACCOUNT_NOT_FOUND",
  "DESTINATION_ACCOUNT_NOT_FOUND",
  "RECIPIENT_ACCOUNT_NOT_FOUND",
  "INVALID_TRANSFER_TYPE",
  "ACCOUNT_NOT_FOUND",
];
/** From this many failures in a row, the message refers to support. */
const PERSISTING_FAILURES = 2;

/** The refusal as the transfer section words it (spec section 8 "Transfers"). */
export function wordRefusal(refusal: Refusal | null, failuresInRow: number): Refusal | null {
  if (refusal === null) return null;
  const isPersisting = refusal.code === "TRANSFER_FAILED" && failuresInRow >= PERSISTING_FAILURES;
  if (!isPersisting && !INTERNAL_CODES.includes(refusal.code)) return refusal;
  return {
    code: "TRANSFER_FAILED_DASHBOARD",
    message: MESSAGES.TRANSFER_FAILED_DASHBOARD,
  };
}

/**
 * Sends what the form with this draft holds, under a request key that is kept until the server has answered. With
 * `keepsKey`, for the first of two steps, success does not settle the key: the caller does, once the last step is done.
 *
 * `outcome` is the refusal that opens a dialog; `refusal` is the one the form shows.
 */
export function useTransfer<Args extends object, Result = Receipt>(
  draftKey: string,
  send: (args: Args & { requestKey: string }) => Promise<Result>,
  { keepsKey = false }: { keepsKey?: boolean } = {},
) {
  const { keyFor, settle } = useRequestKey(draftKey);
  const [failuresInRow, setFailuresInRow] = useState(0);
  const command = useCommand(send, { fallback: "TRANSFER_FAILED" });
  const { run } = command;
  useReportSending(command.isBusy);

  const submit = useCallback(
    async (args: Args): Promise<Result | null> => {
      const answer = await run({ ...args, requestKey: keyFor(args) });
      const isUnanswered = !answer.isOk && isOutcomeOpen(answer.refusal, "TRANSFER_FAILED");
      setFailuresInRow((count) => (isUnanswered ? count + 1 : 0));
      const isMoreToCome = answer.isOk && keepsKey;
      if (!isUnanswered && !isMoreToCome) settle(args);
      return answer.isOk ? answer.value : null;
    },
    [run, keyFor, settle, keepsKey],
  );

  const outcome = outcomeOf(command.refusal);
  return {
    submit,
    settle,
    isBusy: command.isBusy,
    outcome,
    refusal: outcome === null ? wordRefusal(command.refusal, failuresInRow) : null,
    clear: command.clear,
  };
}
