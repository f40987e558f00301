import { useState } from "react";
import { useMutation, usePaginatedQuery, useQuery } from "convex/react";
import { api } from "#api";
import { messageFor } from "#shared/errors";
import { textFor } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { UNKNOWN_CAUSE, type Refusal } from "../../lib/errorText";
import type { ResetTransferCountsProps } from "./ResetTransferCounts";

const PAGE_ROWS = 50;

interface ResetAllCounts {
  readonly updated: number;
  readonly skipped: number;
  readonly errored: number;
  readonly isDone: boolean;
}

/** Everyone's counts, live, with both resets; a large reset-all is followed to its end. */
export function useResetTransferCounts(): ResetTransferCountsProps {
  const page = usePaginatedQuery(api.admin.transferCounts.list, {}, { initialNumItems: PAGE_ROWS });
  const all = useCommand(useMutation(api.admin.transferCounts.resetAll), {
    fallback: "RESET_FAILED",
  });
  const one = useCommand(useMutation(api.admin.transferCounts.resetOne), {
    fallback: "RESET_FAILED",
  });
  const [reset, setReset] = useState<{ userId: string; message: string } | null>(null);
  const [jobId, setJobId] = useState<string | null>(null);
  const job = useQuery(
    api.admin.transferCounts.resetAllStatus,
    jobId === null ? "skip" : { jobId },
  );
  const isRunning = jobId !== null && job?.isDone !== true;

  const start = () => {
    all.clear();
    one.clear();
    setReset(null);
    setJobId(null);
  };
  return {
    rows: page.status === "LoadingFirstPage" ? undefined : page.results,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onResetAll: () => {
      start();
      void all.run({}).then((outcome) => outcome.isOk && setJobId(outcome.value.jobId));
    },
    onResetOne: (userId) => {
      start();
      void one.run({ userId }).then((outcome) => {
        if (outcome.isOk) setReset({ userId, message: outcome.value.message });
      });
    },
    busyUserIds: one.pending.map(([{ userId }]) => userId),
    isResettingAll: all.isBusy || isRunning,
    outcomeOf: (userId) =>
      userId === null
        ? {
            success: job?.isDone === true ? doneText(job) : null,
            failure: failureText(all.refusal),
          }
        : {
            success: reset?.userId === userId ? reset.message : null,
            failure: one.refusedArgs?.[0].userId === userId ? failureText(one.refusal) : null,
          },
  };
}

function doneText(job: ResetAllCounts): string {
  const text = textFor("resetAllDone", { count: job.updated, skipped: job.skipped });
  return job.errored === 0 ? text : `${text} ${job.errored} users failed.`;
}

/** Spec section 8: "Error: " and the message. */
function failureText(refusal: Refusal | null): string | null {
  if (refusal === null) return null;
  const cause = refusal.code === "RESET_FAILED" ? UNKNOWN_CAUSE : refusal.message;
  return messageFor("RESET_FAILED", { cause });
}
