import { useMutation } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { useCommand } from "../../hooks/useCommand";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { useTimedText } from "../../hooks/useTimedText";
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
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const list: ApprovalListProps = {
    approvals: page.results,
    onApprove: async (approvalId) => {
      const { isOk } = await approve.run({ approvalId });
      if (isOk) showDone("The change was approved.");
      return isOk;
    },
    onReject: async (approvalId, reason) => {
      const { isOk } = await reject.run({ approvalId, reason });
      const isOwn = page.results.some(({ _id, isOwn }) => _id === approvalId && isOwn);
      if (isOk) showDone(isOwn ? "The change was withdrawn." : "The change was refused.");
      return isOk;
    },
    isBusy: approve.isBusy || reject.isBusy,
    failure: (approve.refusal ?? reject.refusal)?.message ?? null,
    clearFailure: () => {
      approve.clear();
      reject.clear();
    },
    done,
  };
  return { list, status: page.status, onLoadMore: () => page.loadMore(PAGE_ROWS) };
}
