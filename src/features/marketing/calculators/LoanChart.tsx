import { plural } from "#shared/counts";
import { formatUsd } from "#shared/money";
import type { Installment } from "./loan";

const WIDTH = 640;
const HEIGHT = 120;
const GAP_RATIO = 0.28;
/** Up to this many bars, a phone has room for a label under each; beyond that, every fifth gets one. */
const LABELED_YEARS_MAX = 10;
const LABEL_STEP = 5;

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
  const isLabeled = (year: number) =>
    years.length <= LABELED_YEARS_MAX || year === 1 || year % LABEL_STEP === 0;
  const barWidth = Math.min(slot * (1 - GAP_RATIO), 36);
  const isShrinking = years.length > 1 && totalInterestCents > 0n;

  return (
    <figure className="break-inside-avoid">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-muted">
        <span className="font-semibold text-ink max-sm:basis-full">What you pay each year</span>
        <Key className="bg-brand" label="Principal" />
        <Key className="bg-beacon" label="Interest" />
      </figcaption>
      <svg
        role="img"
        aria-label={`Payments over ${plural(years.length, "year")}: ${formatUsd(totalInterestCents)} of interest in total${isShrinking ? ", less each year" : ""}`}
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
      <p aria-hidden="true" className="num mt-1.5 flex text-[0.8125rem] text-muted">
        {years.map(({ month }, index) => (
          <span key={month} className="flex w-0 flex-1 justify-center">
            {isLabeled(index + 1) && index + 1}
          </span>
        ))}
      </p>
    </figure>
  );
}

function Key({ className, label }: { readonly className: string; readonly label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {/* Printing and forced colors drop backgrounds; without this one the legend says nothing. */}
      <span
        aria-hidden="true"
        className={`size-3 rounded-sm forced-color-adjust-none [print-color-adjust:exact] ${className}`}
      />
      {label}
    </span>
  );
}
