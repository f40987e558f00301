import { Link, useLocation } from "react-router-dom";
import clsx from "clsx";
import { isCurrentLink, MAIN_LINKS } from "./mainLinks";

/** The four destinations within thumb reach on phones; at the end of the page on short screens. */
export function BottomBar() {
  const location = useLocation();
  return (
    <nav
      aria-label="Main"
      className="inset-x-0 bottom-0 z-40 not-short:fixed border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex min-h-15 flex-wrap">
        {MAIN_LINKS.map((link) => {
          const isCurrent = isCurrentLink(link, location);
          const Icon = link.icon;
          return (
            <li key={link.label} className="grid flex-[1_0_25%]">
              <Link
                to={link.to}
                aria-current={isCurrent ? "page" : undefined}
                className={clsx(
                  "grid content-center justify-items-center gap-1 text-xs -outline-offset-2",
                  isCurrent ? "font-semibold text-brand-ink" : "text-muted",
                )}
              >
                <Icon aria-hidden className="size-5" />
                {link.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
