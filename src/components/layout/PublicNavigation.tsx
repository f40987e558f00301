import clsx from "clsx";
import { Menu, X } from "lucide-react";
import { useEffect, useRef, type FocusEvent } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { NAVIGATION_RESTYLE_PX } from "#shared/limits";
import { useScrolledPast } from "../../hooks/useScrolledPast";
import { IconButton } from "../ui/Button";
import { ButtonLink } from "../ui/ButtonLink";
import { Wordmark } from "../ui/Mark";
import { NAVIGATION_LINKS } from "./publicLinks";

const MENU_ID = "public-menu";

/**
 * Closes the menu when focus leaves it, or it would be hidden behind the backdrop. With no next element, the window
 * lost it.
 */
function closeMenu({ relatedTarget: next }: FocusEvent): void {
  const menu = document.getElementById(MENU_ID);
  if (next !== null && menu?.contains(next) === false) menu.hidePopover();
}

/**
 * The bar over the band of every public page: part of the band at the top, light with a line once the page has
 * scrolled. It is readable even before a script notices the scrolling. Where its links do not fit, which also depends
 * on the text size, there is a menu: a native popover, so that it opens before any script has run.
 */
export function PublicNavigation() {
  const isScrolled = useScrolledPast(NAVIGATION_RESTYLE_PX);
  return (
    <nav
      aria-label="Main"
      data-scrolled={isScrolled}
      onBlur={closeMenu}
      className={clsx(
        "@container fixed inset-x-0 top-0 z-40 border-b transition-colors duration-180",
        isScrolled
          ? "border-line bg-surface text-ink"
          : "on-band border-transparent bg-band/90 text-on-band",
      )}
    >
      <div className="mx-auto flex h-16 max-w-public items-center gap-2 px-4 md:gap-4 md:px-6 lg:gap-8">
        <Link to="/" className="rounded-control">
          <Wordmark />
        </Link>
        <ul className="flex gap-1 @max-3xl:hidden">
          {NAVIGATION_LINKS.map((link) => (
            <li key={link.to}>
              <NavLink
                to={link.to}
                end
                className="relative grid h-16 place-items-center rounded-control px-2 font-medium -outline-offset-2 after:absolute after:inset-x-2 after:bottom-0 after:h-0.75 after:rounded-t-sm after:bg-current after:opacity-0 hover:after:opacity-30 lg:px-3 lg:after:inset-x-3 aria-[current=page]:after:opacity-100"
              >
                {link.label}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="ml-auto flex items-center gap-2 @max-3xl:hidden">
          <ButtonLink to="/login" variant={isScrolled ? "ghost" : "band"}>
            Sign In
          </ButtonLink>
          <ButtonLink
            to="/signup"
            className={clsx(!isScrolled && "bg-on-band! text-band! hover:bg-white!")}
          >
            Open Account
          </ButtonLink>
        </div>
        <IconButton
          label="Open menu"
          popoverTarget={MENU_ID}
          className="ml-auto -mr-2 text-current! hover:bg-white/10! @3xl:hidden"
        >
          <Menu aria-hidden="true" />
        </IconButton>
      </div>
      <PhoneMenu />
    </nav>
  );
}

function PhoneMenu() {
  const menu = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const element = menu.current;
    return () => {
      if (element?.matches(":popover-open")) element.hidePopover();
    };
  }, [pathname]);

  return (
    <div
      ref={menu}
      id={MENU_ID}
      popover="auto"
      className="inset-x-2 top-2 m-0 w-auto rounded-card border border-line bg-raised p-4 text-ink shadow-popup backdrop:bg-backdrop"
    >
      <div className="flex items-center justify-between">
        <span className="pl-3 font-display text-lg font-semibold">Menu</span>
        <IconButton label="Close menu" popoverTarget={MENU_ID} popoverTargetAction="hide">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <ul className="mt-1 grid">
        {NAVIGATION_LINKS.map((link) => (
          <li key={link.to}>
            <NavLink
              to={link.to}
              end
              className="flex min-h-12 items-center rounded-control px-3 text-lg font-medium hover:bg-neutral-soft aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink"
            >
              {link.label}
            </NavLink>
          </li>
        ))}
      </ul>
      <div className="mt-3 grid gap-2 border-t border-line pt-4">
        <ButtonLink to="/login" variant="secondary" size="lg" isFullWidth>
          Sign In
        </ButtonLink>
        <ButtonLink to="/signup" size="lg" isFullWidth>
          Open Account
        </ButtonLink>
      </div>
    </div>
  );
}
