import { useQuery } from "convex/react";
import { api } from "#api";
import { useAddressParams } from "../../hooks/useAddressParams";
import { useLatest } from "../../hooks/useLatest";
import { useLeavingRows } from "../../hooks/useLeavingRows";
import { useSettledText } from "../../hooks/useSettledText";
import type { UserCounts } from "./UserFilterTabs";
import {
  readUserListUrl,
  writeUserListUrl,
  type UserFilter,
  type UserListUrl,
} from "./userFilters";
import type { UserListProps } from "./UserList";

const PAGE_ROWS = 50;

export interface UserListPage {
  readonly list: UserListProps;
  readonly counts: UserCounts | undefined;
  readonly filter: UserFilter;
  readonly onFilterChange: (filter: UserFilter) => void;
  readonly selectedId: string | null;
  readonly onSelect: (userId: string | null) => void;
}

/** The live list, its filter, search and selection, all kept in the address. */
export function useUserList(): UserListPage {
  const [params, setParams] = useAddressParams();
  const url = readUserListUrl(params);
  const [typed, setTyped] = useSettledText(url.search, (search) =>
    setParams((now) => writeUserListUrl(now, { search }), { replace: true }),
  );
  const counts = useQuery(api.admin.users.counts, {});
  const page = useLeavingRows(
    api.admin.users.list,
    {
      ...(url.filter === "all" ? {} : { status: url.filter }),
      ...(url.search === "" ? {} : { search: url.search }),
    },
    PAGE_ROWS,
  );
  const { value: users, isStale } = useLatest(
    page.status === "LoadingFirstPage" ? undefined : page.results,
  );
  const change = (next: Partial<UserListUrl>) => setParams((now) => writeUserListUrl(now, next));
  const select = (userId: string | null) => change({ userId });

  return {
    counts,
    filter: url.filter,
    onFilterChange: (filter) => change({ filter }),
    selectedId: url.userId,
    onSelect: select,
    list: {
      users,
      totalCount: url.search === "" ? counts?.[url.filter] : undefined,
      isStale,
      status: page.status,
      onLoadMore: () => page.loadMore(PAGE_ROWS),
      search: typed,
      onSearchChange: setTyped,
      selectedId: url.userId,
      onSelect: select,
    },
  };
}
