import { usePaginatedQuery } from "convex/react";
import { api } from "#api";
import type { OutboxListProps } from "./OutboxList";

const PAGE_ROWS = 25;

/** The outbox, live. */
export function useOutbox(): OutboxListProps {
  const page = usePaginatedQuery(api.admin.outbox.page, {}, { initialNumItems: PAGE_ROWS });
  return {
    mails: page.status === "LoadingFirstPage" ? undefined : page.results,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
  };
}
