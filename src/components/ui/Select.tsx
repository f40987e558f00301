import type { ComponentProps } from "react";
import { ChevronDown } from "lucide-react";
import clsx from "clsx";
import { controlStyle, denseControlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

interface SelectOption {
  value: string;
  label: string;
}

export type SelectProps = FieldProps &
  Omit<ComponentProps<"select">, "multiple" | "children"> & {
    options: readonly SelectOption[];
    /** Shown first, with the empty value, when nothing is chosen. */
    placeholder?: string;
    isDense?: boolean;
  };

/** A labelled native select. Works with `register`. */
export function Select(props: SelectProps) {
  const { field, control } = splitFieldProps(props);
  const { options, placeholder, isDense = false, className, ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <div className="relative">
          <select
            className={clsx(
              "appearance-none overflow-hidden text-ellipsis",
              // A choice that is too long for its line, as of two amounts beside each other, takes another one.
              isDense
                ? [denseControlStyle, "pr-7! whitespace-nowrap"]
                : [controlStyle, "pr-9! whitespace-normal"],
              className,
            )}
            {...native}
            {...wired}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className={clsx(
              "pointer-events-none absolute top-1/2 size-4 -translate-y-1/2 text-ink",
              isDense ? "right-2.5" : "right-3.5",
            )}
          />
        </div>
      )}
    </Field>
  );
}
