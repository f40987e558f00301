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
            "min-h-11 items-center gap-x-4 py-2",
            isStacked ? "grid grid-cols-[minmax(0,1fr)_auto] gap-y-0.5" : "flex",
          )}
        >
          <dt className="text-sm text-muted">{term}</dt>
          <dd
            className={clsx(
              "num min-w-0 font-medium break-words",
              isStacked ? "col-start-1 row-start-2" : "flex-1 text-right",
            )}
          >
            {value}
          </dd>
          {action !== undefined && (
            <dd className={clsx("shrink-0", isStacked && "col-start-2 row-span-2 row-start-1")}>
              {action}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
