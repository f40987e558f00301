import { useEffect, useRef } from "react";
import { Button } from "./Button";

function rowsOf(listId: string): HTMLElement[] {
  const list = document.getElementById(listId);
  return [...(list?.querySelectorAll<HTMLElement>("li, tbody tr") ?? [])];
}

/** The `status` of usePaginatedQuery. */
export type PageStatus = "LoadingFirstPage" | "CanLoadMore" | "LoadingMore" | "Exhausted";

/**
 * "Load more" under a paginated list. Focus goes to the first new row when it arrives, unless it has moved on meanwhile:
 * rows must be `li` or `tr` inside the element with id `listId`.
 */
export function LoadMore({
  status,
  onLoadMore,
  listId,
  label = "Load more",
}: {
  status: PageStatus;
  onLoadMore: () => void;
  listId: string;
  label?: string;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const rowsBefore = useRef<ReadonlySet<HTMLElement> | null>(null);
  useEffect(() => {
    const before = rowsBefore.current;
    if (before === null || status === "LoadingMore") return;
    // DataTable renders every row twice and shows one of the two.
    const rows = rowsOf(listId).filter((row) => row.checkVisibility());
    const first = rows[rows.findLastIndex((row) => before.has(row)) + 1];
    rowsBefore.current = null;
    // After the last page the button is gone, and its focus with it.
    const holder = document.activeElement;
    const isWaiting = holder === button.current || holder === document.body;
    if (!first || !isWaiting) return;
    first.tabIndex = -1;
    first.focus();
  }, [status, listId, label]);
  if (status === "Exhausted" || status === "LoadingFirstPage") return null;
  return (
    <div className="flex justify-center p-4 print:hidden">
      <Button
        ref={button}
        variant="secondary"
        isBusy={status === "LoadingMore"}
        busyLabel="Loading..."
        onClick={() => {
          rowsBefore.current = new Set(rowsOf(listId));
          onLoadMore();
        }}
      >
        {label}
      </Button>
    </div>
  );
}
