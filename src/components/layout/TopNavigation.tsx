import type { ReactNode } from "react";
import { ChevronDown, CircleHelp, KeyRound, LogOut, RotateCcw, UserRound } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import clsx from "clsx";
import { INSTITUTION } from "#shared/institution";
import { PATHS } from "../../lib/paths";
import { Avatar, initialsOf } from "../ui/Avatar";
import { Wordmark } from "../ui/Mark";
import { Menu, type MenuEntry } from "../ui/Menu";
import { Tooltip } from "../ui/Tooltip";
import { isCurrentLink, MAIN_LINKS } from "./mainLinks";

interface TopNavigationProps {
  name: string;
  email: string;
  isAdmin: boolean;
  /** The bell with its panel. */
  notifications: ReactNode;
  onSignOut: () => void;
}

/** The signed-in frame's top bar: mark, four links, help, notifications, account menu. */
export function TopNavigation({
  name,
  email,
  isAdmin,
  notifications,
  onSignOut,
}: TopNavigationProps) {
  const location = useLocation();
  const iconStyle = "size-4.5 text-muted";
  const entries: MenuEntry[] = [
    ...(isAdmin
      ? [
          {
            label: "Reset Transfer Counts",
            to: PATHS.adminResetTransfers,
            icon: <RotateCcw aria-hidden className={iconStyle} />,
          },
        ]
      : []),
    {
      label: "Profile Settings",
      to: PATHS.profileSettings,
      icon: <UserRound aria-hidden className={iconStyle} />,
    },
    {
      label: "Account Settings",
      to: PATHS.accountSettings,
      icon: <KeyRound aria-hidden className={iconStyle} />,
    },
    {
      label: "Sign out",
      onSelect: onSignOut,
      icon: <LogOut aria-hidden className={iconStyle} />,
    },
  ];
  return (
    <header data-head className="relative z-10 border-b border-line bg-surface print:hidden">
      <div
        className={clsx(
          "mx-auto flex min-h-16 flex-wrap items-stretch gap-x-3 px-4 max-md:py-1.5 max-sm:gap-x-2 max-[16rem]:gap-x-0 max-[16rem]:px-1 md:px-6",
          location.pathname.startsWith(PATHS.admin) ? "max-w-admin" : "max-w-member",
        )}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:gap-x-2 md:mr-1 lg:mr-10">
          <Link
            to={isAdmin ? PATHS.admin : PATHS.dashboard}
            className="touch-room flex rounded-control"
            aria-label={`${INSTITUTION.fullName}, home`}
          >
            {/* On the narrowest phones the Admin pill replaces the words. */}
            <Wordmark className={clsx(isAdmin && "max-[24rem]:[&>span:last-child]:hidden")} />
          </Link>
          {isAdmin && (
            <Link
              to={PATHS.admin}
              className="touch-room rounded-pill bg-beacon px-2.5 py-0.5 text-[0.8125rem] font-semibold text-on-beacon"
            >
              Admin
            </Link>
          )}
        </div>
        <nav
          aria-label="Main"
          className="hidden flex-wrap items-stretch gap-x-4 md:flex lg:gap-x-8"
        >
          {MAIN_LINKS.map((link) => {
            const isCurrent = isCurrentLink(link, location);
            return (
              <Link
                key={link.label}
                to={link.to}
                aria-current={isCurrent ? "page" : undefined}
                className={clsx(
                  "flex items-center border-y-3 border-t-transparent px-0.5 forced-colors:border-t-[Canvas] -outline-offset-2 transition-colors duration-120",
                  isCurrent
                    ? "border-b-brand font-semibold text-ink"
                    : "border-b-transparent text-muted hover:text-ink forced-colors:border-b-[Canvas]",
                )}
              >
                <span data-label={link.label} className="room-for-semibold">
                  {link.label}
                </span>
              </Link>
            );
          })}
        </nav>
        <div className="ml-auto flex items-center gap-0.5 sm:gap-1">
          <Tooltip label="Help" trigger={<CircleHelp aria-hidden />}>
            <span className="block font-semibold">Need help?</span>
            <span className="mt-1 block">
              Write to{" "}
              <span className="font-semibold wrap-anywhere">{INSTITUTION.supportEmail}</span>
            </span>
            <span className="mt-1 block text-balance text-muted">{INSTITUTION.supportHours}</span>
          </Tooltip>
          {notifications}
          <Menu
            // With the initials, which are all that phones show of the name.
            label={`Account menu, ${initialsOf(name)} ${name}`}
            triggerClassName="min-h-11 gap-2.5 px-1.5 sm:px-2"
            trigger={
              <>
                <Avatar name={name} />{" "}
                <span dir="auto" className="hidden max-w-44 truncate font-semibold lg:block">
                  {name}
                </span>
                <ChevronDown aria-hidden className="hidden size-4 text-muted lg:block" />
              </>
            }
            heading={
              <>
                <p dir="auto" className="truncate text-left font-semibold">
                  {name}
                </p>
                <p className="truncate text-sm text-muted">{email}</p>
              </>
            }
            entries={entries}
          />
        </div>
      </div>
    </header>
  );
}
