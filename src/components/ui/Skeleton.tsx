import clsx from "clsx";

/** A grey block the size of the coming content. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={clsx("animate-skeleton block rounded bg-neutral-soft", className)}
    />
  );
}

/** Rows in the geometry of a list of transactions or people. */
export function SkeletonRows({ count = 4, className }: { count?: number; className?: string }) {
  return (
    <div aria-busy="true" className={clsx("grid gap-4", className)}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex items-center gap-3">
          <Skeleton className="size-10 rounded-pill" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3.5 w-1/2" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton className="h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}

/** A panel of the coming page, as tall as the window, so that nothing visible below it moves. */
export function PanelSkeleton() {
  return <SkeletonRows className="min-h-dvh content-start" />;
}
