import { MESSAGES } from "#shared/errors";
import { MOBILE_DEPOSIT_MAX_CENTS } from "#shared/limits";
import { formatUsd, parseAmount } from "#shared/money";
import { MOBILE_DEPOSIT_RULES } from "#shared/rules/mobileDeposit";
import { firstRefusal } from "#shared/rules/rule";
import { PenLine, ScanText, Sun } from "lucide-react";
import { useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { AccountSelect, type SelectableAccount } from "../../components/bank/AccountSelect";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { FileDrop } from "../../components/ui/FileDrop";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import type { Deposit, UploadShares } from "./useMobileDeposit";

const IMAGE_TYPE = /^image\//;

/** Spec section 2 "Mobile Deposit": the notes shown beside the form. */
const NOTES: readonly { readonly icon: ReactNode; readonly text: string }[] = [
  { icon: <PenLine />, text: "The check must be signed and endorsed." },
  { icon: <ScanText />, text: "Write 'For Mobile Deposit Only' below the signature." },
  { icon: <Sun />, text: "Images must be clear and well lit." },
];

export interface MobileDepositFormProps {
  readonly accounts: readonly SelectableAccount[];
  readonly isBusy: boolean;
  /** Shares uploaded while the images leave. */
  readonly shares: UploadShares;
  /** Why the last deposit was refused. */
  readonly message: string | undefined;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** What became of the last check; stands beside the button, where it was asked for. */
  readonly outcome?: ReactNode;
  /** Answers whether it was submitted: the form then empties itself. */
  readonly onSubmit: (deposit: Deposit) => Promise<boolean>;
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
  const formId = useId();
  const outcome = useRef<HTMLDivElement>(null);
  const [toAccount, setToAccount] = useState("Checking");
  const [amount, setAmount] = useState("");
  const [front, setFront] = useState<File | null>(null);
  const [back, setBack] = useState<File | null>(null);
  const [ownMessage, setOwnMessage] = useState<string>();
  const message = ownMessage ?? props.message;
  const alertId = `${formId}-alert`;
  const amountId = `${formId}-amount`;
  const isAmountRefused = message === MESSAGES.DEPOSIT_LIMIT || message === MESSAGES.INVALID_AMOUNT;
  const isComplete = parseAmount(amount) !== "empty" && front !== null && back !== null;

  const edit = () => {
    setOwnMessage(undefined);
    props.onEdit();
  };
  const pick = (set: (file: File | null) => void) => (file: File | null) => {
    edit();
    if (file !== null && !IMAGE_TYPE.test(file.type)) setOwnMessage(MESSAGES.INVALID_IMAGE);
    else set(file);
  };
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const amountCents = parseAmount(amount);
    const draft = {
      toAccount,
      amountCents,
      hasFrontImage: front !== null,
      hasBackImage: back !== null,
    };
    const refused = firstRefusal(MOBILE_DEPOSIT_RULES, draft, undefined);
    setOwnMessage(refused === null ? undefined : MESSAGES[refused]);
    // The button waits for everything else.
    if (refused !== null) document.getElementById(amountId)?.focus();
    const account = accounts.find((known) => known.type === toAccount);
    if (refused !== null || account === undefined || front === null || back === null) return;
    if (typeof amountCents !== "bigint") return;
    if (await props.onSubmit({ toAccount: account.type, amountCents, front, back })) {
      setAmount("");
      setFront(null);
      setBack(null);
      // The button is disabled again and would drop the focus.
      if (form.contains(document.activeElement)) outcome.current?.focus();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <AccountSelect
          label="Deposit To"
          fieldClassName="sm:col-span-2"
          accounts={accounts}
          value={toAccount}
          onChange={(event) => {
            edit();
            setToAccount(event.target.value);
          }}
        />
        <AmountInput
          id={amountId}
          label="Amount"
          fieldClassName="sm:col-span-2"
          value={amount}
          onValueChange={(text) => {
            edit();
            setAmount(text);
          }}
          hint={`Up to ${formatUsd(MOBILE_DEPOSIT_MAX_CENTS)} per check`}
          isInvalid={isAmountRefused}
          describedBy={isAmountRefused ? alertId : undefined}
        />
        <FileDrop
          isCamera
          label="Front of check"
          file={front}
          onFileChange={pick(setFront)}
          isDisabled={isBusy}
          progress={shares.front}
        />
        <FileDrop
          isCamera
          label="Back of check"
          file={back}
          onFileChange={pick(setBack)}
          isDisabled={isBusy}
          progress={shares.back}
        />
      </div>
      <DepositNotes />
      <RefusalAlert
        id={alertId}
        message={message}
        fieldId={isAmountRefused ? amountId : undefined}
      />
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
