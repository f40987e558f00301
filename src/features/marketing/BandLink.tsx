import clsx from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";

interface BandLinkProps {
  readonly to: string;
  readonly variant: "solid" | "outline";
  readonly children: ReactNode;
}

/** A large link on the band: the page's invitation, light on petrol in both themes. */
export function BandLink({ to, variant, children }: BandLinkProps) {
  return (
    <Link
      to={to}
      className={clsx(
        "inline-flex min-h-12 items-center justify-center gap-2 rounded-control px-6 text-[0.9375rem] font-semibold transition-colors duration-100",
        variant === "solid"
          ? "bg-on-band text-band hover:bg-white forced-colors:border"
          : "border border-on-band-muted/60 text-on-band hover:bg-white/10",
      )}
    >
      {children}
    </Link>
  );
}
