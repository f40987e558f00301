import { useState } from "react";
import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { MESSAGES } from "#shared/errors";
import { TEXTS, textFor } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { plural } from "../../lib/format";
import type { DeleteUserTransactionsPanelProps } from "./DeleteUserTransactionsPanel";

/** Finds the user, starts the deletion and follows it to its end, across reconnects. */
export function useDeleteUserTransactions(): DeleteUserTransactionsPanelProps {
  const { run, isBusy, refusal } = useCommand(
    useMutation(api.admin.transactions.removeAllForUser),
    { fallback: "DELETE_TRANSACTIONS_FAILED" },
  );
  const [jobId, setJobId] = useState<string | null>(null);
  const job = useQuery(api.admin.transactions.removalJob, jobId === null ? "skip" : { jobId });
  const isRunning = jobId !== null && job?.isDone !== true;

  const onDelete = (email: string) => {
    setJobId(null);
    void run({ email }).then((outcome) => {
      if (outcome.isOk) setJobId(outcome.value.jobId);
    });
  };
  return {
    onDelete,
    isBusy: isBusy || isRunning,
    statusText: isBusy
      ? TEXTS.findingUser
      : isRunning
        ? TEXTS.deletingTransactions
        : job !== undefined
          ? doneText(job)
          : (refusal?.message ?? ""),
    progressText:
      isRunning && job !== undefined && job.deletedCount > 0
        ? `${plural(job.deletedCount, "transaction")} deleted so far`
        : "",
  };
}

function doneText(job: { deletedCount: number; failed?: string }): string {
  return job.failed === undefined
    ? textFor("transactionsDeleted", { count: job.deletedCount })
    : MESSAGES.DELETE_TRANSACTIONS_FAILED;
}
