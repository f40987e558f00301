import { formatUsd, type Cents } from "#shared/money";
import clsx from "clsx";
import { useChangeTint } from "../../hooks/useChangeTint";

/** An amount in tabular figures. `isLive` tints it for a moment when it changes by itself. */
export function Money({
  cents,
  isLive = false,
  className,
}: {
  cents: Cents;
  isLive?: boolean;
  className?: string;
}) {
  const isTinted = useChangeTint(cents) && isLive;
  return (
    <span className={clsx("num rounded", isTinted && "animate-tint", className)}>
      {formatUsd(cents)}
    </span>
  );
}

/** The hero figure: cents smaller and lighter than dollars; read as one amount. */
export function BalanceFigure({ cents, className }: { cents: Cents; className?: string }) {
  const isTinted = useChangeTint(cents);
  const text = formatUsd(cents);
  const point = text.lastIndexOf(".");
  return (
    <span
      className={clsx(
        "text-balance-figure -mx-1 inline-block rounded px-1",
        isTinted && "animate-tint",
        className,
      )}
    >
      {text.slice(0, point)}
      <span className="text-[0.6em] font-medium opacity-80">{text.slice(point)}</span>
    </span>
  );
}
