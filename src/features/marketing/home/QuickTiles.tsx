import { CalendarClock, Calculator, MonitorSmartphone, type LucideIcon } from "lucide-react";
import { Link } from "react-router-dom";

const TILES: readonly { to: string; icon: LucideIcon; name: string; text: string }[] = [
  {
    to: "/login",
    icon: MonitorSmartphone,
    name: "Online Banking",
    text: "Balances, transfers, bills and checks",
  },
  {
    to: "/calculators",
    icon: Calculator,
    name: "Loan Calculator",
    text: "What a loan costs, payment by payment",
  },
  {
    to: "/contact",
    icon: CalendarClock,
    name: "Schedule Meeting",
    text: "Talk to a person, on the phone or here",
  },
];

/** Spec section 2 "Public pages": the three quick tiles and where they lead. */
export function QuickTiles() {
  return (
    <nav aria-label="Shortcuts" className="mx-auto max-w-public px-4 md:px-6">
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-3 sm:gap-5">
        {TILES.map(({ to, icon: Icon, name, text }) => (
          <li key={to}>
            <Link
              to={to}
              className="group flex h-full flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-5 shadow-card transition-colors duration-100 hover:border-brand sm:flex-col sm:flex-nowrap sm:items-start md:p-6"
            >
              <span className="grid size-11 shrink-0 place-items-center rounded-tile bg-brand-soft text-brand-ink">
                <Icon aria-hidden="true" size={22} />
              </span>
              <span className="min-w-[min(9rem,100%)] flex-1 wrap-anywhere sm:min-w-0 sm:flex-none">
                <span className="block text-sub-title">{name}</span>
                <span className="mt-0.5 block text-sm text-muted">{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
