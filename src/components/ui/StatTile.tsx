import clsx from "clsx";
import type { ReactNode } from "react";

/**
 * A figure of the band: label, value, note, and an optional small chart. Each part has its own row of the grid that
 * holds the tiles, so that figures line up even if a label takes two lines.
 */
export function StatTile({
  label,
  value,
  note,
  isSmall = false,
  className,
  children,
}: {
  label: string;
  value: ReactNode;
  note: ReactNode;
  /** A long figure: smaller type rather than a truncated end. */
  isSmall?: boolean;
  className: string;
  children?: ReactNode;
}) {
  return (
    <div className={clsx("row-span-4 grid grid-rows-subgrid", className)}>
      <p className="self-end text-[0.8125rem] text-on-band-muted md:text-[0.9375rem]">{label}</p>
      <p
        className={clsx(
          "num mt-0.5 font-display text-lg leading-tight font-semibold whitespace-nowrap max-[22rem]:text-base",
          isSmall ? "xl:text-xl" : "md:text-2xl",
        )}
      >
        {value}
      </p>
      <p className="mt-0.5 text-[0.8125rem] text-on-band-muted md:text-sm">{note}</p>
      {children}
    </div>
  );
}
