import { api } from "#api";
import { lastMonths, monthLabel, monthOf, shortMonthName } from "#shared/dates";
import { STATEMENT_PERIODS_MAX } from "#shared/limits";
import { useQuery } from "convex/react";
import { useMemo, useState } from "react";
import { Card } from "../../components/ui/Card";
import { Select } from "../../components/ui/Select";
import { Skeleton } from "../../components/ui/Skeleton";
import { useLatest } from "../../hooks/useLatest";
import { useNow } from "../../hooks/useNow";
import { BalanceOverTime } from "./BalanceOverTime";
import { SpendingByCategory } from "./SpendingByCategory";

/** Balance over time, all accounts together. */
function BalanceCard({ months }: { readonly months: readonly string[] }) {
  const series = useQuery(api.transactions.monthlySeries, { months: [...months] });
  return (
    <Card
      title="Balance over time"
      lead="All accounts, at the end of each month"
      className="break-inside-avoid"
    >
      {series === undefined ? (
        <>
          <Skeleton className="aspect-[640/180]" />
          <Skeleton className="mt-2 h-lh text-[13px]" />
          <Skeleton className="mt-3 h-7 w-32" />
        </>
      ) : (
        <BalanceOverTime
          months={series.map((row) => ({
            label: `${shortMonthName(row.month)} ${row.month.slice(0, 4)}`,
            valueCents: row.endBalanceCents,
          }))}
        />
      )}
    </Card>
  );
}

/** Spending of a month by category. */
function SpendingCard({ months }: { readonly months: readonly string[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months.at(-1) ?? "";
  const { value: rows, isStale } = useLatest(
    useQuery(api.transactions.spendingByCategory, { month }),
  );
  return (
    <Card
      title="Spending by category"
      className="break-inside-avoid"
      actions={
        <Select
          isDense
          isLabelHidden
          label="Month"
          options={[...months].reverse().map((value) => ({ value, label: monthLabel(value) }))}
          value={month}
          onChange={(event) => setChosen(event.target.value)}
        />
      }
    >
      <div aria-busy={isStale}>
        {rows !== undefined && rows.length > 0 ? (
          <SpendingByCategory rows={rows} />
        ) : rows === undefined || isStale ? (
          <Skeleton className="h-44 w-full" />
        ) : (
          <p className="text-sm text-muted">No spending in {monthLabel(month)}.</p>
        )}
      </div>
    </Card>
  );
}

/** Two hand-made charts of the member's money, each also in words. */
export function Insights() {
  const current = monthOf(useNow());
  const months = useMemo(() => lastMonths(current, STATEMENT_PERIODS_MAX), [current]);
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:gap-5 md:max-xl:grid-cols-2">
      <BalanceCard months={months} />
      <SpendingCard months={months} />
    </div>
  );
}
