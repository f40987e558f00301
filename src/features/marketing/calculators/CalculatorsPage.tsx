import { Printer } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { plural } from "#shared/counts";
import { formatUsd } from "#shared/money";
import { Button } from "../../../components/ui/Button";
import { ButtonLink } from "../../../components/ui/ButtonLink";
import { Card } from "../../../components/ui/Card";
import { Select } from "../../../components/ui/Select";
import { PageHero } from "../PageHero";
import { useIsHydrated } from "../useIsHydrated";
import { AmortizationTable } from "./AmortizationTable";
import { byYear, planLoan } from "./loan";
import { LoanChart } from "./LoanChart";
import { LoanForm } from "./LoanForm";
import { readDraft, readLoan, type LoanDraft } from "./loanInput";
import { LoanResult } from "./LoanResult";

const FIRST_DRAFT: LoanDraft = { amount: "25000.00", ratePercent: "5.99", years: "5" };

const UNITS = [
  { value: "Year", label: "Year by year" },
  { value: "Month", label: "Month by month" },
] as const;

/** Works without a server: every edit is calculated on the page, in integer cents (loan.ts). */
export function CalculatorsPage() {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const [unit, setUnit] = useState<"Year" | "Month">("Year");
  const isHydrated = useIsHydrated();
  // What was typed before React took over the page is only in the fields.
  const readFields = useCallback((form: HTMLFormElement | null) => {
    if (form) setDraft(readDraft(new FormData(form)));
  }, []);
  const reading = useMemo(() => readLoan(draft), [draft]);
  const terms = "terms" in reading ? reading.terms : undefined;
  const plan = useMemo(() => terms && planLoan(terms), [terms]);
  const years = useMemo(() => (plan ? byYear(plan.installments) : []), [plan]);

  return (
    <>
      <PageHero
        title="Loan calculator"
        lead="What a loan costs a month and in total, and how the balance falls, payment by payment."
      />
      <div className="mx-auto grid max-w-public grid-cols-1 gap-5 px-4 py-10 md:px-6 md:py-14 print:p-0">
        <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
          <Card title="Your loan" className="print:border-0 print:p-0">
            <div className="print:hidden">
              <LoanForm
                ref={readFields}
                draft={draft}
                problems={"problems" in reading ? reading.problems : {}}
                onChange={setDraft}
              />
            </div>
            {terms && (
              <p className="print-only">
                {formatUsd(terms.principalCents)} at {Number(terms.rateMilliPercent) / 1000}% a year
                over {plural(terms.months / 12, "year")}
              </p>
            )}
            <p className="mt-5 text-[0.8125rem] text-muted print:hidden">
              An estimate for comparison, not an offer. Fees and insurance are not included.
            </p>
          </Card>
          <LoanResult plan={plan} principalCents={terms?.principalCents ?? 0n} />
        </div>
        {plan && (
          <>
            <Card>
              <LoanChart years={years} totalInterestCents={plan.totalInterestCents} />
            </Card>
            <Card
              title="Amortization table"
              isFlush
              actions={
                <div className="flex flex-wrap items-center gap-2 print:hidden">
                  <Select
                    label="Show payments"
                    isLabelHidden
                    isDense
                    disabled={!isHydrated}
                    value={unit}
                    onChange={(event) => setUnit(event.target.value === "Month" ? "Month" : "Year")}
                    options={UNITS}
                  />
                  <Button
                    variant="secondary"
                    size="sm"
                    disabled={!isHydrated}
                    onClick={() => window.print()}
                  >
                    <Printer aria-hidden="true" size={16} />
                    Print
                  </Button>
                </div>
              }
            >
              <AmortizationTable rows={unit === "Year" ? years : plan.installments} unit={unit} />
            </Card>
          </>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-3 print:hidden">
          <p className="text-muted">Do the figures look right?</p>
          <ButtonLink to="/contact" variant="secondary">
            Talk to a loan officer
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
