import { plural } from "#shared/counts";
import { ReceiptText } from "lucide-react";
import { TransactionDays } from "../../components/bank/TransactionDays";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { useNow } from "../../hooks/useNow";
import { contradictionOf, hasFilters } from "./filters";
import { HistoryExport } from "./HistoryExport";
import { HistoryFilterBar } from "./HistoryFilterBar";
import { useHistory } from "./useHistory";

const LIST_ID = "history-list";

/** Every transaction, searchable; with one account chosen each row shows the balance after it. */
export function History() {
  const history = useHistory();
  const nowMs = useNow();
  const { rows, texts, isStale, status } = history;
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
      <div id={LIST_ID} aria-busy={isStale} className={isStale ? "opacity-60" : undefined}>
        <TransactionDays transactions={rows} nowMs={nowMs} hasAccount={texts.account === ""} />
      </div>
      <LoadMore status={status} onLoadMore={history.loadMore} listId={LIST_ID} />
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
