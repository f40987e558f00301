import { useId, type ComponentProps, type ReactNode } from "react";

interface QuickTileProps extends Omit<ComponentProps<"button">, "children" | "className"> {
  label: string;
  /** A second line, left out on phones. */
  hint: string;
  icon: ReactNode;
}

/** A tile of the quick actions: icon, name, and one line about what it does. */
export function QuickTile({ label, hint, icon, ...native }: QuickTileProps) {
  const hintId = useId();
  return (
    <div className="relative grid min-h-24 content-start justify-items-start gap-1 rounded-tile border border-line bg-surface p-2.5 transition-colors duration-120 hover:border-brand hover:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-md:min-h-20 max-md:text-sm sm:p-3 md:p-3.5">
      <span aria-hidden className="mb-1 text-brand-ink [&>svg]:size-5">
        {icon}
      </span>
      {/* It covers the whole tile. The line below is its description, and no part of its name. */}
      <button
        type="button"
        aria-describedby={hintId}
        className="text-left leading-tight font-semibold outline-none after:absolute after:inset-0"
        {...native}
      >
        {label}
      </button>
      <span id={hintId} className="text-[0.8125rem] text-muted max-md:sr-only">
        {hint}
      </span>
    </div>
  );
}
