import { useState, type ComponentProps, type FocusEvent, type MouseEvent } from "react";
import clsx from "clsx";
import { buttonStyle, type ButtonSize, type ButtonVariant } from "./buttonStyle";
import { Spinner } from "./Spinner";

interface PressProps extends ComponentProps<"button"> {
  /**
   * A double click acts once: the first has moved another button to this place, or turned this one into its opposite. In
   * a live list also see lib/movedRows.
   */
  isPressedOnce?: boolean;
}

const clickHandler =
  (
    { isPressedOnce = false, onClick }: Pick<PressProps, "isPressedOnce" | "onClick">,
    ignoresPresses = false,
  ) =>
  (event: MouseEvent<HTMLButtonElement>) => {
    if (ignoresPresses || (isPressedOnce && event.detail > 1)) event.preventDefault();
    else onClick?.(event);
  };

export interface ButtonProps extends PressProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  /** In flight: shows a spinner, ignores clicks, stays focusable. */
  isBusy?: boolean;
  /** Replaces the label while busy ("Creating..."). */
  busyLabel?: string;
}

/**
 * The one button. `type` is "button" unless said otherwise. One that is disabled while it has the focus, as by its own
 * click or a lost connection, ignores clicks but stays focusable until it is left: the browser would drop the focus.
 */
export function Button({
  variant = "primary",
  size = "md",
  isFullWidth = false,
  isBusy = false,
  busyLabel,
  type = "button",
  disabled = false,
  isPressedOnce,
  className,
  onClick,
  onFocus,
  onBlur,
  children,
  ...rest
}: ButtonProps) {
  const [isFocused, setIsFocused] = useState(false);
  const ignoresPresses = isBusy || disabled;
  const onEnter = (event: FocusEvent<HTMLButtonElement>) => {
    setIsFocused(true);
    onFocus?.(event);
  };
  const onPress = (event: MouseEvent<HTMLButtonElement>) => {
    const { style } = event.currentTarget;
    const { width } = event.currentTarget.getBoundingClientRect();
    if (!ignoresPresses) style.setProperty("--pressed-width", `${width}px`);
    clickHandler({ isPressedOnce, onClick }, ignoresPresses)(event);
  };
  const onLeave = (event: FocusEvent<HTMLButtonElement>) => {
    setIsFocused(false);
    onBlur?.(event);
  };
  return (
    <button
      type={type}
      disabled={disabled && !isFocused}
      aria-disabled={isBusy || (disabled && isFocused) || undefined}
      aria-busy={isBusy || undefined}
      data-pressed-once={isPressedOnce}
      className={clsx(buttonStyle(variant, size, isFullWidth), className)}
      onClick={onPress}
      onFocus={onEnter}
      onBlur={onLeave}
      {...rest}
    >
      {isBusy && <Spinner />}
      {isBusy && busyLabel !== undefined ? busyLabel : children}
    </button>
  );
}

/** A square icon button; `label` is its accessible name. */
export function IconButton({
  label,
  size = "md",
  isPressedOnce,
  className,
  onClick,
  children,
  ...rest
}: Omit<PressProps, "aria-label"> & { label: string; size?: "sm" | "md" }) {
  return (
    <button
      type="button"
      aria-label={label}
      data-pressed-once={isPressedOnce}
      className={clsx(
        "inline-grid shrink-0 place-items-center rounded-control text-muted transition-colors duration-120",
        "hover:bg-neutral-soft hover:text-ink disabled:opacity-55 print:hidden",
        size === "sm" ? "touch-room size-8 [&>svg]:size-4.5" : "size-11 [&>svg]:size-5",
        className,
      )}
      onClick={clickHandler({ isPressedOnce, onClick })}
      {...rest}
    >
      {children}
    </button>
  );
}
