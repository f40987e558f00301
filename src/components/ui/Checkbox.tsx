import { useId, type ComponentProps, type ReactNode } from "react";
import { Check } from "lucide-react";
import clsx from "clsx";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "onChange"> {
  label: ReactNode;
  hint?: ReactNode;
  onCheckedChange?: (isChecked: boolean) => void;
}

/** A labelled checkbox: 20 px box in a 40 px row. */
export function Checkbox({
  label,
  hint,
  onCheckedChange,
  className,
  id,
  ...native
}: CheckboxProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  return (
    <div className={clsx("flex min-h-10 items-start gap-2.5 py-2", className)}>
      <span className="relative z-1 grid size-5 shrink-0 place-items-center">
        <input
          id={controlId}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : `${controlId}-hint`}
          onChange={(event) => onCheckedChange?.(event.target.checked)}
          className="peer absolute inset-0 appearance-none rounded border border-control bg-surface checked:border-brand checked:bg-brand disabled:opacity-55"
          {...native}
        />
        {/* Forced colors remove the box's background, but an icon keeps its own color. */}
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none relative size-3.5 text-on-brand opacity-0 peer-checked:opacity-100 forced-colors:text-[CanvasText]"
        />
      </span>
      <span className="grid">
        {/* For a finger, the whole line is the label, its box too. */}
        <label
          htmlFor={controlId}
          className="relative leading-[max(1.25em,1.25rem)] pointer-coarse:after:absolute pointer-coarse:after:-inset-y-3 pointer-coarse:after:right-0 pointer-coarse:after:-left-10.5"
        >
          {label}
        </label>
        {hint !== undefined && (
          <span id={`${controlId}-hint`} className="text-[0.8125rem] text-muted">
            {hint}
          </span>
        )}
      </span>
    </div>
  );
}
