import { useState } from "react";
import { useAction, useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { OTP_LOCK_MS, PASSWORD_LOCK_MAX_MS } from "#shared/limits";
import { isApproved } from "#shared/roles";
import { TEXTS } from "#shared/texts";
import { isWaiting } from "#shared/waits";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useNow } from "../../hooks/useNow";
import { useKeyedCommand } from "../../hooks/useKeyedCommand";
import { useSecretRequestKey } from "../../hooks/useRequestKey";
import { wordedIfLost } from "../../lib/errorText";
import { orAsk } from "../../lib/secondAdmin";
import type { IssuedPassword, StandingCardProps } from "./StandingCard";
import type { Lock } from "./StandingDialog";
import type { UserDetailData } from "./userDetailData";

const FALLBACK = "SAVE_FAILED";
const RESET_NOT_ANSWERED =
  "There was no answer, so a one-time password may have been issued. Try again to see it: there will be only one.";

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

/** Issues a one-time password, one for the same person and reason until there is an answer. */
function usePasswordReset() {
  const keys = useSecretRequestKey<{ userId: UserDetailData["_id"]; reason: string }>();
  const send = useAction(api.admin.users.resetPassword);
  const { refusal, ...reset } = useKeyedCommand(send, keys, FALLBACK);
  return { ...reset, refusal: wordedIfLost(refusal, RESET_NOT_ANSWERED) };
}

/** Role, password, sign-in and transfer count of one person. */
export function useStanding(user: UserDetailData): StandingCardProps {
  const { _id: userId, role, status, disabledAt, transferCount, isProtected } = user;
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.users.setRole), (args) =>
    ask({ change: { kind: "user.setRole", args } }),
  );
  const setRole = useCommand(change, { fallback: FALLBACK });
  const setDisabled = useCommand(useMutation(api.admin.users.setDisabled), { fallback: FALLBACK });
  const unlock = useCommand(useMutation(api.admin.locks.lift), { fallback: FALLBACK });
  const lock = useLock(userId);
  const reset = usePasswordReset();
  const resetCount = useCommand(useMutation(api.admin.transferCounts.resetOne), {
    fallback: FALLBACK,
  });
  const [issued, setIssued] = useState<IssuedPassword | null>(null);
  const { acts, tell } = useActs(setRole, setDisabled, unlock, reset, resetCount);
  return {
    ...acts,
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
      return tell(outcome, ({ isAsked }) =>
        isAsked ? TEXTS.approvalRequested : "The role was changed.",
      );
    },
    onSetDisabled: async (isDisabled, reason) => {
      const outcome = await setDisabled.run({ userId, isDisabled, reason });
      return tell(outcome, isDisabled ? "Sign-in was disabled." : "Sign-in was enabled.");
    },
    onUnlock: async (reason) => tell(await unlock.run({ userId, reason }), "Sign-in was unlocked."),
    onResetPassword: async (reason) => {
      const outcome = await reset.run({ userId, reason });
      if (outcome.isOk) setIssued(outcome.value);
      return outcome.isOk;
    },
    onResetCount: () => {
      acts.clearFailure();
      void resetCount.run({ userId }).then((outcome) => tell(outcome, ({ message }) => message));
    },
    issued,
    onPasswordTold: () => setIssued(null),
  };
}
