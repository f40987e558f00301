import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { useCommand } from "../../hooks/useCommand";

/** The signed-in applicant's own application, live; skipped for visitors. */
export function useRegistrationStatus(isApplicant: boolean) {
  const registration = useQuery(api.registrations.mine, isApplicant ? {} : "skip");
  const answerCommand = useCommand(useMutation(api.registrations.answerInformation), {
    fallback: "SAVE_FAILED",
  });
  const requestId = registration?.infoRequest?.requestId;
  return {
    registration,
    answer: async (answer: string): Promise<boolean> =>
      requestId !== undefined && (await answerCommand.run({ requestId, answer })).isOk,
    isAnswering: answerCommand.isBusy,
    problem: answerCommand.refusal?.message ?? null,
    clearProblem: answerCommand.clear,
  };
}
