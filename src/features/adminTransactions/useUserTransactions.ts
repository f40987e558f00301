import { useMutation } from "convex/react";
import { api } from "#api";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { TEXTS } from "#shared/texts";
import { useCommand } from "../../hooks/useCommand";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { useTimedText } from "../../hooks/useTimedText";
import { orAsk } from "../../lib/secondAdmin";
import type { TransactionTableProps } from "./TransactionTable";

const PAGE_ROWS = 20;

/** The rows of one user, live, with deletion. */
export function useUserTransactions(userId: string): TransactionTableProps {
  const page = useLeavingRows(api.admin.transactions.listForUser, { userId }, PAGE_ROWS);
  const ask = useMutation(api.admin.approvals.request);
  const remove = orAsk(useMutation(api.admin.transactions.remove), (args) =>
    ask({ change: { kind: "transactions.remove", args } }),
  );
  const { run, isBusy, refusal } = useCommand(remove, {
    fallback: "DELETE_TRANSACTION_FAILED",
  });
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  return {
    rows: page.status === "LoadingFirstPage" ? undefined : page.results,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onDelete: async (transactionId) => {
      const outcome = await run({ transactionId });
      if (!outcome.isOk) return;
      showDone(outcome.value.isAsked ? TEXTS.approvalRequested : TEXTS.transactionDeleted);
    },
    isDeleting: isBusy,
    failure: refusal?.message ?? null,
    done,
  };
}
