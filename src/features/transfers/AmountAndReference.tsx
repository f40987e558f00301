import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { AmountInput } from "../../components/ui/AmountInput";
import { TextInput } from "../../components/ui/TextInput";
import type { FieldWiring, InputWiring } from "../../hooks/useRuledForm";
import { amountHint } from "./amountHint";

interface Texts {
  readonly amount: string;
  readonly reference: string;
}

interface AmountAndReferenceProps {
  /** The form (useRuledForm) of any transfer. */
  readonly form: {
    readonly values: Texts;
    readonly set: (changes: Partial<Texts>) => void;
    readonly wire: (name: keyof Texts) => FieldWiring;
    readonly input: (name: keyof Texts) => InputWiring;
  };
  /** What the amount is taken from. */
  readonly source: SelectableAccount | undefined;
}

/** The last two fields of every transfer; they sit in the form's grid. */
export function AmountAndReference({ form, source }: AmountAndReferenceProps) {
  const { values, set, wire } = form;
  return (
    <>
      <AmountInput
        isLarge
        label="Amount"
        value={values.amount}
        onValueChange={(amount) => set({ amount })}
        hint={amountHint(source, values.amount)}
        {...wire("amount")}
      />
      <TextInput
        label="Reference"
        className="sm:min-h-13"
        autoComplete="off"
        {...form.input("reference")}
      />
    </>
  );
}
