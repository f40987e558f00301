import { COUNTRIES } from "#shared/countries";
import { CURRENCIES, DEFAULT_CURRENCY } from "#shared/currencies";
import { SWIFT_LENGTH_MAX } from "#shared/limits";
import { withoutSpaces } from "#shared/plainText";
import type { InternationalTransferCommand } from "#shared/rules/internationalTransfer";
import type { ChangeEvent } from "react";
import { AccountSelect } from "../../../components/bank/AccountSelect";
import { Button } from "../../../components/ui/Button";
import { Combobox } from "../../../components/ui/Combobox";
import { RefusalAlert } from "../../../components/ui/RefusalAlert";
import { TextInput } from "../../../components/ui/TextInput";
import { useRuledForm } from "../../../hooks/useRuledForm";
import { isKeyPress } from "../../../lib/keyPress";
import { usableCents, type TransferFormProps } from "../panel";
import { AmountAndReference } from "../AmountAndReference";
import { FormFooter } from "../FormFooter";

export const INTERNATIONAL_DRAFT_KEY = "transfer-international";

const loadRules = () => import("#shared/rules/internationalTransfer");

const INITIAL = {
  fromAccount: "Checking",
  recipientName: "",
  bankName: "",
  swiftCode: "",
  accountNumber: "",
  iban: "",
  country: "",
  currency: DEFAULT_CURRENCY as string,
  amount: "",
  reference: "",
};

export type InternationalField = keyof typeof INITIAL;

const FIELD_OF = {
  INVALID_SWIFT: "swiftCode",
  INVALID_INTERNATIONAL_ACCOUNT_NUMBER: "accountNumber",
  INVALID_COUNTRY: "country",
  INVALID_CURRENCY: "currency",
  INVALID_AMOUNT: "amount",
  INSUFFICIENT_FUNDS: "amount",
} as const;

const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name, aliases }) => ({
  value: code,
  label: name,
  aliases,
}));
const CURRENCY_OPTIONS = CURRENCIES.map(({ code, name }) => ({
  value: code,
  label: `${code} - ${name}`,
  aliases: [name],
}));

/** Spec section 5 "Input shaping", applied while typing. */
const upperCase = (text: string): string => text.toUpperCase();

/** Step 1 of an international transfer. Its refusal stands at the top (spec section 2). */
export function InternationalDetailsForm(
  props: TransferFormProps<InternationalTransferCommand> & {
    readonly startAt?: InternationalField | undefined;
  },
) {
  const { accounts, isBusy, disabledReason } = props;
  const sourceOf = (type: string) => accounts.find((account) => account.type === type);
  const form = useRuledForm({
    draftKey: INTERNATIONAL_DRAFT_KEY,
    initial: INITIAL,
    loadRules,
    schemaOf: ({ internationalTransferForm }, { fromAccount }) =>
      internationalTransferForm({ availableCents: usableCents(sourceOf(fromAccount), props) }),
    fallback: "TRANSFER_FAILED",
    fieldOf: FIELD_OF,
    optional: ["iban"],
    serverRefusal: props.refusal,
    startAt: props.startAt,
    onEdit: props.onEdit,
  });
  const { values, set, wire } = form;
  /**
   * No `maxLength`: it counts spaces and cuts pasted text, and a code cut short can be another bank's. The rule refuses
   * what is too long.
   */
  const setSwiftCode = (event: ChangeEvent<HTMLInputElement>) => {
    const swiftCode = upperCase(withoutSpaces(event.target.value));
    const lengthMax = Math.max(SWIFT_LENGTH_MAX, values.swiftCode.length);
    if (isKeyPress(event) && swiftCode.length > lengthMax) return;
    set({ swiftCode });
  };
  return (
    <form noValidate onSubmit={form.submitTo(props.onSubmit)} className="grid gap-5">
      <RefusalAlert {...form.alert} />
      <AccountSelect label="From Account" accounts={accounts} {...form.input("fromAccount")} />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <TextInput label="Recipient Name" autoComplete="off" {...form.input("recipientName")} />
        <TextInput label="Bank Name" autoComplete="off" {...form.input("bankName")} />
        <TextInput
          label="SWIFT/BIC Code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.input("swiftCode")}
          onChange={setSwiftCode}
        />
        <TextInput
          label="Account Number"
          autoComplete="off"
          spellCheck={false}
          {...form.input("accountNumber", withoutSpaces)}
        />
        <TextInput
          label="IBAN"
          isOptional
          fieldClassName="sm:col-span-2"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.input("iban", upperCase)}
        />
        <Combobox
          label="Country"
          options={COUNTRY_OPTIONS}
          emptyText="No countries found."
          placeholder="Search countries"
          value={values.country}
          onValueChange={(country) => set({ country })}
          {...wire("country")}
        />
        <Combobox
          label="Currency"
          options={CURRENCY_OPTIONS}
          emptyText="No currencies found."
          value={values.currency}
          onValueChange={(currency) => set({ currency })}
          hint="What the recipient receives. The amount is in US dollars."
          {...wire("currency")}
        />
        <AmountAndReference form={form} source={sourceOf(values.fromAccount)} />
      </div>
      <FormFooter note={disabledReason ?? "You review everything before it is sent."}>
        <Button type="submit" size="lg" isBusy={isBusy} disabled={disabledReason !== undefined}>
          Continue
        </Button>
      </FormFooter>
    </form>
  );
}
