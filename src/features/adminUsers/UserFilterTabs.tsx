import type { ReactNode } from "react";
import { Tabs } from "../../components/ui/Tabs";
import { USER_FILTERS, USER_FILTER_LABELS, type UserFilter } from "./userFilters";

export type UserCounts = Readonly<Record<UserFilter, number>>;

/** The four filters with their live counts; the list and the detail are their one panel. */
export function UserFilterTabs({
  counts,
  value,
  onValueChange,
  children,
}: {
  counts: UserCounts | undefined;
  value: UserFilter;
  onValueChange: (filter: UserFilter) => void;
  children: ReactNode;
}) {
  return (
    <Tabs
      label="Filter users"
      listClassName="max-md:-mx-4 max-md:px-4"
      value={value}
      onValueChange={onValueChange}
      items={USER_FILTERS.map((filter) => ({
        value: filter,
        label: USER_FILTER_LABELS[filter],
        count: counts?.[filter] ?? null,
        isCountHighlighted: filter === "pending" && (counts?.pending ?? 0) > 0,
      }))}
    >
      <div className="pt-5">{children}</div>
    </Tabs>
  );
}
