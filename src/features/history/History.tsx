import type { HistoryRow } from "#shared/answers";
import { plural } from "#shared/counts";
import { formatUsd } from "#shared/money";
import { ReceiptText } from "lucide-react";
import { useRef, useState } from "react";
import { TransactionDays } from "../../components/bank/TransactionDays";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { useNow } from "../../hooks/useNow";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { contradictionOf, hasFilters } from "./filters";
import { HistoryExport } from "./HistoryExport";
import { HistoryFilterBar } from "./HistoryFilterBar";
import { ReceiptDialog } from "./ReceiptDialog";
import { useHistory } from "./useHistory";

const LIST_ID = "history-list";

/** Every transaction, searchable; with one account chosen each row shows the balance after it. Transfers have a receipt. */
export function History() {
  const history = useHistory();
  const nowMs = useNow();
  const { rows, texts, isStale, status } = history;
  const [openId, setOpenId] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { remember, finalFocus } = useReturnFocus(list, rows);
  const receiptOf = ({ transferId, description, amountCents }: HistoryRow) =>
    transferId !== undefined && (
      <Button
        variant="ghost"
        size="sm"
        // On phones it is right below the amount: the outline must not reach it.
        className="-my-1.5 outline-offset-[-2px]! @min-[16rem]:-mr-3"
        aria-label={`Receipt, ${description}, ${formatUsd(amountCents)}`}
        onClick={({ currentTarget }) => {
          remember(currentTarget);
          setOpenId(transferId);
        }}
      >
        Receipt
      </Button>
    );
  const count = `Showing ${plural(rows.length, "transaction")}`;
  return (
    <Card title="All transactions" actions={<HistoryExport filters={history.filters} />}>
      <HistoryFilterBar texts={texts} onChange={history.change} onClear={history.clear} />
      <p role="status" className="mt-4 mb-3 text-sm text-muted">
        {!history.isFirst && !isStale && (status === "Exhausted" ? count : `${count}, more below`)}
      </p>
      {history.isFirst && <SkeletonRows count={8} />}
      {!history.isFirst && rows.length === 0 && !isStale && (
        <NoTransactions
          contradiction={contradictionOf(history.filters)}
          isFiltered={hasFilters(texts)}
          isExhausted={status === "Exhausted"}
        />
      )}
      <div
        ref={list}
        id={LIST_ID}
        tabIndex={-1}
        aria-busy={isStale}
        className={isStale ? "opacity-60" : undefined}
      >
        <TransactionDays
          transactions={rows}
          nowMs={nowMs}
          hasAccount={texts.account === ""}
          actionOf={receiptOf}
        />
      </div>
      <LoadMore status={status} onLoadMore={history.loadMore} listId={LIST_ID} />
      <ReceiptDialog transferId={openId} onClose={() => setOpenId(null)} finalFocus={finalFocus} />
    </Card>
  );
}

/** A page may be empty while older ones are not: each call looks at a bounded number of transactions. */
function NoTransactions({
  contradiction,
  isFiltered,
  isExhausted,
}: {
  contradiction: string | null;
  isFiltered: boolean;
  isExhausted: boolean;
}) {
  const [title, advice] =
    contradiction !== null
      ? ["No transactions match", contradiction]
      : !isExhausted
        ? ["No match among the newest transactions", "Load more to look further back."]
        : isFiltered
          ? ["No transactions match", "Try different words, a longer period or fewer filters."]
          : ["No transactions yet", "Money in and out will show here."];
  return (
    <EmptyState icon={<ReceiptText />} title={title}>
      {advice}
    </EmptyState>
  );
}
