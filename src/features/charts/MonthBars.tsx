import { formatUsd } from "#shared/money";
import { barsOf } from "./geometry";

export interface MonthValue {
  /** As people say it: "Jun". */
  readonly label: string;
  readonly valueCents: bigint;
}

interface MonthBarsProps {
  /** What is counted, for the text alternative: "Monthly Income". */
  readonly title: string;
  readonly months: readonly MonthValue[];
}

const VIEW = { width: 104, height: 36, barWidth: 11, gap: 7, radius: 2 } as const;
const FULL_PERCENT = 100;
const FRAME =
  "mt-2 flex items-end gap-x-3 gap-y-1 max-md:hidden lg:max-xl:flex-col lg:max-xl:items-start";

/** As tall as the bars to come. */
export function MonthBarsRoom() {
  return (
    <div aria-hidden className={FRAME}>
      <svg width={VIEW.width} height={VIEW.height} className="shrink-0" />
      <span className="text-[13px]">&nbsp;</span>
    </div>
  );
}

/** Six small bars on the band, the current month in saffron. The label states every value. */
export function MonthBars({ title, months }: MonthBarsProps) {
  const first = months[0]?.label ?? "";
  const last = months.at(-1)?.label ?? "";
  const values = months.map((month) => `${month.label} ${formatUsd(month.valueCents)}`).join(", ");
  return (
    <div className={FRAME}>
      <svg
        role="img"
        aria-label={`${title}, ${first} to ${last}: ${values}`}
        viewBox={`0 0 ${VIEW.width} ${VIEW.height}`}
        width={VIEW.width}
        height={VIEW.height}
        className="shrink-0"
      >
        {barsOf(months.map((month) => month.valueCents)).map((bar, index) => {
          const height = (VIEW.height * bar.heightPercent) / FULL_PERCENT;
          return (
            <rect
              key={months[index]?.label}
              x={index * (VIEW.barWidth + VIEW.gap)}
              y={VIEW.height - height}
              width={VIEW.barWidth}
              height={height}
              rx={VIEW.radius}
              className={bar.isLast ? "fill-beacon" : "fill-on-band-muted/40"}
            />
          );
        })}
      </svg>
      <span className="text-[13px] whitespace-nowrap text-on-band-muted" aria-hidden="true">
        {first} to {last}
      </span>
    </div>
  );
}
