import { useMutation, useQuery } from "convex/react";
import { api } from "#api";
import { TEXTS, textFor } from "#shared/texts";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { orAsk } from "../../lib/secondAdmin";
import type { BatchListProps } from "./BatchList";

/** The newest batches of one user, live. */
export function useBatches(userId: string): BatchListProps {
  const batches = useQuery(api.admin.transactions.batches, { userId });
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.transactions.removeBatch), (args) =>
    ask({ change: { kind: "transactions.removeBatch", args } }),
  );
  const removeBatch = useCommand(change, { fallback: "DELETE_TRANSACTIONS_FAILED" });
  const { acts, tell } = useActs(removeBatch);
  return {
    ...acts,
    batches,
    onTakeBack: async (batchId) => {
      tell(await removeBatch.run({ batchId }), (answer) =>
        answer.isAsked
          ? TEXTS.approvalRequested
          : textFor("transactionsDeleted", { count: answer.value.count }),
      );
    },
  };
}
