import { useRef, useState } from "react";
import { ArrowLeft, ScanLine } from "lucide-react";
import clsx from "clsx";
import { ADMIN_SUCCESS_MS } from "#shared/limits";
import { DEPOSIT_STATUSES, type DepositStatus } from "#shared/validators";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Tabs } from "../../components/ui/Tabs";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { useTimedText } from "../../hooks/useTimedText";
import { DepositQueue, depositRowId } from "./DepositQueue";
import { DepositReview, type QueuedDeposit } from "./DepositReview";
import { useDepositImage } from "./useDepositImage";
import { useDepositDecision, useDepositQueue } from "./useDeposits";

/** Queue and review beside each other; on narrow screens one after the other. */
export function DepositDesk() {
  const [filter, setFilter] = useState<DepositStatus>("Pending Review");
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const queue = useDepositQueue(filter);
  const selected = queue.deposits?.find(({ _id }) => _id === selectedId);
  const list = useRef<HTMLElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  useFocusHandover(selected?._id, (before) => {
    if (selected !== undefined) return detail.current;
    // Decided, it has left the queue: on to the next one.
    const row = before === undefined ? null : document.getElementById(depositRowId(before));
    return row ?? list.current?.querySelector("button") ?? list.current;
  });

  return (
    <Tabs
      label="Filter deposits"
      value={filter}
      onValueChange={(next) => {
        setFilter(next);
        setSelectedId(null);
      }}
      items={DEPOSIT_STATUSES.map((status) => ({ value: status, label: status }))}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-5">
        <StatusBanner>{done}</StatusBanner>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[20.5rem_minmax(0,1fr)]">
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
              onSelect={setSelectedId}
            />
          </Card>
          {selected === undefined ? (
            <Card className="max-lg:hidden">
              <EmptyState icon={<ScanLine />} title="Select a deposit to review it" />
            </Card>
          ) : (
            <div
              ref={detail}
              tabIndex={-1}
              role="group"
              aria-label="Deposit details"
              className="grid grid-cols-[minmax(0,1fr)] gap-3"
            >
              <div className="-ml-3 lg:hidden">
                <Button variant="ghost" size="sm" onClick={() => setSelectedId(null)}>
                  <ArrowLeft aria-hidden className="size-4" />
                  All deposits
                </Button>
              </div>
              <SelectedDeposit key={selected._id} deposit={selected} onDone={showDone} />
            </div>
          )}
        </div>
      </div>
    </Tabs>
  );
}

function SelectedDeposit({
  deposit,
  onDone,
}: {
  deposit: QueuedDeposit;
  onDone: (text: string) => void;
}) {
  const front = useDepositImage(deposit.frontImageId);
  const back = useDepositImage(deposit.backImageId);
  const decision = useDepositDecision(deposit._id);
  return (
    <DepositReview
      deposit={deposit}
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
