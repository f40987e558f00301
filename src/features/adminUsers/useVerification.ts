import { useState } from "react";
import { useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { useCommand } from "../../hooks/useCommand";
import { useSending } from "../../hooks/useSending";
import { useTimedText } from "../../hooks/useTimedText";
import { errorText } from "../../lib/errorText";
import type { UserDetailData } from "./userDetailData";
import type { VerificationActions } from "./VerificationDialog";

/**
 * Ticks and decisions of the verification dialog; `done` names the last decision for a moment. A decision is refused if
 * someone else has decided since the dialog opened, at `seenStatus`.
 */
export function useVerification(
  { _id: userId, email }: UserDetailData,
  seenStatus: UserDetailData["status"],
): VerificationActions & { readonly done: string | null } {
  const setCheck = useMutation(api.admin.registrations.setCheck);
  const send = useSending();
  const [tickFailure, setTickFailure] = useState<string | null>(null);
  const approve = useCommand(useMutation(api.admin.registrations.approve), {
    fallback: "UPDATE_STATUS_FAILED",
  });
  const reject = useCommand(useMutation(api.admin.registrations.reject), {
    fallback: "REJECT_FAILED",
  });
  const request = useCommand(useMutation(api.admin.registrations.requestInformation), {
    fallback: "INFO_REQUEST_FAILED",
  });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const refusal = approve.refusal ?? reject.refusal ?? request.refusal;

  const clearFailure = () => {
    setTickFailure(null);
    for (const command of [approve, reject, request]) command.clear();
  };
  const finish = (isOk: boolean, text: string): boolean => {
    if (isOk) showDone(text);
    return isOk;
  };
  return {
    done,
    isBusy: approve.isBusy || reject.isBusy || request.isBusy,
    failure: tickFailure ?? refusal?.message ?? null,
    clearFailure,
    // Not a command: several ticks may be under way at once, and each counts.
    onSetCheck: async (check, isChecked) => {
      clearFailure();
      try {
        await send(() => setCheck({ userId, check, isChecked }));
        return true;
      } catch (error) {
        setTickFailure(errorText(error, "UPDATE_STATUS_FAILED"));
        return false;
      }
    },
    onApprove: async () => {
      clearFailure();
      return finish((await approve.run({ userId, seenStatus })).isOk, `${email} was approved.`);
    },
    onReject: async (reason) => {
      clearFailure();
      return finish(
        (await reject.run({ userId, reason, seenStatus })).isOk,
        `${email} was rejected.`,
      );
    },
    onRequestInformation: async (text) => {
      clearFailure();
      return finish((await request.run({ userId, text })).isOk, `${email} was asked.`);
    },
  };
}
