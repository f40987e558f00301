import type { ReactNode } from "react";
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import clsx from "clsx";

const TONES = {
  success: { box: "bg-pos-soft text-pos", icon: CircleCheck },
  info: { box: "bg-brand-soft text-brand-ink", icon: Info },
  warning: { box: "bg-warn-soft text-warn", icon: TriangleAlert },
} as const;

interface NoticeProps {
  tone?: keyof typeof TONES;
  className?: string;
  children?: ReactNode;
}

function NoticeBody({ tone = "success", className, children }: NoticeProps) {
  const { box, icon: Icon } = TONES[tone];
  return (
    <div
      className={clsx(
        "animate-popup flex items-start gap-2.5 rounded-control px-3.5 py-2.5 font-medium forced-colors:border",
        box,
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}

/**
 * The outcome of an action, announced politely. Keep it mounted and pass children when there is
 * something to say: a live region must exist before its text.
 */
export function StatusBanner(props: NoticeProps) {
  return (
    <div role="status" className="empty:absolute">
      {Boolean(props.children) && <NoticeBody {...props} />}
    </div>
  );
}

/** A standing note on a panel; not announced. */
export function Notice({ tone = "info", ...rest }: NoticeProps) {
  return <NoticeBody tone={tone} {...rest} />;
}
