import { plural } from "#shared/counts";
import { useCallback, useRef } from "react";
import { Button } from "../../components/ui/Button";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { Card } from "../../components/ui/Card";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { TransactionDays, type ListedTransaction } from "../../components/bank/TransactionDays";
import { useDelayedFlag } from "../../hooks/useDelayedFlag";
import { PATHS } from "../../lib/paths";
import { useHeldRows } from "./useHeldRows";

interface RecentTransactionsProps {
  /** Undefined while they load. */
  readonly transactions: readonly ListedTransaction[] | undefined;
  readonly nowMs: number;
  /** Opens Statements (spec section 2 "View All"). */
  readonly onViewAll: () => void;
}

/** The newest transactions by day; the section is absent when there are none (spec section 2). */
export function RecentTransactions({ transactions, nowMs, onViewAll }: RecentTransactionsProps) {
  const list = useRef<HTMLDivElement>(null);
  // The button goes when the pointer rests, and would take the focus with it.
  const keepFocus = useCallback((button: HTMLButtonElement) => {
    return () => {
      if (document.activeElement === button) list.current?.focus({ preventScroll: true });
    };
  }, []);
  const isSlow = useDelayedFlag(transactions === undefined);
  const { rows, waitingCount, release, onPointerMove } = useHeldRows(transactions ?? []);
  if (transactions === undefined) {
    return isSlow ? (
      <Card title="Recent Transactions">
        <SkeletonRows count={5} />
      </Card>
    ) : null;
  }
  if (rows.length === 0) return null;
  const onRelease = () => {
    release();
    // The button is about to go, and the focus with it.
    list.current?.focus({ preventScroll: true });
  };
  return (
    <Card
      title="Recent Transactions"
      actions={
        <Button variant="ghost" size="sm" className="-mr-3" onClick={onViewAll}>
          View All
        </Button>
      }
    >
      {waitingCount > 0 && (
        <Button
          ref={keepFocus}
          variant="secondary"
          size="sm"
          isFullWidth
          className="mb-3"
          onClick={onRelease}
        >
          {plural(waitingCount, "new transaction")}
        </Button>
      )}
      <div ref={list} tabIndex={-1} onPointerMove={onPointerMove} className="rounded-control">
        <TransactionDays transactions={rows} nowMs={nowMs} />
      </div>
      <div className="mt-4 border-t border-line pt-4 print:hidden">
        <ButtonLink to={PATHS.transactions} variant="secondary" isFullWidth>
          Search all transactions
        </ButtonLink>
      </div>
    </Card>
  );
}
