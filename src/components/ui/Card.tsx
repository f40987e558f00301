import { useId, type ComponentProps, type ReactNode } from "react";
import clsx from "clsx";

interface CardProps extends Omit<ComponentProps<"section">, "title"> {
  /** h2 of the card; also names the region. */
  title?: string;
  /** Right of the title: a badge, a link, buttons. */
  actions?: ReactNode;
  /** One line under the title. */
  lead?: ReactNode;
  /** No inner padding: for tables and lists that reach the edge. */
  isFlush?: boolean;
  /** The title and what is right of it stay in sight while the rest is scrolled away under them. */
  isTitleKept?: boolean;
}

/** A white card. With a title it is a region named by it. */
export function Card({
  title,
  actions,
  lead,
  isFlush = false,
  isTitleKept = false,
  className,
  children,
  ...rest
}: CardProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : titleId}
      className={clsx(
        "rounded-card border border-line bg-surface shadow-card print:shadow-none",
        !isFlush && "p-5 md:p-6",
        className,
      )}
      {...rest}
    >
      {title !== undefined && (
        <header
          className={clsx(
            "flex flex-wrap items-center justify-between gap-x-4",
            lead === undefined ? "gap-y-2 sm:gap-y-3.5" : "gap-y-3 sm:gap-y-4.5",
            isFlush ? "p-5 md:px-6" : "not-last:mb-4",
            isTitleKept && "sticky top-0 z-10 rounded-card bg-surface not-short:top-16",
          )}
        >
          <div className="min-w-0">
            <h2 id={titleId} tabIndex={-1} className="text-card-title wrap-anywhere">
              {title}
            </h2>
            {lead !== undefined && (
              <p className="mt-0.5 text-sm wrap-anywhere text-muted">{lead}</p>
            )}
          </div>
          {actions !== undefined && (
            // Buttons are taller than the title: the margin keeps the titles of neighboring cards level.
            <div className="flex min-w-0 flex-wrap items-center gap-2 sm:-my-1.5">{actions}</div>
          )}
        </header>
      )}
      {children}
    </section>
  );
}
