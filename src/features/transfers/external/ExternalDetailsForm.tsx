import { hasRoutingChecksum } from "#shared/accountNumbers";
import { BANKS, findBank } from "#shared/banks";
import {
  EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX,
  EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN,
  ROUTING_NUMBER_DIGITS,
} from "#shared/limits";
import { withoutSpaces } from "#shared/plainText";
import type { ExternalTransferCommand } from "#shared/rules/externalTransfer";
import { AccountSelect } from "../../../components/bank/AccountSelect";
import { Button } from "../../../components/ui/Button";
import { RefusalAlert } from "../../../components/ui/RefusalAlert";
import { Select } from "../../../components/ui/Select";
import { TextInput } from "../../../components/ui/TextInput";
import { useRuledForm } from "../../../hooks/useRuledForm";
import { usableCents, type TransferFormProps } from "../panel";
import { AmountAndReference } from "../AmountAndReference";
import { FormFooter } from "../FormFooter";

export const EXTERNAL_DRAFT_KEY = "transfer-external";

const loadRules = () => import("#shared/rules/externalTransfer");

const INITIAL = {
  fromAccount: "Checking",
  toBank: "",
  routingNumber: "",
  accountNumber: "",
  accountName: "",
  amount: "",
  reference: "",
};

export type ExternalField = keyof typeof INITIAL;

const FIELD_OF = {
  INVALID_EXTERNAL_ACCOUNT_NUMBER: "accountNumber",
  INVALID_ROUTING_NUMBER: "routingNumber",
  INVALID_BANK: "toBank",
  INVALID_AMOUNT: "amount",
  INSUFFICIENT_FUNDS: "amount",
} as const;

const BANK_OPTIONS = BANKS.map((bank) => ({ value: bank.name, label: bank.name }));

/** Suggests a second look at nine digits that fail the checksum; the credit union does not refuse them. */
function routingHint(routingNumber: string): string | undefined {
  const isComplete = routingNumber.length === ROUTING_NUMBER_DIGITS;
  return isComplete && !hasRoutingChecksum(routingNumber)
    ? "Check this number again: its digits do not add up."
    : undefined;
}

/** Step 1 of a transfer to a US bank. The form keeps its values until the transfer is done. */
export function ExternalDetailsForm(
  props: TransferFormProps<ExternalTransferCommand> & {
    readonly startAt?: ExternalField | undefined;
  },
) {
  const { accounts, isBusy, disabledReason } = props;
  const sourceOf = (type: string) => accounts.find((account) => account.type === type);
  const form = useRuledForm({
    draftKey: EXTERNAL_DRAFT_KEY,
    initial: INITIAL,
    loadRules,
    schemaOf: ({ externalTransferForm }, { fromAccount }) =>
      externalTransferForm({ availableCents: usableCents(sourceOf(fromAccount), props) }),
    fallback: "TRANSFER_FAILED",
    fieldOf: FIELD_OF,
    serverRefusal: props.refusal,
    startAt: props.startAt,
    onEdit: props.onEdit,
  });
  const { values, set, wire } = form;
  return (
    <form noValidate onSubmit={form.submitTo(props.onSubmit)} className="grid gap-5">
      <RefusalAlert {...form.alert} />
      <AccountSelect label="From Account" accounts={accounts} {...form.input("fromAccount")} />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <Select
          label="Bank"
          placeholder="Choose a bank"
          options={BANK_OPTIONS}
          value={values.toBank}
          onChange={(event) => {
            const bank = findBank(event.target.value);
            set({ toBank: event.target.value, routingNumber: bank?.routingNumber ?? "" });
          }}
          {...wire("toBank")}
        />
        <TextInput
          label="Routing Number"
          inputMode="numeric"
          autoComplete="off"
          hint={routingHint(values.routingNumber)}
          {...form.input("routingNumber", withoutSpaces)}
        />
        <TextInput
          label="Account Number"
          inputMode="numeric"
          autoComplete="off"
          hint={`${EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN} to ${EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX} digits`}
          {...form.input("accountNumber", withoutSpaces)}
        />
        <TextInput label="Account Holder Name" autoComplete="off" {...form.input("accountName")} />
        <AmountAndReference form={form} source={sourceOf(values.fromAccount)} />
      </div>
      <FormFooter note={disabledReason ?? "You confirm with a one-time code in the next step."}>
        <Button
          type="submit"
          size="lg"
          isBusy={isBusy}
          busyLabel="Checking..."
          disabled={disabledReason !== undefined}
        >
          Continue
        </Button>
      </FormFooter>
    </form>
  );
}
