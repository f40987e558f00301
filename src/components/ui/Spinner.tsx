import { LoaderCircle } from "lucide-react";
import clsx from "clsx";

/** A turning ring. Decorative: the words beside it carry the meaning. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={clsx("size-4 animate-spin", className)} />;
}

/** A centred spinner whose label is announced, for a whole page or panel. */
export function PageSpinner({ label, className }: { label: string; className?: string }) {
  return (
    <div
      role="status"
      data-page-spinner
      className={clsx("grid content-center justify-items-center gap-3 py-24 text-muted", className)}
    >
      <Spinner className="size-7 text-brand" />
      <span>{label}</span>
    </div>
  );
}
