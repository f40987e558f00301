import { useState } from "react";
import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { plural } from "#shared/counts";
import { MESSAGES } from "#shared/errors";
import { TEXTS, textFor } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { orAsk } from "../../lib/secondAdmin";
import type { DeleteUserTransactionsPanelProps } from "./DeleteUserTransactionsPanel";

/** Finds the user, starts the deletion and follows it to its end, across reconnects. */
export function useDeleteUserTransactions(): DeleteUserTransactionsPanelProps {
  const ask = useMutation(api.admin.approvals.request);
  const removeAll = orAsk(useMutation(api.admin.transactions.removeAllForUser), (args) =>
    ask({ change: { kind: "transactions.removeAll", args } }),
  );
  const { run, isBusy, refusal } = useCommand(removeAll, {
    fallback: "DELETE_TRANSACTIONS_FAILED",
  });
  const [isAsked, setIsAsked] = useState(false);
  const [jobId, setJobId] = useState<string | null>(null);
  const job = useQuery(api.admin.transactions.removalJob, jobId === null ? "skip" : { jobId });
  const isRunning = jobId !== null && job?.isDone !== true;

  const onDelete = (email: string) => {
    setJobId(null);
    setIsAsked(false);
    void run({ email }).then((outcome) => {
      if (!outcome.isOk) return;
      if (outcome.value.isAsked) setIsAsked(true);
      else setJobId(outcome.value.value.jobId);
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
          : isAsked
            ? TEXTS.approvalRequested
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
