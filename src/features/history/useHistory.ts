import { api } from "#api";
import { usePaginatedQuery } from "convex/react";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { filtersOf, readFilters, writeFilters, type FilterName } from "./filters";

export const HISTORY_PAGE_ROWS = 50;

/** The filters in the address and the rows that match them, live. */
export function useHistory() {
  const [params, setParams] = useSearchParams();
  const texts = useMemo(() => readFilters(params), [params]);
  const filters = useMemo(() => filtersOf(texts), [texts]);
  const page = usePaginatedQuery(api.transactions.history, filters, {
    initialNumItems: HISTORY_PAGE_ROWS,
  });
  // The last rows stay while rows for other filters load.
  const [latest, setLatest] = useState(page.results);
  const isLoading = page.status === "LoadingFirstPage";
  if (!isLoading && latest !== page.results) setLatest(page.results);
  const isFirst = isLoading && latest.length === 0;

  return {
    texts,
    filters,
    rows: isLoading ? latest : page.results,
    /** Nothing to show yet. */
    isFirst,
    /** Rows of the former filters are shown while new ones load. */
    isStale: isLoading && !isFirst,
    status: page.status,
    loadMore: () => page.loadMore(HISTORY_PAGE_ROWS),
    change: (name: FilterName, text: string) =>
      setParams((now) => writeFilters({ ...readFilters(now), [name]: text }), { replace: true }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  };
}
