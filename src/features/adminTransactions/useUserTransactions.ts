import { useMutation } from "convex/react";
import { api } from "#api";
import { TEXTS } from "#shared/texts";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { orAsk } from "../../lib/secondAdmin";
import type { TransactionTableProps } from "./TransactionTable";

const PAGE_ROWS = 20;

/** The rows of one user, live, with deletion. */
export function useUserTransactions(userId: string): TransactionTableProps {
  const page = useLeavingRows(api.admin.transactions.listForUser, { userId }, PAGE_ROWS);
  const ask = useMutation(api.admin.approvals.request);
  const change = orAsk(useMutation(api.admin.transactions.remove), (args) =>
    ask({ change: { kind: "transactions.remove", args } }),
  );
  const remove = useCommand(change, { fallback: "DELETE_TRANSACTION_FAILED" });
  const { acts, tell } = useActs(remove);
  return {
    rows: page.status === "LoadingFirstPage" ? undefined : page.results,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onDelete: async (transactionId) => {
      tell(await remove.run({ transactionId }), ({ isAsked }) =>
        isAsked ? TEXTS.approvalRequested : TEXTS.transactionDeleted,
      );
    },
    isDeleting: acts.isBusy,
    failure: acts.failure,
    done: acts.done,
  };
}
