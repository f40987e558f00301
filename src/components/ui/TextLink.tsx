import { Link, type LinkProps } from "react-router-dom";
import clsx from "clsx";

const STYLE =
  "rounded-sm font-semibold text-brand-ink underline decoration-1 underline-offset-3 hover:decoration-2";

/** An underlined link in running text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link className={clsx(STYLE, className)} {...rest} />;
}

/** A mail link that shows its address. */
export function MailLink({ address, className }: { address: string; className?: string }) {
  return (
    <a href={`mailto:${address}`} className={clsx(STYLE, "break-words", className)}>
      {address}
    </a>
  );
}
