import type { ComponentProps } from "react";
import clsx from "clsx";

/** A whole row of a list as one button; `isSelected` marks the row whose details are open. */
export function RowButton({
  isSelected = false,
  className,
  ...rest
}: ComponentProps<"button"> & { isSelected?: boolean }) {
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      className={clsx(
        "relative block w-full px-4 py-3 text-left transition-colors duration-120 outline-offset-[-2px]!",
        isSelected
          ? "bg-brand-soft before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-brand forced-colors:before:bg-[Highlight]"
          : "hover:bg-neutral-soft",
        className,
      )}
      {...rest}
    />
  );
}
