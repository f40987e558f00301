import type { ReactNode, Ref } from "react";
import { CircleAlert } from "lucide-react";
import clsx from "clsx";

/** The one sentence that says why a form was refused. Nothing is rendered without children. */
export function FormAlert({
  ref,
  id,
  className,
  children,
}: {
  ref?: Ref<HTMLDivElement>;
  id?: string;
  className?: string;
  children?: ReactNode;
}) {
  if (!children) return null;
  return (
    <div
      ref={ref}
      id={id}
      role="alert"
      className={clsx(
        "animate-popup flex items-start gap-2.5 rounded-control bg-neg-soft px-3.5 py-2.5 font-medium text-neg forced-colors:border",
        "[&_a]:underline [&_a]:underline-offset-2",
        className,
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </div>
  );
}
