import { useMutation } from "convex/react";
import { api } from "#api";
import { DEPOSIT_STATUSES, type DepositStatus } from "#shared/validators";
import { actState } from "../../hooks/useActs";
import { useAddressParams, withParams } from "../../hooks/useAddressParams";
import { useCommand } from "../../hooks/useCommand";
import { useLatest } from "../../hooks/useLatest";
import { useLeavingRows } from "../../hooks/useLeavingRows";

const PAGE_ROWS = 25;

const FIRST_STATUS: DepositStatus = "Pending Review";

/** The tab and the selected deposit, both kept in the address. */
export function useDeskAddress() {
  const [params, setParams] = useAddressParams();
  const filter = DEPOSIT_STATUSES.find((status) => status === params.get("status")) ?? FIRST_STATUS;
  return {
    filter,
    selectedId: params.get("deposit"),
    showTab: (status: DepositStatus) =>
      setParams(() => new URLSearchParams(status === FIRST_STATUS ? {} : { status })),
    select: (depositId: string) => setParams((now) => withParams(now, { deposit: depositId })),
    /** Leaves this deposit, unless another one is shown by now. There is nothing to come back to. */
    leave: (depositId: string) =>
      setParams(
        (now) => (now.get("deposit") === depositId ? withParams(now, { deposit: null }) : now),
        { replace: true },
      ),
  };
}

/** The live queue of one status. */
export function useDepositQueue(filter: DepositStatus) {
  const page = useLeavingRows(api.admin.deposits.queue, { status: filter }, PAGE_ROWS);
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
    ...actState(approve, reject),
    onApprove: async () => (await approve.run({ depositId })).isOk,
    onReject: async (reason: string) => (await reject.run({ depositId, reason })).isOk,
  };
}
