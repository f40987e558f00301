import type { ComponentProps, ReactNode } from "react";
import clsx from "clsx";
import { controlStyle, denseControlStyle, Field, splitFieldProps, type FieldProps } from "./Field";

type TextInputProps = FieldProps &
  ComponentProps<"input"> & {
    isDense?: boolean;
    /** A decorative icon at the start. */
    icon?: ReactNode;
  };

/** A labelled one-line input: text, email, tel, date, time, number, search. Works with `register`. */
export function TextInput(props: TextInputProps) {
  const { field, control } = splitFieldProps(props);
  const { isDense = false, icon, className, type = "text", ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <div className="relative">
          {icon !== undefined && (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted [&>svg]:size-4"
            >
              {icon}
            </span>
          )}
          <input
            type={type}
            className={clsx(
              isDense ? denseControlStyle : controlStyle,
              icon !== undefined && "pl-9!",
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

/** A labelled text area. */
export function Textarea(props: FieldProps & ComponentProps<"textarea">) {
  const { field, control } = splitFieldProps(props);
  const { className, rows = 4, ...native } = control;
  return (
    <Field {...field}>
      {(wired) => (
        <textarea rows={rows} className={clsx(controlStyle, className)} {...native} {...wired} />
      )}
    </Field>
  );
}
