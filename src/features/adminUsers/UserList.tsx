import { formatCount, plural } from "#shared/counts";
import { useRef } from "react";
import { Search, UserRoundSearch } from "lucide-react";
import { badgeTone, Badge } from "../../components/ui/Badge";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { RowButton } from "../../components/ui/RowButton";
import { Skeleton } from "../../components/ui/Skeleton";
import { TextInput } from "../../components/ui/TextInput";
import { Button } from "../../components/ui/Button";
import { useLatest } from "../../hooks/useLatest";
import { useReturnFocus } from "../../hooks/useReturnFocus";

interface UserListRow {
  readonly _id: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly accountCount: number;
  /** They have answered what they were asked, and wait. */
  readonly hasAnswered: boolean;
}

export interface UserListProps {
  /** Undefined while the very first page loads. */
  users: readonly UserListRow[] | undefined;
  /** How many there are under the filter; undefined while a search narrows it. */
  totalCount: number | undefined;
  /** True while a new filter or search loads and the old rows still show. */
  isStale: boolean;
  status: PageStatus;
  onLoadMore: () => void;
  search: string;
  onSearchChange: (search: string) => void;
  selectedId: string | null;
  onSelect: (userId: string) => void;
}

const LIST_ID = "user-list";

/** Id of a user's row. */
export const userRowId = (userId: string): string => `${LIST_ID}-${userId}`;

/** Search box and live list; selection is by id, so new arrivals never move it. */
export function UserList(props: UserListProps) {
  const { users, isStale, status, onLoadMore, search, onSearchChange, selectedId, onSelect } =
    props;
  const bar = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useReturnFocus(list, users);
  // Old rows under a new filter's total would be announced as a count that never was.
  const isKnown = users !== undefined && !isStale;
  const showing = useLatest(isKnown ? showingText(users.length, props.totalCount) : undefined);
  return (
    <section
      aria-label="Users"
      className="overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <div ref={bar} role="search" tabIndex={-1} className="no-print border-b border-line p-4">
        <TextInput
          label="Search by name or email"
          isLabelHidden
          type="search"
          placeholder="Search by name or email"
          icon={<Search />}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => onSearchChange(event.target.value)}
        />
      </div>
      {users === undefined ? (
        <UserRowSkeletons />
      ) : (
        <div className="shade-more lg:max-h-[46rem] lg:overflow-y-auto">
          <ul
            ref={list}
            id={LIST_ID}
            tabIndex={-1}
            aria-busy={isStale || undefined}
            className="divide-y divide-line"
          >
            {users.map((user) => (
              <li key={user._id} className="outline-none">
                <UserRow
                  user={user}
                  isSelected={user._id === selectedId}
                  onSelect={() => onSelect(user._id)}
                />
              </li>
            ))}
          </ul>
          {users.length === 0 && (
            <NobodyFound
              search={search}
              onClear={() => {
                onSearchChange("");
                // The button goes with the search. Not the search field: a phone would open its keyboard.
                bar.current?.focus();
              }}
            />
          )}
          <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
        </div>
      )}
      <p role="status" className="num border-t border-line px-4 py-3 text-sm text-muted">
        {showing.value}
      </p>
    </section>
  );
}

const SKELETON_ROWS = 8;

/** As tall as the rows, so that nothing visible below them moves. */
function UserRowSkeletons() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className="px-4 py-3">
          <div className="flex h-6 items-center">
            <Skeleton className="h-3.5 w-1/2" />
          </div>
          <div className="mt-1 flex h-[1.46875rem] items-center justify-between gap-2">
            <Skeleton className="h-3 w-1/3" />
            <Skeleton className="h-full w-19 rounded-pill" />
          </div>
        </div>
      ))}
    </div>
  );
}

function UserRow({
  user,
  isSelected,
  onSelect,
}: {
  user: UserListRow;
  isSelected: boolean;
  onSelect: () => void;
}) {
  return (
    <RowButton id={userRowId(user._id)} isSelected={isSelected} onClick={onSelect}>
      <span className="block font-semibold wrap-anywhere">{user.email}</span>
      <span className="mt-1 flex items-center justify-between gap-2">
        <span className="min-w-0 text-sm wrap-anywhere text-muted">
          {/* Numbers after a name in Arabic or Hebrew would otherwise move to its other side. */}
          <bdi>{user.name}</bdi>, {plural(user.accountCount, "account")}
        </span>
        <span className="flex shrink-0 flex-wrap justify-end gap-1">
          {user.hasAnswered && <Badge tone="brand">answered</Badge>}
          <Badge tone={badgeTone(user.status)}>{user.status}</Badge>
        </span>
      </span>
    </RowButton>
  );
}

function NobodyFound({ search, onClear }: { search: string; onClear: () => void }) {
  if (search === "") {
    return (
      <EmptyState icon={<UserRoundSearch />} title="Nobody here">
        People with this status will show here as soon as there are any.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<UserRoundSearch />}
      title={`Nobody found for "${search}"`}
      action={
        <Button variant="secondary" size="sm" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      Search matches the beginning of names and email addresses.
    </EmptyState>
  );
}

function showingText(shown: number, total: number | undefined): string {
  if (total === undefined) return `Showing ${plural(shown, "user")}`;
  return `Showing ${formatCount(Math.min(shown, total))} of ${plural(total, "user")}`;
}
