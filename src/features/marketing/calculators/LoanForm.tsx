import type { Ref } from "react";
import { AmountInput } from "../../../components/ui/AmountInput";
import { TextInput } from "../../../components/ui/TextInput";
import type { LoanDraft, LoanProblems } from "./loanInput";

interface LoanFormProps {
  readonly draft: LoanDraft;
  readonly problems: LoanProblems;
  readonly onChange: (draft: LoanDraft) => void;
  readonly ref: Ref<HTMLFormElement>;
}

/** Nothing is submitted. `ref` lets the page read what was typed before React took over. */
export function LoanForm({ draft, problems, onChange, ref }: LoanFormProps) {
  return (
    <form ref={ref} className="grid gap-5" onSubmit={(event) => event.preventDefault()} noValidate>
      <AmountInput
        name="amount"
        label="Loan amount"
        value={draft.amount}
        onValueChange={(amount) => onChange({ ...draft, amount })}
        error={problems.amount}
        isLarge
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextInput
          name="ratePercent"
          label="Annual rate (%)"
          inputMode="decimal"
          autoComplete="off"
          value={draft.ratePercent}
          onChange={(event) => onChange({ ...draft, ratePercent: event.target.value })}
          error={problems.ratePercent}
        />
        <TextInput
          name="years"
          label="Term (years)"
          inputMode="numeric"
          autoComplete="off"
          value={draft.years}
          onChange={(event) => onChange({ ...draft, years: event.target.value })}
          error={problems.years}
        />
      </div>
    </form>
  );
}
