import clsx from "clsx";
import { SAMPLE_QUOTES, type Quote } from "../content/market";

const WIDTH = 96;
const HEIGHT = 32;

/** The four rows with sample figures, marked as such. */
export function MarketPanel() {
  return (
    <div className="rounded-card border border-line bg-surface px-5 py-4 shadow-card md:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-sub-title">Market overview</h2>
        <span className="rounded-pill bg-warn-soft px-2.5 py-0.5 text-[0.8125rem] font-semibold text-warn">
          Sample data
        </span>
      </div>
      <ul className="mt-2 grid grid-cols-1 md:grid-cols-2 md:gap-x-10 lg:grid-cols-4 lg:gap-x-8">
        {SAMPLE_QUOTES.map((quote) => (
          <QuoteRow key={quote.name} quote={quote} />
        ))}
      </ul>
    </div>
  );
}

function QuoteRow({ quote }: { readonly quote: Quote }) {
  const isUp = quote.changePercent >= 0;
  return (
    <li className="@container border-t border-line py-3 first:border-t-0 md:nth-2:border-t-0 lg:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 sm:gap-x-4 lg:block">
        <div className="min-w-20 flex-1">
          <p className="font-semibold">{quote.name}</p>
          <p className="text-[0.8125rem] text-muted">{quote.note}</p>
        </div>
        <Sparkline trend={quote.trend} isUp={isUp} />
        <div className="ml-auto min-w-19 text-right lg:mt-1 lg:flex lg:items-baseline lg:gap-2 lg:text-left">
          <p className="num font-semibold">{quote.price}</p>
          <p className={clsx("num text-[0.8125rem]", isUp ? "text-credit" : "text-debit")}>
            {isUp ? "+" : "-"}
            {Math.abs(quote.changePercent).toFixed(2)}%
          </p>
        </div>
      </div>
    </li>
  );
}

function Sparkline({ trend, isUp }: { readonly trend: readonly number[]; readonly isUp: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={clsx(
        "h-8 w-16 shrink-0 fill-none @min-[20rem]:w-24 @max-[14rem]:max-lg:hidden lg:my-2 lg:w-full",
        isUp ? "stroke-pos" : "stroke-neg",
      )}
      preserveAspectRatio="none"
    >
      <polyline
        points={sparklinePoints(trend)}
        strokeWidth={1.75}
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Scales a trend to the box, oldest on the left, higher values nearer the top. */
function sparklinePoints(trend: readonly number[]): string {
  const low = Math.min(...trend);
  const span = Math.max(...trend) - low || 1;
  return trend
    .map((value, index) => {
      const x = (index / (trend.length - 1)) * WIDTH;
      const y = HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6);
      return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
    })
    .join(" ");
}
