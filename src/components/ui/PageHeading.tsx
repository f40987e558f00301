import { useEffect, useRef, type ReactNode } from "react";
import clsx from "clsx";
import { hasNavigated } from "../../lib/navigation";
import { useDocumentTitle } from "../../hooks/useDocumentTitle";

/** If someone opened a menu or dialog while the page was loading, focus stays there. */
function isInPopup(element: Element | null): boolean {
  return (
    element !== null &&
    element.closest(
      '[aria-expanded="true"], [role="menu"], [role="dialog"], [role="alertdialog"]',
    ) !== null
  );
}

/**
 * The h1 of a page. Sets the document title and takes focus after a client route change, so that
 * the new page is announced.
 */
export function PageHeading({
  title,
  className,
  describedBy,
  children,
}: {
  /** For the document title; also the text of the heading unless children are given. */
  title: string;
  className?: string;
  /** Id of the text read out with the heading when it takes the focus. */
  describedBy?: string | undefined;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useEffect(() => {
    if (hasNavigated() && !isInPopup(document.activeElement)) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [title]);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      aria-describedby={describedBy}
      className={clsx("text-page-title", className)}
    >
      {children ?? title}
    </h1>
  );
}
