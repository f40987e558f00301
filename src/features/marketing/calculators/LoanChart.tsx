import { formatUsd } from "#shared/money";
import type { Installment } from "./loan";

const WIDTH = 640;
const HEIGHT = 120;
const GAP_RATIO = 0.28;

interface LoanChartProps {
  /** The table by year. */
  readonly years: readonly Installment[];
  readonly totalInterestCents: bigint;
}

/** What each year pays: principal and interest as stacked bars. The table has the same figures. */
export function LoanChart({ years, totalInterestCents }: LoanChartProps) {
  const highest = years.reduce(
    (max, year) => (year.paymentCents > max ? year.paymentCents : max),
    1n,
  );
  const heightOf = (cents: bigint) => (Number(cents) / Number(highest)) * HEIGHT;
  const slot = WIDTH / years.length;
  const barWidth = Math.min(slot * (1 - GAP_RATIO), 36);

  return (
    <figure className="break-inside-avoid">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-muted">
        <span className="font-semibold text-ink">What you pay each year</span>
        <Key className="bg-brand" label="Principal" />
        <Key className="bg-beacon" label="Interest" />
      </figcaption>
      <svg
        role="img"
        aria-label={`Payments over ${years.length} ${years.length === 1 ? "year" : "years"}: the interest part shrinks each year, ${formatUsd(totalInterestCents)} in total`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        className="mt-4 h-auto w-full"
      >
        {years.map((year, index) => {
          const principalHeight = heightOf(year.principalCents);
          const interestHeight = heightOf(year.interestCents);
          const x = slot * index + (slot - barWidth) / 2;
          return (
            <g key={year.month}>
              <rect
                x={x}
                y={HEIGHT - principalHeight}
                width={barWidth}
                height={principalHeight}
                className="fill-brand"
              />
              <rect
                x={x}
                y={HEIGHT - principalHeight - interestHeight}
                width={barWidth}
                height={interestHeight}
                className="fill-beacon"
              />
            </g>
          );
        })}
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-control" />
      </svg>
      <p aria-hidden="true" className="mt-1.5 flex justify-between text-[0.8125rem] text-muted">
        <span>Year 1</span>
        {years.length > 1 && <span>Year {years.length}</span>}
      </p>
    </figure>
  );
}

function Key({ className, label }: { readonly className: string; readonly label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-3 rounded-sm ${className}`} />
      {label}
    </span>
  );
}
