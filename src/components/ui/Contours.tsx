import clsx from "clsx";

/** Contour lines behind the content of a `relative overflow-hidden` band. */
export function Contours({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx("contours pointer-events-none absolute inset-0 -z-10", className)}
    />
  );
}
