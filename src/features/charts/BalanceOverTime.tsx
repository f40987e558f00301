import { formatUsd } from "#shared/money";
import { useId } from "react";
import { areaPath, linePath, pointsOf } from "./geometry";
import type { MonthValue } from "./MonthBars";

const FRAME = { width: 640, height: 180, padding: 16 } as const;
const DOT_RADIUS = 5;

/** Balance over all accounts at the end of each month: a line, a text version, and a table of values. */
export function BalanceOverTime({ months }: { readonly months: readonly MonthValue[] }) {
  const titleId = useId();
  const points = pointsOf(
    months.map((month) => month.valueCents),
    FRAME,
  );
  const first = months[0];
  const last = months.at(-1);
  const lastPoint = points.at(-1);
  if (first === undefined || last === undefined || lastPoint === undefined) return null;
  return (
    <figure>
      <svg
        role="img"
        aria-labelledby={titleId}
        viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
        className="h-auto w-full overflow-visible"
      >
        <title id={titleId}>
          {`Balance from ${first.label} to ${last.label}: ${formatUsd(first.valueCents)} at the start, ${formatUsd(last.valueCents)} at the end`}
        </title>
        <path d={areaPath(points, FRAME.height)} className="fill-brand-soft" />
        <path
          d={linePath(points)}
          className="fill-none stroke-brand"
          strokeWidth={2.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        <circle
          cx={lastPoint.x}
          cy={lastPoint.y}
          r={DOT_RADIUS}
          className="fill-beacon stroke-surface"
        />
      </svg>
      <figcaption className="mt-2 flex justify-between text-[13px] text-muted">
        <span>
          {first.label}, {formatUsd(first.valueCents)}
        </span>
        <span>
          {last.label}, {formatUsd(last.valueCents)}
        </span>
      </figcaption>
      <details className="mt-3 text-sm">
        <summary className="touch-room w-fit cursor-pointer py-1 font-semibold text-brand-ink">
          Show the values
        </summary>
        <table className="mt-2 w-full max-w-sm">
          <caption className="sr-only">Balance at the end of each month</caption>
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="py-1 font-normal">
                Month
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                Balance
              </th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.label} className="border-t border-line">
                <td className="py-1">{month.label}</td>
                <td className="num py-1 text-right">{formatUsd(month.valueCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
