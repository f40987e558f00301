import { useRef, useState, type Ref } from "react";
import { ArrowLeft, ScanLine } from "lucide-react";
import clsx from "clsx";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { DEPOSIT_STATUSES } from "#shared/validators";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Tabs } from "../../components/ui/Tabs";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { useLatest } from "../../hooks/useLatest";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { useTimedText } from "../../hooks/useTimedText";
import { DepositQueue, depositRowId } from "./DepositQueue";
import { DepositReview, type QueuedDeposit } from "./DepositReview";
import { useDepositImage } from "./useDepositImage";
import { useDepositDecision, useDepositQueue, useDeskAddress } from "./useDeposits";

/** Queue and review side by side; on narrow screens one at a time. */
export function DepositDesk() {
  const { filter, selectedId, showTab, select, leave } = useDeskAddress();
  // The address changes later than the queue, which would show one's own decision as somebody else's.
  const [decidedId, setDecidedId] = useState<string | null>(null);
  if (decidedId !== null && decidedId !== selectedId) setDecidedId(null);
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const queue = useDepositQueue(filter);
  const { selected, hasLeft } = useSelection(queue, selectedId === decidedId ? null : selectedId);
  const list = useRef<HTMLElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  useFocusHandover(hasLeft ? null : selected?._id, (before) => {
    if (selected !== undefined) return detail.current;
    // Once decided it has left the queue: on to the next one.
    const row = typeof before !== "string" ? null : document.getElementById(depositRowId(before));
    return row ?? list.current?.querySelector("button") ?? list.current;
  });
  useReturnFocus(list, queue.deposits);

  return (
    <Tabs
      label="Filter deposits"
      value={filter}
      onValueChange={showTab}
      items={DEPOSIT_STATUSES.map((status) => ({ value: status, label: status }))}
    >
      <div className="grid grid-cols-1 gap-5 pt-5">
        <StatusBanner>{done}</StatusBanner>
        <div className="grid grid-cols-1 items-start gap-5 lg:has-[>:nth-child(2)]:grid-cols-[20.5rem_minmax(0,1fr)]">
          <Card
            ref={list}
            tabIndex={-1}
            aria-label="Deposits"
            isFlush
            className={clsx("overflow-hidden", selected !== undefined && "max-lg:hidden")}
          >
            <DepositQueue
              {...queue}
              filter={filter}
              selectedId={selectedId}
              onSelect={(depositId) => {
                // Rows of the previous tab are about to be replaced.
                if (!queue.isStale) select(depositId);
              }}
            />
          </Card>
          {selected === undefined && queue.deposits?.length !== 0 && <NoSelection />}
          {selected !== undefined && (
            <DepositDetails
              ref={detail}
              deposit={selected}
              hasLeft={hasLeft}
              onLeave={() => leave(selected._id)}
              onDone={(text) => {
                showDone(text);
                setDecidedId(selected._id);
                leave(selected._id);
              }}
            />
          )}
        </div>
      </div>
    </Tabs>
  );
}

/** Beside a queue with deposits; an empty one says so itself. */
function NoSelection() {
  return (
    <Card className="max-lg:hidden">
      <EmptyState icon={<ScanLine />} title="Select a deposit to review it" />
    </Card>
  );
}

/** The selected deposit; if someone else decides it, it stays, along with the reason being written. */
function useSelection(
  { deposits, isStale }: { deposits: readonly QueuedDeposit[] | undefined; isStale: boolean },
  selectedId: string | null,
) {
  const waiting = deposits?.find(({ _id }) => _id === selectedId);
  const latest = useLatest(waiting).value;
  const selected = waiting ?? (latest?._id === selectedId ? latest : undefined);
  // Rows of the previous tab tell nothing.
  return { selected, hasLeft: selected !== undefined && waiting === undefined && !isStale };
}

interface DetailsProps {
  deposit: QueuedDeposit;
  /** True once it is no longer in the queue. */
  hasLeft: boolean;
  onLeave: () => void;
  onDone: (text: string) => void;
}

function DepositDetails({ ref, ...props }: DetailsProps & { ref: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-label="Deposit details"
      className="grid grid-cols-1 gap-3"
    >
      <div className="-ml-3 lg:hidden">
        <Button variant="ghost" size="sm" onClick={props.onLeave}>
          <ArrowLeft aria-hidden className="size-4" />
          All deposits
        </Button>
      </div>
      <SelectedDeposit key={props.deposit._id} {...props} />
    </div>
  );
}

function SelectedDeposit({ deposit, hasLeft, onLeave, onDone }: DetailsProps) {
  const front = useDepositImage(deposit.frontImageId);
  const back = useDepositImage(deposit.backImageId);
  const decision = useDepositDecision(deposit._id);
  return (
    <DepositReview
      deposit={deposit}
      isDecidedElsewhere={hasLeft && !decision.isBusy}
      onLeave={onLeave}
      front={front}
      back={back}
      {...decision}
      onApprove={async () => {
        const isDone = await decision.onApprove();
        if (isDone) onDone(`The deposit of ${deposit.email} was approved.`);
        return isDone;
      }}
      onReject={async (reason) => {
        const isDone = await decision.onReject(reason);
        if (isDone) onDone(`The deposit of ${deposit.email} was rejected.`);
        return isDone;
      }}
    />
  );
}
