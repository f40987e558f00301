import type { ReactNode } from "react";
import clsx from "clsx";

interface RadioCardOption {
  value: string;
  label: string;
  icon?: ReactNode;
  detail?: string;
}

interface RadioCardsProps {
  legend: string;
  /** For where a heading above says the same; assistive technology still reads the legend. */
  isLegendHidden?: boolean;
  name: string;
  options: readonly RadioCardOption[];
  value: string;
  onValueChange: (value: string) => void;
  isInvalid?: boolean;
  describedBy?: string | undefined;
  /** Columns where there is room; otherwise two, or one where the last card would be alone in its row. */
  columns?: 2 | 3;
  /** Id of the radio that takes the focus: the chosen one, or else the first. */
  id?: string;
}

/** Native radios drawn as cards, in a fieldset named by its legend. */
export function RadioCards({
  legend,
  isLegendHidden = false,
  name,
  options,
  value,
  onValueChange,
  isInvalid = false,
  describedBy,
  columns = 3,
  id,
}: RadioCardsProps) {
  const chosen = options.findIndex((option) => option.value === value);
  return (
    <fieldset aria-describedby={describedBy} className="@container grid gap-1.5">
      <legend className={clsx("mb-1.5 text-sm font-semibold", isLegendHidden && "sr-only")}>
        {legend}
      </legend>
      {/* Not a grid: a word that is wider than a column makes its card wider instead of being broken. */}
      <div
        className={clsx(
          "flex flex-wrap gap-2 *:max-w-full *:grow *:basis-full",
          options.length % 2 === 0 && "@min-[17.5rem]:*:basis-2/5",
          columns === 3 ? "@min-[30rem]:*:basis-3/10" : "@min-[30rem]:*:basis-2/5",
        )}
      >
        {options.map((option, index) => (
          <label
            key={option.value}
            className={clsx(
              "relative flex min-h-11 gap-2.5 rounded-tile border bg-surface px-3 py-2.5 transition-colors duration-120",
              option.detail === undefined ? "items-center" : "items-start",
              "has-checked:border-brand has-checked:bg-brand-soft has-checked:ring-1 has-checked:ring-brand forced-colors:has-checked:border-4 forced-colors:has-checked:border-[Highlight]",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
              isInvalid ? "border-neg" : "border-control hover:border-muted",
            )}
          >
            <input
              id={index === Math.max(chosen, 0) ? id : undefined}
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onValueChange(option.value)}
              className="absolute inset-0 appearance-none rounded-tile outline-none"
            />
            {option.icon !== undefined && (
              <span aria-hidden className="text-brand-ink [&>svg]:size-5">
                {option.icon}
              </span>
            )}
            <span className="min-w-0 wrap-break-word">
              <span className="block font-semibold">{option.label}</span>
              {option.detail !== undefined && (
                <span className="block text-[0.8125rem] text-muted">{option.detail}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
