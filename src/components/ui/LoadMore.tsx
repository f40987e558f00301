import { useEffect, useRef } from "react";
import { Button } from "./Button";

/**
 * "Load more" under a list of pages. `status` is that of usePaginatedQuery. Focus goes to the first
 * new row when it arrives: rows must be `li` or `tr` inside the element with id `listId`.
 */
export function LoadMore({
  status,
  onLoadMore,
  listId,
}: {
  status: "LoadingFirstPage" | "CanLoadMore" | "LoadingMore" | "Exhausted";
  onLoadMore: () => void;
  listId?: string;
}) {
  const shownBefore = useRef<number | null>(null);
  useEffect(() => {
    if (shownBefore.current === null || status === "LoadingMore" || listId === undefined) return;
    const rows = document.getElementById(listId)?.querySelectorAll<HTMLElement>("li, tbody tr");
    const first = rows?.[shownBefore.current];
    shownBefore.current = null;
    if (!first) return;
    first.tabIndex = -1;
    first.focus();
  }, [status, listId]);
  if (status === "Exhausted" || status === "LoadingFirstPage") return null;
  return (
    <div className="flex justify-center p-4 print:hidden">
      <Button
        variant="secondary"
        isBusy={status === "LoadingMore"}
        busyLabel="Loading..."
        onClick={() => {
          const list = listId === undefined ? null : document.getElementById(listId);
          shownBefore.current = list?.querySelectorAll("li, tbody tr").length ?? null;
          onLoadMore();
        }}
      >
        Load more
      </Button>
    </div>
  );
}
