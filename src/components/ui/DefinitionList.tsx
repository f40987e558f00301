import type { ReactElement, ReactNode } from "react";
import clsx from "clsx";

export interface DefinitionItem {
  term: string;
  value: ReactNode;
  /** A copy button, a Change link; nothing that may be empty, because it takes up room. */
  action?: ReactElement | undefined;
}

/** Terms left, values right, a line between rows. A value that does not fit beside its term goes below it, unbroken. */
export function DefinitionList({
  items,
  className,
}: {
  items: readonly DefinitionItem[];
  className?: string;
}) {
  return (
    <dl className={clsx("divide-y divide-line", className)}>
      {items.map(({ term, value, action }) => (
        <div
          key={term}
          className="flex min-h-11 flex-wrap content-center items-baseline gap-x-4 py-2"
        >
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="num flex min-w-0 grow items-center justify-end gap-x-4 text-right font-medium">
            <span className="min-w-0 wrap-anywhere">{value}</span>
            {/* A button is taller than a line: this keeps rows with and without one the same height. */}
            {action !== undefined && (
              <span className="no-print -my-1.5 -mr-1.5 flex">{action}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
