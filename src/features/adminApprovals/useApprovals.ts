import { useMutation } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { useActs } from "../../hooks/useActs";
import { useCommand } from "../../hooks/useCommand";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import type { ApprovalListProps } from "./ApprovalList";

const PAGE_ROWS = 25;

/** Waiting changes, live; with `userId`, only those that concern that person. */
export function useApprovals(userId?: string) {
  const page = useLeavingRows(
    api.admin.approvals.list,
    userId === undefined ? {} : { personId: userId as Id<"users"> },
    PAGE_ROWS,
  );
  const approve = useCommand(useMutation(api.admin.approvals.approve), { fallback: "SAVE_FAILED" });
  const reject = useCommand(useMutation(api.admin.approvals.reject), { fallback: "SAVE_FAILED" });
  const { acts, tell } = useActs(approve, reject);
  const list: ApprovalListProps = {
    approvals: page.results,
    ...acts,
    onApprove: async (approvalId) =>
      tell(await approve.run({ approvalId }), "The change was approved."),
    onReject: async (approvalId, reason) => {
      const outcome = await reject.run({ approvalId, reason });
      const isOwn = page.results.some(({ _id, isOwn }) => _id === approvalId && isOwn);
      return tell(outcome, isOwn ? "The change was withdrawn." : "The change was refused.");
    },
  };
  return { list, status: page.status, onLoadMore: () => page.loadMore(PAGE_ROWS) };
}
