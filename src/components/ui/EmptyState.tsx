import type { ReactNode } from "react";

/** Says what will appear here and offers the one action that makes it appear. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center">
      <span
        aria-hidden
        className="mb-1 grid size-12 place-items-center rounded-pill bg-brand-soft text-brand-ink [&>svg]:size-6"
      >
        {icon}
      </span>
      <p className="font-semibold">{title}</p>
      {children !== undefined && (
        <p className="max-w-[46ch] text-sm text-balance text-muted">{children}</p>
      )}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}
