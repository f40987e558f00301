/** Filter, search and selection of the user list, all three kept in the URL. */
export const USER_FILTERS = ["all", "pending", "approved", "rejected"] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

/** Spec section 2 "Admin dashboard": the filter tabs. */
export const USER_FILTER_LABELS: Readonly<Record<UserFilter, string>> = {
  all: "All Users",
  pending: "Pending Review",
  approved: "Approved",
  rejected: "Rejected",
};

export interface UserListUrl {
  readonly filter: UserFilter;
  readonly search: string;
  /** Id of the selected user as text; the server decides whether it is one. */
  readonly userId: string | null;
}

/** Reads `?status=&q=&user=`; unknown values fall back to everyone. */
export function readUserListUrl(params: URLSearchParams): UserListUrl {
  const status = params.get("status");
  return {
    filter: USER_FILTERS.find((filter) => filter === status) ?? "all",
    search: params.get("q") ?? "",
    userId: params.get("user"),
  };
}

/** The parameters with a change applied; defaults are left out so that addresses stay short. */
export function writeUserListUrl(
  params: URLSearchParams,
  change: Partial<UserListUrl>,
): URLSearchParams {
  const next = { ...readUserListUrl(params), ...change };
  const written = new URLSearchParams(params);
  setOrDelete(written, "status", next.filter === "all" ? null : next.filter);
  setOrDelete(written, "q", next.search === "" ? null : next.search);
  setOrDelete(written, "user", next.userId);
  return written;
}

function setOrDelete(params: URLSearchParams, name: string, value: string | null): void {
  if (value === null) params.delete(name);
  else params.set(name, value);
}
