import { useEffect, useRef, type FocusEvent } from "react";
import { Link, useLocation } from "react-router-dom";
import clsx from "clsx";
import { PATHS } from "../../lib/paths";

const LINKS = [
  { to: PATHS.admin, label: "Users" },
  { to: PATHS.adminDeposits, label: "Deposits" },
  { to: PATHS.adminApprovals, label: "Approvals" },
  { to: PATHS.adminMessages, label: "Messages" },
  { to: PATHS.adminOutbox, label: "Outbox" },
  { to: PATHS.adminAudit, label: "Audit log" },
  { to: PATHS.adminPolicies, label: "Policies" },
  { to: PATHS.adminHealth, label: "Health" },
] as const;

/** Belongs to the Users room, where its button is. */
const PART_OF_USERS = PATHS.adminResetTransfers;

/** On phones the row scrolls; the page stays. */
function showInRow(link: HTMLElement | null | undefined): void {
  const row = link?.closest("nav");
  if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

/** A link in part visible: the browser does not scroll to it. Not under a pointer, which would miss it. */
const showFocused = ({ target }: FocusEvent<HTMLElement>) => {
  if (target.matches(":focus-visible")) showInRow(target);
};

/** The sections of the back office. */
export function BackOfficeNav() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const row = nav.current;
    if (row === null) return undefined;
    // At once, and again when the device is turned.
    const observer = new ResizeObserver(() =>
      showInRow(row.querySelector<HTMLElement>('[aria-current="page"]')),
    );
    observer.observe(row);
    return () => observer.disconnect();
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label="Back office"
      onFocus={showFocused}
      className="relative -mx-4 overflow-x-auto px-4 [scrollbar-width:none] md:-mx-6 md:px-6"
    >
      <ul className="flex w-max gap-1 py-1">
        {LINKS.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={isHere(to, pathname) ? "page" : undefined}
              className={clsx(
                "touch-room inline-flex min-h-9 items-center rounded-pill px-3.5 text-sm font-semibold transition-colors duration-120",
                isHere(to, pathname)
                  ? "bg-brand text-on-brand forced-colors:outline forced-colors:-outline-offset-4"
                  : "text-muted hover:bg-neutral-soft hover:text-ink",
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isHere(to: string, pathname: string): boolean {
  return pathname === to || (to === PATHS.admin && pathname === PART_OF_USERS);
}
