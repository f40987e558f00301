import { useState, type ComponentProps } from "react";
import clsx from "clsx";
import { parseCents, toDecimalText } from "#shared/money";
import { controlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

type NativeProps = Omit<ComponentProps<"input">, "type" | "value" | "onChange" | "size">;

type AmountInputProps = FieldProps &
  NativeProps & {
    /** Text as typed; pass it to `parseAmount`. */
    value: string;
    onValueChange: (text: string) => void;
    /** The large figure of a form's main amount. */
    isLarge?: boolean;
  };

/** "7" becomes "7.00", "$1,234.5" becomes "1234.50"; anything that is not an amount stays as it is. */
function writtenOut(text: string): string {
  const cents = parseCents(text);
  return cents === null ? text : toDecimalText(cents);
}

/**
 * Dollars as text with a decimal keypad. On blur an amount is shown written out; anything else stays as typed, for the
 * form to refuse: dropping characters would make it a different amount.
 *
 * The form keeps the text as typed. Blur is not an edit: a refusal's dialog, which takes the focus from here, would be
 * closed by the very edit it caused.
 */
export function AmountInput(props: AmountInputProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onValueChange, isLarge = false, onBlur, className, ...native } = control;
  const [isTyping, setIsTyping] = useState(false);
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
            value={isTyping ? value : writtenOut(value)}
            onChange={(event) => {
              setIsTyping(true);
              onValueChange(event.target.value);
            }}
            onBlur={(event) => {
              setIsTyping(false);
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
