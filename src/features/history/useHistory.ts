import { api } from "#api";
import { usePaginatedQuery } from "convex/react";
import { useMemo } from "react";
import { useAddressParams } from "../../hooks/useAddressParams";
import { useLatest } from "../../hooks/useLatest";
import { filtersOf, readFilters, writeFilters, type FilterName } from "./filters";

const HISTORY_PAGE_ROWS = 50;

/** The filters in the address and the rows that match them, live. */
export function useHistory() {
  const [params, setParams] = useAddressParams();
  const texts = useMemo(() => readFilters(params), [params]);
  const filters = useMemo(() => filtersOf(texts), [texts]);
  const page = usePaginatedQuery(api.transactions.history, filters, {
    initialNumItems: HISTORY_PAGE_ROWS,
  });
  const { value: rows, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );

  return {
    texts,
    filters,
    rows: rows ?? [],
    /** Nothing to show yet. */
    isFirst: rows === undefined,
    /** Rows of the previous filters are shown while new ones load. */
    isStale,
    status: page.status,
    loadMore: () => page.loadMore(HISTORY_PAGE_ROWS),
    change: (name: FilterName, text: string) =>
      setParams((now) => writeFilters({ ...readFilters(now), [name]: text }), { replace: true }),
    clear: () => setParams(() => new URLSearchParams(), { replace: true }),
  };
}
