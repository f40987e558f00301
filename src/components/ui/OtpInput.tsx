import { OTP_DIGITS } from "#shared/limits";
import type { ComponentProps } from "react";
import clsx from "clsx";
import { isKeyPress } from "../../lib/keyPress";
import { Field, splitFieldProps, type FieldProps } from "./Field";

const digitsOf = (text: string): string => text.replace(/\D/g, "");
const codeOf = (text: string): string => digitsOf(text).slice(0, OTP_DIGITS);

type OtpInputProps = FieldProps &
  Omit<ComponentProps<"input">, "type" | "value" | "onChange" | "size"> & {
    value: string;
    onValueChange: (digits: string) => void;
  };

/** A six-digit code: one real field drawn as six slots, so paste, autofill and readers work. */
export function OtpInput(props: OtpInputProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onValueChange, className, ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <div className="relative mt-0.5 mb-1.5 w-fit max-w-full">
          <div
            aria-hidden
            className="flex gap-1.5 sm:gap-2 [&>span:nth-child(4)]:ml-2 sm:[&>span:nth-child(4)]:ml-3"
          >
            {Array.from({ length: OTP_DIGITS }, (_, slot) => (
              <span
                key={slot}
                className={clsx(
                  "num grid h-13 w-10 min-w-0 place-items-center rounded-control border bg-surface font-display text-2xl font-semibold sm:h-14 sm:w-12",
                  wired["aria-invalid"] ? "border-neg ring-1 ring-neg" : "border-control",
                  slot === value.length && "border-brand!",
                )}
              >
                {value[slot]}
              </span>
            ))}
          </div>
          <input
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern={`\\d{${OTP_DIGITS}}`}
            value={value}
            onChange={(event) => {
              // No `maxLength`: it would cut "123 456" before its space is gone.
              const isFull = digitsOf(event.target.value).length > OTP_DIGITS;
              if (!isFull || !isKeyPress(event)) onValueChange(codeOf(event.target.value));
            }}
            onPaste={(event) => {
              // Replaces what is there, wherever the caret is.
              event.preventDefault();
              onValueChange(codeOf(event.clipboardData.getData("text")));
            }}
            className={clsx(
              "absolute inset-0 w-full rounded-control bg-transparent text-transparent caret-transparent outline-offset-4",
              "forced-color-adjust-none selection:bg-transparent autofill:[-webkit-text-fill-color:transparent]",
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
