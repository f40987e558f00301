import { formatUsd } from "#shared/money";
import type { InternationalTransferCommand } from "#shared/rules/internationalTransfer";
import { useEffect, useRef } from "react";
import { Button } from "../../../components/ui/Button";
import { FormAlert } from "../../../components/ui/FormAlert";
import { Notice } from "../../../components/ui/StatusBanner";
import { FormFooter } from "../FormFooter";
import { SummaryList } from "../SummaryList";
import type { InternationalField } from "./InternationalDetailsForm";
import { summaryOf } from "./summary";

interface ReviewProps {
  readonly command: InternationalTransferCommand;
}

interface NoticeStepProps extends ReviewProps {
  /** To the details, where that field takes the focus. */
  readonly onBack: (field: InternationalField) => void;
  readonly onContinue: () => void;
}

/** Takes the focus when its step appears. */
function StepHeading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className="text-sub-title">
      {children}
    </h3>
  );
}

/** Step 2: what an international transfer means, and the summary. */
export function NoticeStep({ command, onBack, onContinue }: NoticeStepProps) {
  return (
    <div className="grid gap-5">
      <StepHeading>Review your transfer</StepHeading>
      <Notice tone="warning">
        <ul className="grid list-disc gap-1 pl-4">
          <li>Estimated arrival: 1 to 5 business days.</li>
          <li>Other banks may deduct their own fees along the way.</li>
          <li>The recipient's bank sets the exchange rate when the money arrives.</li>
          <li>An international transfer cannot be recalled once it is sent.</li>
        </ul>
      </Notice>
      <SummaryList items={summaryOf(command)} onChange={onBack} />
      <FormFooter note="Nothing has been sent yet.">
        <Button variant="secondary" size="lg" onClick={() => onBack("fromAccount")}>
          Back
        </Button>
        <Button size="lg" onClick={onContinue}>
          Continue
        </Button>
      </FormFooter>
    </div>
  );
}

interface ConfirmStepProps extends ReviewProps {
  readonly onBack: () => void;
  readonly isBusy: boolean;
  readonly message: string | undefined;
  readonly disabledReason: string | undefined;
  readonly onConfirm: () => void;
}

/** Step 3: one sentence and the button that moves money. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { command, disabledReason } = props;
  return (
    <div className="grid gap-5">
      <FormAlert>{props.message}</FormAlert>
      <StepHeading>Confirm your transfer</StepHeading>
      <p className="wrap-anywhere">
        Send <strong className="num">{formatUsd(command.amountCents)}</strong> from{" "}
        {command.fromAccount} to <strong>{command.recipientName}</strong> at {command.bankName}?
      </p>
      <FormFooter note={disabledReason ?? "The money leaves your account at once."}>
        <Button variant="secondary" size="lg" disabled={props.isBusy} onClick={props.onBack}>
          Back
        </Button>
        <Button
          size="lg"
          isBusy={props.isBusy}
          busyLabel="Sending..."
          disabled={disabledReason !== undefined}
          onClick={props.onConfirm}
        >
          Confirm Transfer
        </Button>
      </FormFooter>
    </div>
  );
}
