import { useMutation } from "convex/react";
import { api } from "#api";
import { useAddressParams, withParams } from "../../hooks/useAddressParams";
import { useCommand } from "../../hooks/useCommand";
import { useLatest } from "../../hooks/useLatest";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { useSettledText } from "../../hooks/useSettledText";
import { MESSAGE_FILTERS, type ContactMessagesProps } from "./ContactMessages";

const PAGE_ROWS = 25;

/** Contact messages, live; filter and search are kept in the address. */
export function useContactMessages(): ContactMessagesProps {
  const [params, setParams] = useAddressParams();
  const filter = MESSAGE_FILTERS.find((one) => one === params.get("status")) ?? "all";
  const reference = params.get("q") ?? "";
  const [search, onSearchChange] = useSettledText(reference, (q) =>
    setParams((now) => withParams(now, { q }), { replace: true }),
  );
  const page = useLeavingRows(
    api.admin.inbox.page,
    reference !== "" ? { reference } : filter === "open" ? { isHandled: false } : {},
    PAGE_ROWS,
  );
  const { value: messages, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );
  const { run, pending, refusal, refusedArgs } = useCommand(
    useMutation(api.admin.inbox.setHandled),
    { fallback: "SAVE_FAILED" },
  );
  return {
    messages,
    isStale,
    filter,
    // A search finds in both.
    onFilterChange: (next) =>
      setParams(() => new URLSearchParams(next === "all" ? {} : { status: next })),
    search,
    onSearchChange,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onSetHandled: (messageId, isHandled) => void run({ messageId, isHandled }),
    busyMessageIds: pending.map(([{ messageId }]) => messageId),
    failureOf: (messageId) =>
      refusedArgs?.[0].messageId === messageId ? refusal?.message : undefined,
  };
}
