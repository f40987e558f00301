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
    answer: (answer: string) => {
      if (requestId !== undefined) void answerCommand.run({ requestId, answer });
    },
    isAnswering: answerCommand.isBusy,
    problem: answerCommand.refusal?.message ?? null,
  };
}
