import { plural } from "#shared/counts";
import { MESSAGES } from "#shared/errors";
import { MS, OTP_DIGITS, PENDING_TRANSFER_LIFE_MS } from "#shared/limits";
import { formatUsd } from "#shared/money";
import type { ExternalTransferCommand } from "#shared/rules/externalTransfer";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { Button } from "../../../components/ui/Button";
import { FormAlert } from "../../../components/ui/FormAlert";
import { OtpInput } from "../../../components/ui/OtpInput";
import { formatZonedTime } from "../../../lib/format";
import { FormFooter } from "../FormFooter";
import { SummaryList } from "../SummaryList";
import type { ExternalField } from "./ExternalDetailsForm";

interface ExternalCodeFormProps {
  readonly details: ExternalTransferCommand;
  /** From then on a code is too late. */
  readonly expiresAt: number;
  readonly isBusy: boolean;
  /** Why the last code was refused. */
  readonly message: string | undefined;
  /** Known after a wrong code. */
  readonly attemptsLeft: number | undefined;
  readonly disabledReason: string | undefined;
  /** To the details, where that field takes the focus. */
  readonly onBack: (field: ExternalField) => void;
  /** Resolves to whether the code may stay: it was executed, or never judged. Otherwise the field empties itself. */
  readonly onConfirm: (code: string) => Promise<boolean>;
}

const LIFE = plural(PENDING_TRANSFER_LIFE_MS / MS.MINUTE_MS, "minute");

/** Step 2 of a transfer to a US bank: summary and one-time code. */
export function ExternalCodeForm(props: ExternalCodeFormProps) {
  const { details, isBusy, attemptsLeft: left, disabledReason } = props;
  const [code, setCode] = useState("");
  const [isEmptyRefused, setIsEmptyRefused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const alertId = useId();
  const to = `${details.accountName}, ${details.toBank}`;
  const message = isEmptyRefused ? MESSAGES.OTP_EMPTY : props.message;
  // No line ends within the time.
  const until = formatZonedTime(props.expiresAt).replaceAll(" ", "\u00a0");
  const waiting = `This waits ${LIFE}, until ${until}.`;
  const note = `Nothing is sent until the code is confirmed. ${waiting}`;
  useEffect(() => {
    // The summary stays in view: it says what the code is for.
    form.current?.scrollIntoView({ block: "nearest" });
    field.current?.focus({ preventScroll: true });
  }, []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    // An incomplete code would cost one of the attempts.
    const isComplete = code.length === OTP_DIGITS;
    setIsEmptyRefused(!isComplete);
    if (isBusy) return;
    const isKept = isComplete && (await props.onConfirm(code));
    if (!isKept) setCode("");
    field.current?.focus();
  };
  return (
    <form
      ref={form}
      aria-label={`Confirm ${formatUsd(details.amountCents)} to ${to}`}
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="grid scroll-mt-22 scroll-mb-24 gap-5"
    >
      <SummaryList
        onChange={props.onBack}
        isBusy={isBusy}
        items={[
          { term: "Amount", value: formatUsd(details.amountCents), field: "amount" },
          { term: "From", value: details.fromAccount, field: "fromAccount" },
          { term: "To", value: to, field: "accountName" },
          { term: "Routing number", value: details.routingNumber, field: "routingNumber" },
          { term: "Account number", value: details.accountNumber, field: "accountNumber" },
          { term: "Reference", value: details.reference, field: "reference" },
        ]}
      />
      <OtpInput
        ref={field}
        label="Verification code"
        hint={
          left === undefined
            ? "One of your unused one-time codes. A code used at sign-in is spent."
            : `${plural(left, "attempt")} left, then you are signed out.`
        }
        value={code}
        onValueChange={(digits) => {
          setCode(digits);
          setIsEmptyRefused(false);
        }}
        isInvalid={message !== undefined}
        describedBy={message === undefined ? undefined : alertId}
      />
      <FormAlert id={alertId}>{message}</FormAlert>
      <FormFooter note={disabledReason ?? note}>
        <Button
          variant="secondary"
          size="lg"
          disabled={isBusy}
          onClick={() => props.onBack("fromAccount")}
        >
          Back
        </Button>
        <Button
          type="submit"
          size="lg"
          isBusy={isBusy}
          busyLabel="Sending..."
          disabled={disabledReason !== undefined}
        >
          Confirm Transfer
        </Button>
      </FormFooter>
    </form>
  );
}
