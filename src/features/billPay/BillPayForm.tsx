import { spendableCents } from "#shared/ledger";
import type { BillPaymentCommand } from "#shared/rules/billPayment";
import { BILL_PROVIDERS } from "#shared/validators";
import type { ReactNode } from "react";
import { AccountSelect, type SelectableAccount } from "../../components/bank/AccountSelect";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { RadioCards } from "../../components/ui/RadioCards";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { TextInput } from "../../components/ui/TextInput";
import { useRuledForm } from "../../hooks/useRuledForm";
import type { Refusal } from "../../lib/errorText";
import { PROVIDERS } from "./providers";

/** Name under which typed values and unanswered requests are kept. */
export const BILL_PAY_DRAFT_KEY = "bill-pay";

const loadRules = () => import("#shared/rules/billPayment");

const INITIAL = {
  fromAccount: "Checking",
  provider: "",
  accountNumber: "",
  amount: "",
  scheduleDate: "",
  memo: "",
};

const FIELD_OF = {
  INVALID_AMOUNT: "amount",
  INSUFFICIENT_FUNDS: "amount",
  INVALID_DATE: "scheduleDate",
  PAYMENT_DATE_TOO_EARLY: "scheduleDate",
} as const;

const PROVIDER_OPTIONS = BILL_PROVIDERS.map((provider) => ({
  value: provider,
  ...PROVIDERS[provider],
}));

interface BillPayFormProps {
  readonly accounts: readonly SelectableAccount[];
  /** `YYYY-MM-DD`, the earliest date that may be chosen. */
  readonly earliestDate: string;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Outcome of the last payment; shown beside the button that was pressed. */
  readonly outcome?: ReactNode;
  /** Resolves to whether it was scheduled; if so, the form empties itself. */
  readonly onSubmit: (command: BillPaymentCommand) => Promise<boolean>;
}

/** Schedules a payment to one of six providers (spec section 2 "Bill Pay"). */
export function BillPayForm(props: BillPayFormProps) {
  const { accounts, disabledReason, earliestDate } = props;
  const form = useRuledForm({
    draftKey: BILL_PAY_DRAFT_KEY,
    initial: INITIAL,
    loadRules,
    schemaOf: ({ billPaymentForm }, { fromAccount }) => {
      const source = accounts.find((account) => account.type === fromAccount);
      return billPaymentForm({
        availableCents: source === undefined ? 0n : spendableCents(source),
        tomorrow: earliestDate,
      });
    },
    fallback: "PAYMENT_FAILED",
    fieldOf: FIELD_OF,
    optional: ["memo"],
    serverRefusal: props.refusal,
    onEdit: props.onEdit,
  });
  const { values, set, wire } = form;
  return (
    <form noValidate onSubmit={form.submitTo(props.onSubmit)} className="grid grid-cols-1 gap-5">
      <AccountSelect label="From Account" accounts={accounts} {...form.input("fromAccount")} />
      <RadioCards
        legend="Provider"
        name="provider"
        options={PROVIDER_OPTIONS}
        value={values.provider}
        onValueChange={(provider) => set({ provider })}
        {...wire("provider")}
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 sm:gap-x-3">
        <TextInput
          label="Account Number"
          autoComplete="off"
          hint="Your customer number with the provider"
          {...form.input("accountNumber")}
        />
        <AmountInput
          label="Amount"
          value={values.amount}
          onValueChange={(amount) => set({ amount })}
          {...wire("amount")}
        />
        <TextInput
          label="Payment Date"
          type="date"
          min={earliestDate}
          hint="Tomorrow or later"
          {...form.input("scheduleDate")}
        />
        <TextInput label="Memo" isOptional autoComplete="off" {...form.input("memo")} />
      </div>
      <RefusalAlert {...form.alert} />
      {props.outcome}
      <div className="grid gap-2">
        <Button
          type="submit"
          size="lg"
          isFullWidth
          isBusy={props.isBusy}
          busyLabel="Scheduling..."
          disabled={disabledReason !== undefined}
        >
          Schedule Payment
        </Button>
        <p className="text-sm text-muted">
          {disabledReason ??
            "The money stays in your account until the payment date. You can cancel until then."}
        </p>
      </div>
    </form>
  );
}
