import { Link, type LinkProps } from "react-router-dom";
import clsx from "clsx";

/** A link in running text. */
export const linkStyle =
  "rounded-sm font-semibold text-brand-ink underline decoration-1 underline-offset-3 hover:decoration-2";

/** A link alone on its line is a separate target: at least 24 px high (WCAG 2.5.8). */
const STANDALONE = "inline-block py-0.5";

/** An underlined link. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link className={clsx(linkStyle, className)} {...rest} />;
}

/** A mail link that shows its address; on the narrowest phones it may wrap at the "@". */
export function MailLink({
  address,
  isStandalone = false,
}: {
  address: string;
  /** Not in running text. */
  isStandalone?: boolean;
}) {
  const hostAt = address.indexOf("@") + 1;
  return (
    <a
      // A visitor's own may contain what mail programs take for further recipients, or for a text.
      href={`mailto:${address.split("@").map(encodeURIComponent).join("@")}`}
      // Read as one word, wherever the line breaks.
      aria-label={address}
      className={clsx(linkStyle, "wrap-anywhere", isStandalone && STANDALONE)}
    >
      {address.slice(0, hostAt)}
      <wbr className="min-[22rem]:hidden" />
      {address.slice(hostAt)}
    </a>
  );
}
