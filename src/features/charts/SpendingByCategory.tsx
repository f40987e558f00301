import { plural } from "#shared/counts";
import { formatUsd, sumCents } from "#shared/money";
import { percentOf } from "./geometry";

interface CategorySpending {
  readonly category: string;
  readonly totalCents: bigint;
  readonly count: number;
}

const BAR = { width: 100, height: 8, radius: 4, shortest: 1 } as const;

/** Spending of one month; the rows come largest first. Every value is also given as text. */
export function SpendingByCategory({ rows }: { readonly rows: readonly CategorySpending[] }) {
  const largest = rows[0]?.totalCents ?? 0n;
  const total = sumCents(rows.map((row) => row.totalCents));
  return (
    <ul className="space-y-4">
      {rows.map((row) => (
        <li key={row.category}>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-[15px]">
            <span className="font-semibold">{row.category}</span>
            <span className="num font-semibold">{formatUsd(row.totalCents)}</span>
          </div>
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${BAR.width} ${BAR.height}`}
            preserveAspectRatio="none"
            className="my-1.5 h-2 w-full overflow-hidden rounded-pill"
          >
            <rect width={BAR.width} height={BAR.height} className="fill-brand-soft" />
            <rect
              width={Math.max(BAR.shortest, percentOf(row.totalCents, largest))}
              height={BAR.height}
              className="fill-brand"
            />
          </svg>
          <p className="text-[13px] text-muted">
            {plural(row.count, "payment")}, {Math.round(percentOf(row.totalCents, total))}% of the
            month
          </p>
        </li>
      ))}
    </ul>
  );
}
