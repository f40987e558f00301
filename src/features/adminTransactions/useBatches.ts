import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS, textFor } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { BatchListProps } from "./BatchList";

/** The newest batches of one user, live. */
export function useBatches(userId: string): BatchListProps {
  const batches = useQuery(api.admin.transactions.batches, { userId });
  const ask = useMutation(api.admin.approvals.request);
  const removeBatch = orAsk(useMutation(api.admin.transactions.removeBatch), (args) =>
    ask({ change: { kind: "transactions.removeBatch", args } }),
  );
  const { run, isBusy, refusal } = useCommand(removeBatch, {
    fallback: "DELETE_TRANSACTIONS_FAILED",
  });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    batches,
    onTakeBack: async (batchId) => {
      const outcome = await run({ batchId });
      if (!outcome.isOk) return;
      const { value } = outcome;
      showDone(
        value.isAsked
          ? TEXTS.approvalRequested
          : textFor("transactionsDeleted", { count: value.value.count }),
      );
    },
    isBusy,
    failure: refusal?.message ?? null,
    done,
  };
}
