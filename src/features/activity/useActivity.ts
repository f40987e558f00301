import { api } from "#api";
import { lastMonths, monthOf, shortMonthName } from "#shared/dates";
import { useQuery } from "convex/react";
import { useMemo } from "react";
import { useLatest } from "../../hooks/useLatest";

/** Bars in the band, the current month included. */
const MONTHS_SHOWN = 6;

interface MonthActivity {
  /** "Jun" */
  readonly label: string;
  readonly incomeCents: bigint;
  readonly outgoingCents: bigint;
}

/** The band's figures besides the balance, live; undefined while they load. */
export function useBandFigures(nowMs: number) {
  const month = monthOf(nowMs);
  const months = useMemo(() => lastMonths(month, MONTHS_SHOWN), [month]);
  const totals = useLatest(useQuery(api.transactions.monthTotals, { month })).value;
  const series = useLatest(useQuery(api.transactions.monthlySeries, { months })).value;
  const pending = useQuery(api.transactions.pendingTotals, {});
  const bars: MonthActivity[] | undefined = series?.map((row) => ({
    label: shortMonthName(row.month),
    incomeCents: row.incomeCents,
    outgoingCents: row.outgoingCents,
  }));
  return { totals, pending, bars };
}

/** The member's newest transactions, live; undefined while they load. */
export function useRecentTransactions() {
  return useQuery(api.transactions.recent, {});
}
