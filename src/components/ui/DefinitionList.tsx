import type { ReactNode } from "react";
import clsx from "clsx";

export interface DefinitionItem {
  term: string;
  value: ReactNode;
  /** A copy button, a Change link. */
  action?: ReactNode;
}

/** Terms left, values right, a line between rows; two lines per row when `isStacked`. */
export function DefinitionList({
  items,
  isStacked = false,
  className,
}: {
  items: readonly DefinitionItem[];
  isStacked?: boolean;
  className?: string;
}) {
  return (
    <dl className={clsx("divide-y divide-line", className)}>
      {items.map(({ term, value, action }) => (
        <div
          key={term}
          className={clsx(
            "flex min-h-11 gap-x-3 py-2",
            isStacked ? "items-start" : "items-center justify-between",
          )}
        >
          <div
            className={clsx(
              "min-w-0",
              isStacked
                ? "grid flex-1 gap-0.5"
                : "flex flex-1 flex-wrap items-baseline justify-between gap-x-4",
            )}
          >
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="num min-w-0 font-medium break-words">{value}</dd>
          </div>
          {action !== undefined && <dd className="shrink-0">{action}</dd>}
        </div>
      ))}
    </dl>
  );
}
