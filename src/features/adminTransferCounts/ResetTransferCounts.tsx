import { useRef, useState } from "react";
import { Lock, TriangleAlert, UserRoundSearch } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { TEXTS } from "#shared/texts";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { FormAlert } from "../../components/ui/FormAlert";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { Notice, StatusBanner } from "../../components/ui/StatusBanner";
import { useFocusHandover } from "../../hooks/useFocusHandover";

type TransferCountRow = FunctionReturnType<typeof api.admin.transferCounts.list>["page"][number];

export interface ResetTransferCountsProps {
  rows: readonly TransferCountRow[] | undefined;
  status: PageStatus;
  onLoadMore: () => void;
  onResetAll: () => void;
  onResetOne: (userId: string) => void;
  /** Users whose counts are being reset. */
  busyUserIds: readonly string[];
  isResettingAll: boolean;
  /** What came of the reset of one member, or, with null, of everyone's. */
  outcomeOf: (userId: string | null) => ResetOutcome;
}

interface ResetOutcome {
  /** Green: what was reset. */
  readonly success: string | null;
  /** Red: "Error: " and the message. */
  readonly failure: string | null;
}

const PROTECTED_REASON_ID = "protected-account-reason";

/** Resets the transfer count of everyone but the protected account, or of one member. */
export function ResetTransferCounts(props: ResetTransferCountsProps) {
  return (
    <>
      <Outcome {...props.outcomeOf(null)} />
      <ResetAllCard isBusy={props.isResettingAll} onResetAll={props.onResetAll} />
      <Card title="Transfer counts" isFlush>
        {props.rows === undefined ? (
          <SkeletonRows count={8} className="min-h-dvh content-start p-5" />
        ) : props.rows.length === 0 ? (
          <NoMembers isExhausted={props.status === "Exhausted"} />
        ) : (
          <ul id="transfer-counts" className="divide-y divide-line border-t border-line">
            {props.rows.map((row) => (
              <CountRow
                key={row.userId}
                row={row}
                isBusy={props.busyUserIds.includes(row.userId)}
                isDisabled={props.isResettingAll}
                outcome={props.outcomeOf(row.userId)}
                onReset={() => props.onResetOne(row.userId)}
              />
            ))}
          </ul>
        )}
        <LoadMore status={props.status} onLoadMore={props.onLoadMore} listId="transfer-counts" />
      </Card>
    </>
  );
}

/** Above for everyone's reset, in the row for one member's: the list is longer than a screen. */
function Outcome({ success, failure, className = "" }: ResetOutcome & { className?: string }) {
  return (
    <>
      <StatusBanner className={className}>{success}</StatusBanner>
      <FormAlert className={className}>{failure}</FormAlert>
    </>
  );
}

/** A page may be empty while later ones are not: administrators are left out of what was read. */
function NoMembers({ isExhausted }: { isExhausted: boolean }) {
  if (!isExhausted)
    return (
      <EmptyState icon={<UserRoundSearch />} title="No members so far">
        Load more to look further.
      </EmptyState>
    );
  return (
    <EmptyState icon={<UserRoundSearch />} title="No members yet">
      Members and their counts will show here.
    </EmptyState>
  );
}

/** Idle, confirm prompt, resetting; Cancel returns to idle. */
function ResetAllCard({ isBusy, onResetAll }: { isBusy: boolean; onResetAll: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const isOpen = isAsking || isBusy;
  const prompt = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusHandover(isOpen, () => prompt.current ?? opener.current);
  return (
    <Card title="Reset everyone" className="no-print">
      <div className="grid gap-4">
        <Notice>All users are reset except one protected account.</Notice>
        {isOpen ? (
          <div
            ref={prompt}
            tabIndex={-1}
            role="group"
            aria-label="Confirm reset"
            className="grid gap-4 rounded-control bg-warn-soft p-4"
          >
            <p role="alert" className="flex items-start gap-2.5 font-semibold text-warn">
              <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
              <span>{TEXTS.resetAllWarning}</span>
            </p>
            <div className="flex flex-wrap gap-2">
              <Button
                variant="danger"
                isBusy={isBusy}
                busyLabel="Resetting..."
                onClick={() => {
                  setIsAsking(false);
                  onResetAll();
                }}
              >
                Confirm Reset All
              </Button>
              <Button variant="secondary" disabled={isBusy} onClick={() => setIsAsking(false)}>
                Cancel
              </Button>
            </div>
          </div>
        ) : (
          <div>
            <Button ref={opener} variant="secondary" onClick={() => setIsAsking(true)}>
              Initiate Reset All Transfer Counts
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

function CountRow({
  row,
  isBusy,
  isDisabled,
  outcome,
  onReset,
}: {
  row: TransferCountRow;
  isBusy: boolean;
  isDisabled: boolean;
  outcome: ResetOutcome;
  onReset: () => void;
}) {
  return (
    <li className="px-5 py-3 md:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="font-semibold wrap-anywhere">{row.email}</p>
          <p className="num text-sm text-muted">Current count: {row.count}</p>
          {row.isProtected && (
            <p
              id={PROTECTED_REASON_ID}
              className="mt-0.5 flex items-center gap-1.5 text-[0.8125rem] text-muted"
            >
              <Lock aria-hidden className="size-3.5 shrink-0" />
              This account is protected. Its count cannot be reset.
            </p>
          )}
        </div>
        <Button
          variant="secondary"
          size="sm"
          isBusy={isBusy}
          disabled={row.isProtected || isDisabled}
          aria-label={`Reset ${row.email}`}
          aria-describedby={row.isProtected ? PROTECTED_REASON_ID : undefined}
          isPressedOnce
          onClick={onReset}
        >
          Reset
        </Button>
      </div>
      <Outcome {...outcome} className="mt-2" />
    </li>
  );
}
