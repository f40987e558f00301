import { useMutation, usePaginatedQuery } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { useCommand } from "../../hooks/useCommand";
import type { ApprovalListProps } from "./ApprovalList";

const PAGE_ROWS = 25;

/** Waiting changes, live; with `userId`, only those that concern that person. */
export function useApprovals(userId?: string) {
  const page = usePaginatedQuery(
    api.admin.approvals.list,
    userId === undefined ? {} : { personId: userId as Id<"users"> },
    { initialNumItems: PAGE_ROWS },
  );
  const approve = useCommand(useMutation(api.admin.approvals.approve), { fallback: "SAVE_FAILED" });
  const reject = useCommand(useMutation(api.admin.approvals.reject), { fallback: "SAVE_FAILED" });
  const list: ApprovalListProps = {
    approvals: page.results,
    onApprove: async (approvalId) => (await approve.run({ approvalId })).isOk,
    onReject: async (approvalId, reason) => (await reject.run({ approvalId, reason })).isOk,
    isBusy: approve.isBusy || reject.isBusy,
    failure: (approve.refusal ?? reject.refusal)?.message ?? null,
    clearFailure: () => {
      approve.clear();
      reject.clear();
    },
  };
  return { list, status: page.status, onLoadMore: () => page.loadMore(PAGE_ROWS) };
}
