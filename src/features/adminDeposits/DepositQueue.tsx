import { ScanLine } from "lucide-react";
import { formatUsd } from "#shared/money";
import type { DepositStatus } from "#shared/validators";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { RowButton } from "../../components/ui/RowButton";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { formatDateTime, inOnePiece } from "../../lib/format";
import type { QueuedDeposit } from "./DepositReview";

interface DepositQueueProps {
  deposits: readonly QueuedDeposit[] | undefined;
  filter: DepositStatus;
  isStale: boolean;
  status: PageStatus;
  onLoadMore: () => void;
  selectedId: string | null;
  onSelect: (depositId: string) => void;
}

const LIST_ID = "deposit-queue";

/** Id of a deposit's row. */
export const depositRowId = (depositId: string): string => `${LIST_ID}-${depositId}`;

/** The deposits of one status. */
export function DepositQueue(props: DepositQueueProps) {
  const { deposits, filter, isStale, status, onLoadMore, selectedId, onSelect } = props;
  if (deposits === undefined) return <SkeletonRows count={5} className="p-4" />;
  if (deposits.length === 0) {
    return (
      <EmptyState
        icon={<ScanLine />}
        title={filter === "Pending Review" ? "No deposits are waiting" : "No deposits here yet"}
      >
        {filter === "Pending Review"
          ? "A check photographed by a member will appear here at once."
          : "Deposits move here when they are reviewed."}
      </EmptyState>
    );
  }
  return (
    <>
      <ul id={LIST_ID} aria-busy={isStale || undefined} className="divide-y divide-line">
        {deposits.map((deposit) => (
          <li key={deposit._id} className="outline-none">
            <RowButton
              id={depositRowId(deposit._id)}
              isSelected={deposit._id === selectedId}
              onClick={() => onSelect(deposit._id)}
            >
              <span className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 font-semibold wrap-anywhere">{deposit.email}</span>
                <span className="num font-semibold">{formatUsd(deposit.amountCents)}</span>
              </span>
              <span className="mt-0.5 block text-sm text-muted">
                To {deposit.toAccount}, {inOnePiece(formatDateTime(deposit.createdAt))}
              </span>
            </RowButton>
          </li>
        ))}
      </ul>
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
    </>
  );
}
