import { ArrowLeftRight, Camera, Landmark, Utensils, type LucideIcon } from "lucide-react";
import clsx from "clsx";

const FIGURES = [
  { label: "Monthly Income", value: "$4,459.07" },
  { label: "Monthly Outgoing", value: "$2,103.69" },
] as const;

const ROWS: readonly {
  icon: LucideIcon;
  tint: string;
  name: string;
  when: string;
  amount: string;
}[] = [
  {
    icon: Camera,
    tint: "bg-pos-soft text-pos",
    name: "Mobile deposit",
    when: "8:12 AM",
    amount: "+$245.00",
  },
  {
    icon: Utensils,
    tint: "bg-warn-soft text-warn",
    name: "Cedar Market",
    when: "7:48 AM",
    amount: "-$64.18",
  },
  {
    icon: ArrowLeftRight,
    tint: "bg-brand-soft text-brand-ink",
    name: "To Savings",
    when: "Yesterday",
    amount: "-$120.00",
  },
  {
    icon: Landmark,
    tint: "bg-pos-soft text-pos",
    name: "Payroll",
    when: "Yesterday",
    amount: "+$3,214.07",
  },
];

/** A small, still dashboard with invented figures: decoration with one description. */
export function DashboardMiniature() {
  return (
    <div
      role="img"
      aria-label="Example of the member dashboard: a balance, income and outgoing of the month, and the latest transactions"
      className="@container no-print select-none lg:-mr-4 lg:rotate-1"
    >
      {/* With text so large that it has no room, the page does without. */}
      <div className="@max-[14rem]:hidden rounded-[1.25rem] border border-band-line bg-band/80 p-4 shadow-popup sm:p-5 md:p-6">
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div>
            <p className="text-sm text-on-band-muted">Checking, today</p>
            <p className="num mt-1 font-display text-[2.25rem] leading-none font-semibold tracking-[-0.02em] md:text-[2.75rem]">
              $12,480<span className="text-[0.6em] font-medium text-on-band-muted">.55</span>
            </p>
          </div>
          <span className="rounded-pill border border-band-line px-2.5 py-1 text-[0.8125rem] text-on-band-muted">
            Example
          </span>
        </div>
        <div className="mt-4 h-1.5 overflow-hidden rounded-pill bg-band-line">
          <div className="h-full w-3/4 rounded-pill bg-beacon" />
        </div>
        <dl className="mt-5 grid grid-cols-2 gap-4 border-t border-band-line pt-4">
          {FIGURES.map((figure) => (
            <div key={figure.label}>
              <dt className="text-[0.8125rem] text-on-band-muted">{figure.label}</dt>
              <dd className="num font-display text-lg font-semibold">{figure.value}</dd>
            </div>
          ))}
        </dl>
        <ul className="mt-5 rounded-card bg-surface px-3 py-1.5 sm:px-4 text-ink">
          {ROWS.map(({ icon: Icon, tint, name, when, amount }) => (
            <li
              key={name}
              className="flex items-center gap-2.5 border-b border-line py-2.5 last:border-b-0 sm:gap-3"
            >
              <span className={clsx("grid size-9 shrink-0 place-items-center rounded-full", tint)}>
                <Icon size={16} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-[0.9375rem] font-semibold">{name}</span>
                <span className="block text-[0.8125rem] text-muted">{when}</span>
              </span>
              <span
                className={clsx(
                  "num text-[0.9375rem] font-semibold",
                  amount.startsWith("+") ? "text-credit" : "text-debit",
                )}
              >
                {amount}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
