import type { ComponentProps, MouseEvent } from "react";
import clsx from "clsx";
import { buttonStyle, type ButtonSize, type ButtonVariant } from "./buttonStyle";
import { Spinner } from "./Spinner";

interface PressProps extends ComponentProps<"button"> {
  /**
   * The second click of a double click does nothing: the first has moved another button under the pointer, or turned this
   * one into its opposite.
   */
  ignoresSecondClick?: boolean;
}

export interface ButtonProps extends PressProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  /** In flight: shows a spinner, ignores clicks, stays focusable. */
  isBusy?: boolean;
  /** Replaces the label while busy ("Creating..."). */
  busyLabel?: string;
}

/** The one button. `type` is "button" unless said otherwise. */
export function Button({
  variant = "primary",
  size = "md",
  isFullWidth = false,
  isBusy = false,
  busyLabel,
  type = "button",
  ignoresSecondClick = false,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const onPress = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy || (ignoresSecondClick && isSecondClick(event))) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type={type}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={clsx(buttonStyle(variant, size, isFullWidth), className)}
      onClick={onPress}
      {...rest}
    >
      {isBusy && <Spinner />}
      {isBusy && busyLabel !== undefined ? busyLabel : children}
    </button>
  );
}

const isSecondClick = ({ detail }: MouseEvent): boolean => detail > 1;

/** A square icon button; `label` is its accessible name. */
export function IconButton({
  label,
  size = "md",
  ignoresSecondClick = false,
  className,
  onClick,
  children,
  ...rest
}: Omit<PressProps, "aria-label"> & { label: string; size?: "sm" | "md" }) {
  const onPress = (event: MouseEvent<HTMLButtonElement>) => {
    if (!ignoresSecondClick || !isSecondClick(event)) onClick?.(event);
  };
  return (
    <button
      type="button"
      aria-label={label}
      className={clsx(
        "inline-grid shrink-0 place-items-center rounded-control text-muted transition-colors duration-120",
        "hover:bg-sunken hover:text-ink disabled:opacity-55 print:hidden",
        size === "sm" ? "size-8 [&>svg]:size-4.5" : "size-11 [&>svg]:size-5",
        className,
      )}
      onClick={onPress}
      {...rest}
    >
      {children}
    </button>
  );
}
