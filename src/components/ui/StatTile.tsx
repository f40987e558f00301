import type { ReactNode } from "react";

/** A figure of the band: label, value, note, and an optional small chart. */
export function StatTile({
  label,
  value,
  note,
  children,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <p className="text-[0.8125rem] text-on-band-muted md:text-[0.9375rem]">{label}</p>
      <p className="num mt-0.5 truncate font-display text-lg leading-tight font-semibold md:text-2xl">
        {value}
      </p>
      {note !== undefined && (
        <p className="mt-0.5 text-[0.8125rem] text-on-band-muted md:text-sm">{note}</p>
      )}
      {children}
    </div>
  );
}
