import { useState } from "react";
import { useAction, useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { isApproved } from "#shared/roles";
import { TEXTS } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { IssuedPassword, StandingCardProps } from "./StandingCard";
import type { UserDetailData } from "./userDetailData";

/** Role, password, sign-in and transfer count of one person. */
export function useStanding(user: UserDetailData): StandingCardProps {
  const { _id: userId, role, status, disabledAt, transferCount, isProtected } = user;
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.users.setRole), (args) =>
    ask({ change: { kind: "user.setRole", args } }),
  );
  const setRole = useCommand(change, { fallback: "SAVE_FAILED" });
  const setDisabled = useCommand(useMutation(api.admin.users.setDisabled), {
    fallback: "SAVE_FAILED",
  });
  const reset = useCommand(useAction(api.admin.users.resetPassword), { fallback: "SAVE_FAILED" });
  const resetCount = useCommand(useMutation(api.admin.transferCounts.resetOne), {
    fallback: "SAVE_FAILED",
  });
  const [issued, setIssued] = useState<IssuedPassword | null>(null);
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const commands = [setRole, setDisabled, reset, resetCount];
  const clearFailure = () => commands.forEach((command) => command.clear());
  return {
    userId,
    role,
    disabledAt,
    transferCount,
    canResetCount: !isProtected,
    canChangeRole: isApproved({ role, status }),
    onSetRole: async (next) => {
      const outcome = await setRole.run({ userId, role: next });
      if (!outcome.isOk) return false;
      showDone(outcome.value.isAsked ? TEXTS.approvalRequested : "The role was changed.");
      return true;
    },
    onSetDisabled: async (isDisabled, reason) => {
      const { isOk } = await setDisabled.run({ userId, isDisabled, reason });
      if (isOk) showDone(isDisabled ? "Sign-in was disabled." : "Sign-in was enabled.");
      return isOk;
    },
    onResetPassword: async (reason) => {
      const outcome = await reset.run({ userId, reason });
      if (outcome.isOk) setIssued(outcome.value);
      return outcome.isOk;
    },
    onResetCount: () => {
      clearFailure();
      void resetCount.run({ userId }).then((outcome) => {
        if (outcome.isOk) showDone(outcome.value.message);
      });
    },
    issued,
    onPasswordTold: () => setIssued(null),
    isBusy: commands.some(({ isBusy }) => isBusy),
    clearFailure,
    failure: commands.find(({ refusal }) => refusal !== null)?.refusal?.message ?? null,
    done,
  };
}
