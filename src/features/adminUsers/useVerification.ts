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
  const reopen = useCommand(useMutation(api.admin.registrations.reopen), {
    fallback: "UPDATE_STATUS_FAILED",
  });
  const commands = [approve, reject, request, reopen];
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const refusal = commands.map((command) => command.refusal).find((found) => found !== null);

  const clearFailure = () => {
    setTickFailure(null);
    for (const command of commands) command.clear();
  };
  const finish = (isOk: boolean, text: string): boolean => {
    if (isOk) showDone(text);
    return isOk;
  };
  return {
    done,
    isBusy: commands.some((command) => command.isBusy),
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
      const { isOk } = await reject.run({ userId, reason, seenStatus });
      return finish(isOk, `${email} was rejected.`);
    },
    onReopen: async (reason) => {
      clearFailure();
      return finish(
        (await reopen.run({ userId, reason })).isOk,
        `The application of ${email} was reopened.`,
      );
    },
    onRequestInformation: async (text) => {
      clearFailure();
      return finish((await request.run({ userId, text })).isOk, `${email} was asked.`);
    },
  };
}
