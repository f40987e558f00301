import { formatUsd, type Cents } from "#shared/money";
import clsx from "clsx";
import { Fragment } from "react";
import { useChangeTint } from "../../hooks/useChangeTint";

/** The longest amount that fits in full size on every screen: $9,999,999.99. */
const LENGTH_MAX = 13;

/** The hero figure: cents smaller and lighter than dollars; read out as one amount. */
export function BalanceFigure({ cents }: { cents: Cents }) {
  const isTinted = useChangeTint(cents);
  const text = formatUsd(cents);
  const point = text.lastIndexOf(".");
  return (
    <span
      className={clsx(
        "text-balance-figure -mx-1 inline-block rounded px-1 wrap-anywhere",
        text.length > LENGTH_MAX && "text-[2.25rem]! xl:text-[3rem]!",
        isTinted && "animate-tint",
      )}
    >
      {/* Enlarged, it may need two lines: they part after a comma. */}
      {text
        .slice(0, point)
        .split(/(?<=,)/)
        .map((digits, index) => (
          <Fragment key={index}>
            {digits}
            <wbr />
          </Fragment>
        ))}
      <span className="text-[0.6em] font-medium opacity-80">{text.slice(point)}</span>
    </span>
  );
}
