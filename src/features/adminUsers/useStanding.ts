import { useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import type { StandingCardProps } from "./StandingCard";
import type { UserDetailData } from "./userDetail";

/** Role and sign-in of one person. */
export function useStanding(user: UserDetailData): StandingCardProps {
  const { _id: userId, role, status, disabledAt, transferCount } = user;
  const setRole = useCommand(useMutation(api.admin.users.setRole), { fallback: "SAVE_FAILED" });
  const setDisabled = useCommand(useMutation(api.admin.users.setDisabled), {
    fallback: "SAVE_FAILED",
  });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    role,
    disabledAt,
    transferCount,
    canChangeRole: role !== "pending" && status !== "pending" && status !== "rejected",
    onSetRole: async (next) => {
      const { isOk } = await setRole.run({ userId, role: next });
      if (isOk) showDone("The role was changed.");
      return isOk;
    },
    onSetDisabled: async (isDisabled, reason) => {
      const { isOk } = await setDisabled.run({ userId, isDisabled, reason });
      if (isOk) showDone(isDisabled ? "Sign-in was disabled." : "Sign-in was enabled.");
      return isOk;
    },
    isBusy: setRole.isBusy || setDisabled.isBusy,
    clearFailure: () => {
      setRole.clear();
      setDisabled.clear();
    },
    failure: (setRole.refusal ?? setDisabled.refusal)?.message ?? null,
    done,
  };
}
