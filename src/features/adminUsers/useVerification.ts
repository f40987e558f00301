import { useState } from "react";
import { useMutation } from "convex/react";
import { api } from "#api";
import { useActs, type Acts } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useSending } from "../../hooks/useSending";
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
): VerificationActions & Acts {
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
  const reopen = useCommand(useMutation(api.admin.registrations.reopen), {
    fallback: "UPDATE_STATUS_FAILED",
  });
  const { acts, tell } = useActs(approve, reject, request, reopen);
  const clearFailure = () => {
    setTickFailure(null);
    acts.clearFailure();
  };
  return {
    ...acts,
    failure: tickFailure ?? acts.failure,
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
      return tell(await approve.run({ userId, seenStatus }), `${email} was approved.`);
    },
    onReject: async (reason) => {
      clearFailure();
      return tell(await reject.run({ userId, reason, seenStatus }), `${email} was rejected.`);
    },
    onReopen: async (reason) => {
      clearFailure();
      const outcome = await reopen.run({ userId, reason });
      return tell(outcome, `The application of ${email} was reopened.`);
    },
    onRequestInformation: async (text) => {
      clearFailure();
      return tell(await request.run({ userId, text }), `${email} was asked.`);
    },
  };
}
