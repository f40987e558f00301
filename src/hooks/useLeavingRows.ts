import {
  usePaginatedQuery,
  type PaginatedQueryArgs,
  type PaginatedQueryReference,
  type UsePaginatedQueryReturnType,
} from "convex/react";
import { useEffect } from "react";

/**
 * `usePaginatedQuery` for a list that rows leave. Pages keep their bounds: once all loaded rows have left, the next ones
 * are fetched, and until they are there the list is loading, not empty.
 */
export function useLeavingRows<Query extends PaginatedQueryReference>(
  query: Query,
  args: PaginatedQueryArgs<Query>,
  pageRows: number,
): UsePaginatedQueryReturnType<Query> {
  const page = usePaginatedQuery(query, args, { initialNumItems: pageRows });
  const { results, status, loadMore } = page;
  const isEmptied = results.length === 0 && status === "CanLoadMore";
  useEffect(() => {
    if (isEmptied) loadMore(pageRows);
  }, [isEmptied, loadMore, pageRows]);
  if (results.length > 0 || status === "Exhausted") return page;
  return { results, status: "LoadingFirstPage", isLoading: true, loadMore };
}
