import { MESSAGES } from "#shared/errors";
import { formatUsd } from "#shared/money";
import type { ExternalTransferCommand } from "#shared/rules/externalTransfer";
import { useId, useState, type FormEvent } from "react";
import { Button } from "../../../components/ui/Button";
import { FormAlert } from "../../../components/ui/FormAlert";
import { OtpInput } from "../../../components/ui/OtpInput";
import { FormFooter } from "../FormFooter";
import { SummaryList } from "../SummaryList";

interface ExternalCodeFormProps {
  readonly details: ExternalTransferCommand;
  readonly isBusy: boolean;
  /** Why the last code was refused. */
  readonly message: string | undefined;
  readonly disabledReason: string | undefined;
  readonly onBack: () => void;
  /** Answers false when the code was refused: the field then empties itself. */
  readonly onConfirm: (code: string) => Promise<boolean>;
}

/** Step 2 of a transfer to a US bank: summary and one-time code. */
export function ExternalCodeForm(props: ExternalCodeFormProps) {
  const { details, isBusy, disabledReason } = props;
  const [code, setCode] = useState("");
  const [isEmptyRefused, setIsEmptyRefused] = useState(false);
  const alertId = useId();
  const message = isEmptyRefused ? MESSAGES.OTP_EMPTY : props.message;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setIsEmptyRefused(code === "");
    if (code === "" || isBusy) return;
    if (!(await props.onConfirm(code))) setCode("");
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <SummaryList
        onChange={props.onBack}
        items={[
          { term: "Amount", value: formatUsd(details.amountCents) },
          { term: "From", value: details.fromAccount },
          { term: "To", value: `${details.accountName}, ${details.toBank}` },
          { term: "Routing number", value: details.routingNumber },
          { term: "Account number", value: details.accountNumber },
          { term: "Reference", value: details.reference },
        ]}
      />
      <OtpInput
        label="Verification code"
        autoFocus
        hint="One of your unused one-time codes. A code used at sign-in is spent."
        value={code}
        onValueChange={(digits) => {
          setCode(digits);
          setIsEmptyRefused(false);
        }}
        isInvalid={message !== undefined}
        describedBy={message === undefined ? undefined : alertId}
      />
      <FormAlert id={alertId}>{message}</FormAlert>
      <FormFooter note={disabledReason ?? "Nothing is sent before the code is confirmed."}>
        <Button variant="secondary" size="lg" onClick={props.onBack}>
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
