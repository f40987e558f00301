import type { ComponentProps } from "react";
import clsx from "clsx";
import { parseCents, toDecimalText } from "#shared/money";
import { controlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

type NativeProps = Omit<ComponentProps<"input">, "type" | "value" | "onChange" | "size">;

export type AmountInputProps = FieldProps &
  NativeProps & {
    /** Text as typed; give it to `parseAmount`. */
    value: string;
    onValueChange: (text: string) => void;
    /** The large figure of a form's main amount. */
    isLarge?: boolean;
  };

/**
 * Dollars as text with a decimal keypad. When left, an amount is written out ("7" as "7.00", "$1,234.5" as
 * "1234.50"); anything else stays as it was typed, for the form to refuse: leaving characters out would
 * make another amount.
 */
export function AmountInput(props: AmountInputProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onValueChange, isLarge = false, onBlur, className, ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <div className="relative">
          <span
            aria-hidden
            className={clsx(
              "pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-muted",
              isLarge && "font-display text-2xl",
            )}
          >
            $
          </span>
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            onBlur={(event) => {
              const cents = parseCents(value);
              const plain = cents === null ? value : toDecimalText(cents);
              if (plain !== value) onValueChange(plain);
              onBlur?.(event);
            }}
            className={clsx(
              controlStyle,
              "num",
              isLarge ? "min-h-13 pl-9! font-display text-2xl! font-semibold" : "pl-7!",
              className,
            )}
            {...native}
            {...wired}
          />
        </div>
      )}
    </Field>
  );
}
