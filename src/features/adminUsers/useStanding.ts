import { useState } from "react";
import { useAction, useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS, OTP_LOCK_MS, PASSWORD_LOCK_MAX_MS } from "#shared/limits";
import { isApproved } from "#shared/roles";
import { TEXTS } from "#shared/texts";
import { isWaiting } from "#shared/waits";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { IssuedPassword, Lock, StandingCardProps } from "./StandingCard";
import type { UserDetailData } from "./userDetailData";

/** The longer of a person's waits, while one lasts. */
function useLock(userId: UserDetailData["_id"]): Lock | null {
  const locks = useQuery(api.admin.locks.get, { userId });
  const nowMs = useNow();
  // The server's answer does not change as time passes.
  const waits = [
    { untilMs: locks?.passwordsUntil, longestMs: PASSWORD_LOCK_MAX_MS, by: "wrong passwords" },
    { untilMs: locks?.codesUntil, longestMs: OTP_LOCK_MS, by: "wrong one-time codes" },
  ];
  return waits.reduce<Lock | null>((longest, { untilMs = 0, longestMs, by }) => {
    if (!isWaiting(untilMs, longestMs, nowMs)) return longest;
    return longest !== null && longest.untilMs >= untilMs ? longest : { untilMs, by };
  }, null);
}

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
  const unlock = useCommand(useMutation(api.admin.locks.lift), { fallback: "SAVE_FAILED" });
  const lock = useLock(userId);
  const reset = useCommand(useAction(api.admin.users.resetPassword), { fallback: "SAVE_FAILED" });
  const resetCount = useCommand(useMutation(api.admin.transferCounts.resetOne), {
    fallback: "SAVE_FAILED",
  });
  const [issued, setIssued] = useState<IssuedPassword | null>(null);
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const commands = [setRole, setDisabled, unlock, reset, resetCount];
  const clearFailure = () => commands.forEach((command) => command.clear());
  return {
    userId,
    role,
    disabledAt,
    // Enabling forgets the tries too.
    lock: disabledAt === undefined ? lock : null,
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
    onUnlock: async (reason) => {
      const { isOk } = await unlock.run({ userId, reason });
      if (isOk) showDone("Sign-in was unlocked.");
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
