import type { ComponentProps } from "react";
import clsx from "clsx";
import { padAmount, shapeAmount } from "../../lib/amountText";
import { controlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

type NativeProps = Omit<ComponentProps<"input">, "type" | "value" | "onChange" | "size">;

export type AmountInputProps = FieldProps &
  NativeProps & {
    /** Text as typed, at most two decimals; give it to `parseAmount`. */
    value: string;
    onValueChange: (text: string) => void;
    /** The large figure of a form's main amount. */
    isLarge?: boolean;
  };

/** Dollars as text with a decimal keypad: takes nothing but amounts, padded when left. */
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
            onChange={(event) => {
              const shaped = shapeAmount(event.target.value);
              if (shaped !== null) onValueChange(shaped);
            }}
            onBlur={(event) => {
              const padded = padAmount(event.target.value);
              if (padded !== value) onValueChange(padded);
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
