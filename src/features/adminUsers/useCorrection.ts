import { useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { applicationIn } from "#shared/rules/correction";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import type { Correction, CorrectionDialogProps } from "./CorrectionDialog";
import type { UserDetailData } from "./userDetailData";

/** What one person's application says; `current` is null for people who never applied, `done` tells of the outcome. */
export function useCorrection(user: UserDetailData): Omit<
  CorrectionDialogProps,
  "isOpen" | "onClose" | "current"
> & {
  current: CorrectionDialogProps["current"] | null;
  done: string | null;
} {
  const { _id: userId } = user;
  const correct = useMutation(api.admin.registrations.correct);
  const { run, isBusy, refusal, clear } = useCommand(correct, { fallback: "SAVE_FAILED" });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    userId,
    current: applicationIn(user),
    onSave: async (correction: Correction) => {
      const { isOk } = await run({ userId, ...correction });
      if (isOk) showDone("The application was corrected.");
      return isOk;
    },
    isBusy,
    failure: refusal?.message ?? null,
    clearFailure: clear,
    done,
  };
}
