import type { InternalTransferCommand } from "#shared/rules/internalTransfer";
import { ArrowLeftRight } from "lucide-react";
import { AccountSelect } from "../../../components/bank/AccountSelect";
import { Button, IconButton } from "../../../components/ui/Button";
import { RefusalAlert } from "../../../components/ui/RefusalAlert";
import { useRuledForm } from "../../../hooks/useRuledForm";
import { amountLabel } from "../amountHint";
import { usableCents, type TransferFormProps } from "../panel";
import { AmountAndReference } from "../AmountAndReference";
import { FormFooter } from "../FormFooter";

export const INTERNAL_DRAFT_KEY = "transfer-internal";

const loadRules = () => import("#shared/rules/internalTransfer");

const INITIAL = { fromAccount: "Checking", toAccount: "Savings", amount: "", reference: "" };

const FIELD_OF = {
  SAME_ACCOUNT: "toAccount",
  INVALID_AMOUNT: "amount",
  INSUFFICIENT_FUNDS: "amount",
} as const;

/** Between own accounts: one step, done at once (spec section 2 "Transfer forms"). */
export function InternalTransferForm(props: TransferFormProps<InternalTransferCommand>) {
  const { accounts, isBusy, disabledReason } = props;
  const sourceOf = (type: string) => accounts.find((account) => account.type === type);
  const form = useRuledForm({
    draftKey: INTERNAL_DRAFT_KEY,
    initial: INITIAL,
    loadRules,
    schemaOf: ({ internalTransferForm }, { fromAccount }) =>
      internalTransferForm({ availableCents: usableCents(sourceOf(fromAccount), props) }),
    fallback: "TRANSFER_FAILED",
    fieldOf: FIELD_OF,
    serverRefusal: props.refusal,
    onEdit: props.onEdit,
  });
  const { values, set } = form;
  return (
    <form noValidate onSubmit={form.submitTo(props.onSubmit)} className="@container grid gap-5">
      {/* Side by side only where an account's full line fits. */}
      <div className="grid items-end gap-3 @[38rem]:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <AccountSelect label="From Account" accounts={accounts} {...form.input("fromAccount")} />
        <IconButton
          label="Swap accounts"
          className="rounded-pill! border border-line mx-auto rotate-90 @[38rem]:rotate-0"
          onClick={() => set({ fromAccount: values.toAccount, toAccount: values.fromAccount })}
        >
          <ArrowLeftRight aria-hidden />
        </IconButton>
        <AccountSelect label="To Account" accounts={accounts} {...form.input("toAccount")} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
        <AmountAndReference form={form} source={sourceOf(values.fromAccount)} />
      </div>
      <RefusalAlert {...form.alert} />
      <FormFooter note={disabledReason ?? "Money moves right away between your own accounts."}>
        <Button
          type="submit"
          size="lg"
          isBusy={isBusy}
          busyLabel="Transferring..."
          disabled={disabledReason !== undefined}
        >
          {["Transfer", amountLabel(values.amount)].filter(Boolean).join(" ")}
        </Button>
      </FormFooter>
    </form>
  );
}
