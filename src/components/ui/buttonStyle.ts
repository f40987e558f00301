import clsx from "clsx";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "dangerGhost" | "band";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-brand text-on-brand hover:bg-brand-hover",
  secondary: "border border-control bg-surface text-ink hover:border-ink hover:bg-neutral-soft",
  ghost: "text-brand-ink hover:bg-brand-soft",
  danger: "bg-neg-fill text-white hover:brightness-90",
  dangerGhost: "text-neg hover:bg-neg-soft",
  /** On the petrol band. */
  band: "border border-band-line text-on-band hover:border-on-band hover:bg-white/10",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "touch-room min-h-9 gap-1.5 px-3 text-sm",
  md: "min-h-11 gap-2 px-4 text-[0.9375rem]",
  lg: "min-h-12 gap-2 px-5 text-base",
};

/** Classes shared by Button and ButtonLink. */
export function buttonStyle(variant: ButtonVariant, size: ButtonSize, isFullWidth: boolean) {
  return clsx(
    "inline-flex items-center justify-center rounded-control text-center font-semibold [&>svg]:shrink-0",
    "transition-colors duration-120 active:translate-y-px",
    "disabled:opacity-55 aria-disabled:opacity-55",
    // As wide as when it was pressed: the ring takes the place of an icon, or of some padding.
    "aria-busy:min-w-(--pressed-width) aria-busy:px-1.5 aria-busy:[&>svg~svg]:hidden",
    // With forced colors a filled button has no other edge.
    "print:hidden forced-colors:border",
    VARIANTS[variant],
    SIZES[size],
    isFullWidth && "w-full",
  );
}
