import { useMutation, usePaginatedQuery } from "convex/react";
import { api } from "#api";
import type { Id } from "#data";
import { useCommand } from "../../hooks/useCommand";
import type { ContactMessagesProps } from "./ContactMessages";

const PAGE_ROWS = 25;

/** Contact messages, live. */
export function useContactMessages(): ContactMessagesProps {
  const page = usePaginatedQuery(api.admin.inbox.page, {}, { initialNumItems: PAGE_ROWS });
  const { run, pending, refusal, refusedArgs } = useCommand(
    useMutation(api.admin.inbox.setHandled),
    { fallback: "SAVE_FAILED" },
  );
  return {
    messages: page.status === "LoadingFirstPage" ? undefined : page.results,
    status: page.status,
    onLoadMore: () => page.loadMore(PAGE_ROWS),
    onSetHandled: (messageId, isHandled) =>
      void run({ messageId: messageId as Id<"contactMessages">, isHandled }),
    busyMessageIds: pending.map(([{ messageId }]) => messageId),
    failureOf: (messageId) =>
      refusedArgs?.[0].messageId === messageId ? refusal?.message : undefined,
  };
}
