import { useId, type ComponentProps, type ReactNode } from "react";
import clsx from "clsx";

interface QuickTileProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  /** A second line, left out on phones. */
  hint: string;
  icon: ReactNode;
}

/** A tile of the quick actions: icon, name, and one line about what it does. */
export function QuickTile({ label, hint, icon, className, ...native }: QuickTileProps) {
  const hintId = useId();
  return (
    <button
      type="button"
      aria-label={label}
      aria-describedby={hintId}
      className={clsx(
        "grid min-h-24 content-start justify-items-start gap-1 rounded-tile border border-line bg-surface p-2.5 text-left max-md:min-h-20 max-md:text-sm sm:p-3 md:p-3.5",
        "transition-colors duration-120 hover:border-brand hover:bg-brand-soft",
        className,
      )}
      {...native}
    >
      <span aria-hidden className="mb-1 text-brand-ink [&>svg]:size-5">
        {icon}
      </span>
      <span className="leading-tight font-semibold">{label}</span>
      <span id={hintId} className="text-[0.8125rem] text-muted max-md:sr-only">
        {hint}
      </span>
    </button>
  );
}
