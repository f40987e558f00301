import type { ReactNode } from "react";
import clsx from "clsx";

const WIDTHS = {
  member: "max-w-member",
  admin: "max-w-admin",
  public: "max-w-public",
  /** A single form or a text. */
  form: "max-w-form",
} as const;

/** The centred column of a page, with its gutters. */
export function PageContainer({
  width = "member",
  className,
  children,
}: {
  width?: keyof typeof WIDTHS;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={clsx("mx-auto w-full px-4 md:px-6", WIDTHS[width], className)}>{children}</div>
  );
}
