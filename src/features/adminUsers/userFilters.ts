/** Filter, search and selection of the user list, all three kept in the URL. */
import { FILTER_STATUSES } from "#shared/validators";
import { withParams } from "../../hooks/useAddressParams";

export const USER_FILTERS = ["all", ...FILTER_STATUSES] as const;
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

/** The parameters with a change applied. */
export function writeUserListUrl(
  params: URLSearchParams,
  change: Partial<UserListUrl>,
): URLSearchParams {
  const { filter, search, userId } = { ...readUserListUrl(params), ...change };
  return withParams(params, { status: filter === "all" ? null : filter, q: search, user: userId });
}
