import { useMutation, usePaginatedQuery } from "convex/react";
import { api } from "#api";
import type { DepositStatus } from "#shared/validators";
import { useCommand } from "../../hooks/useCommand";
import { useLatest } from "../../hooks/useLatest";

const PAGE_ROWS = 25;

/** The live queue of one status. */
export function useDepositQueue(filter: DepositStatus) {
  const page = usePaginatedQuery(
    api.admin.deposits.queue,
    { status: filter },
    { initialNumItems: PAGE_ROWS },
  );
  const { value, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );
  return {
    deposits: value,
    isStale,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
  };
}

/** Approve and reject. */
export function useDepositDecision(depositId: string) {
  const approve = useCommand(useMutation(api.admin.deposits.approve), {
    fallback: "SAVE_FAILED",
  });
  const reject = useCommand(useMutation(api.admin.deposits.reject), {
    fallback: "SAVE_FAILED",
  });
  return {
    onApprove: async () => (await approve.run({ depositId })).isOk,
    onReject: async (reason: string) => (await reject.run({ depositId, reason })).isOk,
    isBusy: approve.isBusy || reject.isBusy,
    clearFailure: () => {
      approve.clear();
      reject.clear();
    },
    failure: (approve.refusal ?? reject.refusal)?.message ?? null,
  };
}
