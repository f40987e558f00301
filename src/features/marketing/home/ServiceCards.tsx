import clsx from "clsx";
import { ArrowRight } from "lucide-react";
import { Link } from "react-router-dom";
import { RATES } from "#shared/limits";
import { Section } from "../Section";

interface Service {
  readonly to: string;
  readonly name: string;
  readonly lead: string;
  readonly figure: string;
  readonly text: string;
}

const SERVICES: readonly Service[] = [
  {
    to: "/products#savings",
    name: "Savings",
    lead: "Earn",
    figure: RATES.savingsApy,
    text: "On the whole balance, from the first dollar, with no notice required.",
  },
  {
    to: "/products#mortgages",
    name: "Mortgages",
    lead: "From",
    figure: RATES.mortgagesApr,
    text: "One loan officer from your first question to the keys in your hand.",
  },
  {
    to: "/products#personal-loans",
    name: "Personal loans",
    lead: "From",
    figure: RATES.personalLoansApr,
    text: "The same payment every month, decided by people you can call.",
  },
  {
    to: "/products#credit-card",
    name: "Credit card",
    lead: "Always",
    figure: RATES.creditCardCashBack,
    text: `${RATES.creditCardApr}, and a lock button of your own.`,
  },
  {
    to: "/products#business-loans",
    name: "For your business",
    lead: "Loans from",
    figure: RATES.businessLoansApr,
    text: `Checking with ${RATES.businessCheckingTransactions} a month, savings and loans.`,
  },
];

/** The offer as an uneven grid: two wide cards, then three. */
export function ServiceCards() {
  return (
    <Section
      title="Rates that belong to members"
      lead="The surplus other banks pay to shareholders is what makes these possible."
    >
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-6 md:gap-5">
        {SERVICES.map((service, index) => (
          <li key={service.to} className={index < 2 ? "md:col-span-3" : "md:col-span-2"}>
            <Link
              to={service.to}
              className="group flex h-full flex-col rounded-card border border-line bg-surface p-6 shadow-card transition-colors duration-100 hover:border-brand md:p-7"
            >
              <h3 className="text-sub-title">{service.name}</h3>
              <p className="mt-4 text-sm text-muted">{service.lead}</p>
              <p
                className={clsx(
                  "num font-display font-semibold tracking-[-0.02em] text-brand-ink",
                  index < 2
                    ? "text-[2.5rem] leading-tight md:text-5xl"
                    : "text-3xl leading-tight md:max-lg:text-2xl",
                )}
              >
                {service.figure}
              </p>
              <p className="mt-3 max-w-[44ch] text-muted">{service.text}</p>
              <span className="mt-auto inline-flex items-center gap-1.5 pt-6 font-semibold text-brand-ink">
                See the details
                <ArrowRight
                  aria-hidden="true"
                  size={16}
                  className="transition-transform duration-150 group-hover:translate-x-0.5"
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
