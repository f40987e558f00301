import { useMutation } from "convex/react";
import { api } from "#api";
import { useActs } from "../../hooks/useActs";
import { useAddressParams } from "../../hooks/useAddressParams";
import { useCommand } from "../../hooks/useCommand";
import { useLatest } from "../../hooks/useLatest";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { OUTBOX_FILTERS, type OutboxListProps } from "./OutboxList";

const PAGE_ROWS = 25;

/** The outbox, live; the filter is kept in the address. */
export function useOutbox(): OutboxListProps {
  const [params, setParams] = useAddressParams();
  const filter = OUTBOX_FILTERS.find((one) => one === params.get("status")) ?? "all";
  const page = useLeavingRows(
    api.admin.outbox.page,
    filter === "all" ? {} : { status: filter },
    PAGE_ROWS,
  );
  const { value: mails, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );
  const sendAgain = useCommand(useMutation(api.admin.outbox.sendAgain), {
    fallback: "SAVE_FAILED",
  });
  const { acts, tell } = useActs(sendAgain);
  return {
    ...acts,
    mails,
    isStale,
    filter,
    onFilterChange: (next) =>
      setParams(() => new URLSearchParams(next === "all" ? {} : { status: next })),
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onSendAgain: async (mailId) =>
      tell(await sendAgain.run({ mailId }), "The email will be sent again."),
  };
}
