import { MOBILE_DEPOSIT_MAX_CENTS } from "#shared/limits";
import { formatUsd } from "#shared/money";
import { PenLine, ScanText, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { AccountSelect } from "../../components/bank/AccountSelect";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { FileDrop } from "../../components/ui/FileDrop";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { useDepositForm, type DepositFormOptions } from "./useDepositForm";
import type { UploadShares } from "./useMobileDeposit";

/** Spec section 2 "Mobile Deposit": the notes shown beside the form. */
const NOTES: readonly { readonly icon: ReactNode; readonly text: string }[] = [
  { icon: <PenLine />, text: "The check must be signed and endorsed." },
  { icon: <ScanText />, text: "Write 'For Mobile Deposit Only' below the signature." },
  { icon: <Sun />, text: "Images must be clear and well lit." },
];

interface MobileDepositFormProps extends DepositFormOptions {
  /** Shares uploaded while the images are being sent. */
  readonly shares: UploadShares;
  readonly disabledReason: string | undefined;
  /** Outcome of the last check; shown beside the button that was pressed. */
  readonly outcome?: ReactNode;
}

/** The three notes with their icons. */
function DepositNotes() {
  return (
    <ul className="grid gap-3 text-sm">
      {NOTES.map(({ icon, text }) => (
        <li key={text} className="flex items-center gap-3">
          <span aria-hidden className="shrink-0 text-brand-ink [&>svg]:size-5">
            {icon}
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Amount, account and two photos (spec section 2 "Mobile Deposit"). */
export function MobileDepositForm(props: MobileDepositFormProps) {
  const { accounts, isBusy, shares, disabledReason } = props;
  const { draft, edit, pick, wire, onSubmit, isComplete, outcome, alert } = useDepositForm(props);
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <AccountSelect
          {...wire("account")}
          label="Deposit To"
          fieldClassName="sm:col-span-2"
          accounts={accounts}
          disabled={isBusy}
          value={draft.toAccount}
          onChange={(event) => edit({ toAccount: event.target.value })}
        />
        <AmountInput
          {...wire("amount")}
          label="Amount"
          disabled={isBusy}
          fieldClassName="sm:col-span-2"
          value={draft.amount}
          onValueChange={(text) => edit({ amount: text })}
          hint={`Up to ${formatUsd(MOBILE_DEPOSIT_MAX_CENTS)} per check`}
        />
        <FileDrop
          {...wire("front")}
          isCamera
          label="Front of check"
          file={draft.front}
          onFileChange={(file) => void pick("front")(file)}
          isDisabled={isBusy}
          progress={shares.front}
        />
        <FileDrop
          {...wire("back")}
          isCamera
          label="Back of check"
          file={draft.back}
          onFileChange={(file) => void pick("back")(file)}
          isDisabled={isBusy}
          progress={shares.back}
        />
      </div>
      <DepositNotes />
      <RefusalAlert {...alert} />
      <div
        ref={outcome}
        tabIndex={-1}
        className="rounded-control empty:absolute has-[>:empty]:absolute"
      >
        {props.outcome}
      </div>
      <div className="grid gap-2">
        <Button
          type="submit"
          size="lg"
          isFullWidth
          isBusy={isBusy}
          busyLabel="Uploading..."
          disabled={!isComplete || disabledReason !== undefined}
        >
          Deposit Check
        </Button>
        <p className="text-sm text-muted">
          {disabledReason ??
            (isComplete
              ? "We review every check before the money is available."
              : "Enter an amount and add both photos first.")}
        </p>
      </div>
    </form>
  );
}
