import { MESSAGES } from "#shared/errors";
import { MOBILE_DEPOSIT_MAX_CENTS } from "#shared/limits";
import { formatUsd, parseAmount } from "#shared/money";
import { MOBILE_DEPOSIT_RULES } from "#shared/rules/mobileDeposit";
import { firstRefusal } from "#shared/rules/rule";
import { PenLine, ScanText, Sun } from "lucide-react";
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { AccountSelect, type SelectableAccount } from "../../components/bank/AccountSelect";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { FileDrop } from "../../components/ui/FileDrop";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { useKept } from "../../hooks/useKept";
import { isImage } from "./prepareImage";
import type { Deposit, Side, UploadShares } from "./useMobileDeposit";

/** Without a type the bytes decide: not every system knows that of a phone's photos (HEIC). */
const MAYBE_IMAGE_TYPE = /^(image\/|$)/;

/** The deposit being prepared, kept through visits to other pages. */
const EMPTY: {
  readonly toAccount: string;
  readonly amount: string;
  readonly front: File | null;
  readonly back: File | null;
} = { toAccount: "Checking", amount: "", front: null, back: null };

/** Spec section 2 "Mobile Deposit": the notes shown beside the form. */
const NOTES: readonly { readonly icon: ReactNode; readonly text: string }[] = [
  { icon: <PenLine />, text: "The check must be signed and endorsed." },
  { icon: <ScanText />, text: "Write 'For Mobile Deposit Only' below the signature." },
  { icon: <Sun />, text: "Images must be clear and well lit." },
];

interface MobileDepositFormProps {
  readonly accounts: readonly SelectableAccount[];
  readonly isBusy: boolean;
  /** Shares uploaded while the images are being sent. */
  readonly shares: UploadShares;
  /** Why the last deposit was refused, and the photo concerned, if any. */
  readonly message: string | undefined;
  readonly refusedSide: Side | null;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Outcome of the last check; shown beside the button that was pressed. */
  readonly outcome?: ReactNode;
  /** Resolves to whether it was submitted; if so, the form empties itself. */
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
  const [draft, change] = useKept("deposit", EMPTY);
  const { toAccount, amount, front, back } = draft;
  const [own, setOwn] = useState<{ readonly message: string; readonly side: Side | null } | null>(
    null,
  );
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const message = own?.message ?? props.message;
  const refusedSide = own === null ? props.refusedSide : own.side;
  const alertId = `${formId}-alert`;
  const idOf = (field: "amount" | Side) => `${formId}-${field}`;
  const isAmountRefused = message === MESSAGES.DEPOSIT_LIMIT || message === MESSAGES.INVALID_AMOUNT;
  const refusedField = isAmountRefused ? "amount" : refusedSide;
  const isComplete = parseAmount(amount) !== "empty" && front !== null && back !== null;
  const wire = (field: "amount" | Side) => {
    const isInvalid = message !== undefined && field === refusedField;
    return { id: idOf(field), isInvalid, describedBy: isInvalid ? alertId : undefined };
  };

  const edit = (changes: Partial<typeof draft>) => {
    setOwn(null);
    props.onEdit();
    change(changes);
  };
  const pick = (side: Side) => async (file: File | null) => {
    const isOther = file !== null && !MAYBE_IMAGE_TYPE.test(file.type);
    edit(isOther ? {} : { [side]: file });
    if (isOther) setOwn({ message: MESSAGES.INVALID_IMAGE, side });
    else if (file !== null && !(await isImage(file)) && latest.current[side] === file) {
      setOwn({ message: MESSAGES.INVALID_IMAGE, side });
    }
  };
  const refuse = (field: "amount" | Side, refused: string) => {
    setOwn({ message: refused, side: field === "amount" ? null : field });
    document.getElementById(idOf(field))?.focus();
  };
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const amountCents = parseAmount(amount);
    const [hasFrontImage, hasBackImage] = [front !== null, back !== null];
    const facts = { toAccount, amountCents, hasFrontImage, hasBackImage };
    const refused = firstRefusal(MOBILE_DEPOSIT_RULES, facts, undefined);
    setOwn(null);
    // The button stays disabled until everything else is there.
    if (refused !== null) return refuse("amount", MESSAGES[refused]);
    const account = accounts.find((known) => known.type === toAccount);
    if (account === undefined || front === null || back === null) return;
    if (typeof amountCents !== "bigint") return;
    for (const [side, file] of [["front", front] as const, ["back", back] as const]) {
      if (!(await isImage(file))) return refuse(side, MESSAGES.INVALID_IMAGE);
    }
    // Edited meanwhile: this is no longer what is to be sent.
    if (latest.current !== draft) return;
    const hasFocus = () => form.contains(document.activeElement);
    // The fields are disabled meanwhile: one in which Enter was pressed would lose the focus.
    if (hasFocus()) form.querySelector<HTMLElement>("[type=submit]")?.focus();
    if (await props.onSubmit({ toAccount: account.type, amountCents, front, back })) {
      change({ amount: "", front: null, back: null });
      if (hasFocus()) outcome.current?.focus();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <AccountSelect
          label="Deposit To"
          fieldClassName="sm:col-span-2"
          accounts={accounts}
          disabled={isBusy}
          value={toAccount}
          onChange={(event) => edit({ toAccount: event.target.value })}
        />
        <AmountInput
          {...wire("amount")}
          label="Amount"
          disabled={isBusy}
          fieldClassName="sm:col-span-2"
          value={amount}
          onValueChange={(text) => edit({ amount: text })}
          hint={`Up to ${formatUsd(MOBILE_DEPOSIT_MAX_CENTS)} per check`}
        />
        <FileDrop
          {...wire("front")}
          isCamera
          label="Front of check"
          file={front}
          onFileChange={(file) => void pick("front")(file)}
          isDisabled={isBusy}
          progress={shares.front}
        />
        <FileDrop
          {...wire("back")}
          isCamera
          label="Back of check"
          file={back}
          onFileChange={(file) => void pick("back")(file)}
          isDisabled={isBusy}
          progress={shares.back}
        />
      </div>
      <DepositNotes />
      <RefusalAlert
        id={alertId}
        message={message}
        fieldId={refusedField === null ? undefined : idOf(refusedField)}
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
