import { formatUsd } from "#shared/money";
import type { LoanPlan } from "./loan";

interface LoanResultProps {
  /** Absent while a field cannot be read. */
  readonly plan: LoanPlan | undefined;
  readonly principalCents: bigint;
}

/** Announces the payment politely when it changes; dashes stand for what cannot be calculated. */
export function LoanResult({ plan, principalCents }: LoanResultProps) {
  return (
    <section
      aria-labelledby="loan-result"
      className="on-band rounded-card bg-band p-6 text-on-band md:p-7 print:p-0"
    >
      <h2 id="loan-result" className="text-card-title">
        Your payment
      </h2>
      <p
        aria-live="polite"
        aria-atomic="true"
        className="num mt-5 font-display text-[min(2.5rem,12vw)] leading-none font-semibold tracking-[-0.02em] md:text-5xl"
      >
        {plan ? formatUsd(plan.paymentCents) : "–"}{" "}
        <span className="font-sans text-base font-normal tracking-normal text-on-band-muted">
          a month
        </span>
      </p>
      <dl className="mt-7 grid gap-3 border-t border-band-line pt-5">
        <Line term="Amount borrowed" cents={plan && principalCents} />
        <Line term="Total interest" cents={plan?.totalInterestCents} />
        <Line term="Total paid" cents={plan?.totalPaidCents} />
      </dl>
    </section>
  );
}

function Line({ term, cents }: { readonly term: string; readonly cents: bigint | undefined }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-on-band-muted">{term}</dt>
      <dd className="num font-semibold">{cents === undefined ? "–" : formatUsd(cents)}</dd>
    </div>
  );
}
