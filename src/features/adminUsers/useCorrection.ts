import { useMutation } from "convex/react";
import { api } from "#api";
import { applicationIn } from "#shared/rules/correction";
import { useActs, type Acts } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import type { Correction, CorrectionDialogProps } from "./CorrectionDialog";
import type { UserDetailData } from "./userDetailData";

/** What one person's application says; `current` is null for people who never applied, `done` tells of the outcome. */
export function useCorrection(
  user: UserDetailData,
): Omit<CorrectionDialogProps, "isOpen" | "onClose" | "current"> &
  Acts & { current: CorrectionDialogProps["current"] | null } {
  const { _id: userId } = user;
  const correct = useCommand(useMutation(api.admin.registrations.correct), {
    fallback: "SAVE_FAILED",
  });
  const { acts, tell } = useActs(correct);
  return {
    ...acts,
    userId,
    current: applicationIn(user),
    onSave: async (correction: Correction) =>
      tell(await correct.run({ userId, ...correction }), "The application was corrected."),
  };
}
