import { useRef } from "react";
import { useAction } from "convex/react";
import { api } from "#api";
import { useCommand } from "../../hooks/useCommand";
import type { PasswordChange } from "../../hooks/usePasswordForm";
import { isOutcomeOpen } from "../../lib/errorText";
import { randomKey } from "../../lib/randomKey";

const FALLBACK = "SAVE_FAILED";

/**
 * Changes the password, once for the same two until there is an answer: after a lost one the current password may no
 * longer be right. Their key is in memory only (`useRequestKey` would keep them for a reload).
 */
export function usePasswordChange() {
  const { run, isBusy, refusal, clear } = useCommand(useAction(api.profile.changePassword), {
    fallback: FALLBACK,
  });
  const unanswered = useRef<PasswordChange & { requestKey: string }>(null);
  const change = async ({ currentPassword, newPassword }: PasswordChange): Promise<boolean> => {
    const before = unanswered.current;
    const isSame =
      before?.currentPassword === currentPassword && before.newPassword === newPassword;
    const requestKey = isSame ? before.requestKey : randomKey();
    unanswered.current = { currentPassword, newPassword, requestKey };
    const outcome = await run(unanswered.current);
    if (outcome.isOk || !isOutcomeOpen(outcome.refusal, FALLBACK)) unanswered.current = null;
    return outcome.isOk;
  };
  return { change, isBusy, refusal, clear };
}
